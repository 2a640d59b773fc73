//! The link by which a client pays an order without signing in, and the consent to receipts by e-mail.

use jiff::{SignedDuration, Timestamp};

use crate::kernel::words::words;
use crate::{Email, Locale, OrderId};

/// A link by which a client pays an order. An order has one at most: a new one replaces the old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientLink {
    /// The order that it opens, and no other.
    pub order_id: OrderId,
    /// When it was made.
    pub made_at: Timestamp,
    /// From then on it opens nothing.
    pub ends_at: Timestamp,
    /// When somebody first opened it.
    pub opened_at: Option<Timestamp>,
    /// When the notary withdrew it.
    pub withdrawn_at: Option<Timestamp>,
    /// How often it, or an earlier one of the order, was sent to the client.
    pub sent_count: i64,
    /// When it, or an earlier one of the order, was last sent.
    pub sent_at: Option<Timestamp>,
}

impl ClientLink {
    /// The longest life that an installation may give to links.
    pub const HOURS_MAX: i64 = 24 * 30;

    /// For so long a link opens its order after the payment: the receipt is taken, and names the payer.
    const OPEN_AFTER_PAYMENT: SignedDuration = SignedDuration::from_hours(24);

    /// Returns the link as it is once its order was paid.
    #[must_use]
    pub fn after_payment(self, paid_at: Option<Timestamp>) -> Self {
        let ends_at = paid_at.map_or(self.ends_at, |paid_at| {
            self.ends_at.min(paid_at + Self::OPEN_AFTER_PAYMENT)
        });
        Self { ends_at, ..self }
    }

    /// Returns whether it opens its order.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.withdrawn_at.is_none() && now < self.ends_at
    }

    /// Returns how long a link lives: as long as was chosen, or the usual time, which is also the longest. `None`: no such time may be
    /// chosen.
    #[must_use]
    pub fn lifetime(chosen_hours: Option<i64>, usual: SignedDuration) -> Option<SignedDuration> {
        let Some(hours) = chosen_hours else {
            return Some(usual);
        };
        (1..=usual.as_hours())
            .contains(&hours)
            .then(|| SignedDuration::from_hours(hours))
    }
}

words! {
    /// Who said that receipts may be sent by e-mail.
    ConsentBy {
        /// The client, on the page of the link.
        Client = "client",
        /// The notary, who was told so by the client.
        Notary = "notary",
    }
}

/// The consent to receive the receipt of an order by e-mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptConsent {
    /// The order.
    pub order_id: OrderId,
    /// Where the receipt is sent.
    pub email: Email,
    /// The language of the letters.
    pub locale: Locale,
    /// Who gave it.
    pub given_by: ConsentBy,
    /// When.
    pub given_at: Timestamp,
    /// When the notary last had the receipt sent again by it.
    pub asked_again_at: Option<Timestamp>,
}

impl ReceiptConsent {
    /// The link of a letter gives the receipt for so long. Letters stay in mailboxes for years.
    const OPEN_AFTER_LETTER: SignedDuration = SignedDuration::from_hours(30 * 24);

    /// So many wrong endings of the client's code are taken before no letter of this consent gives the receipt any more. Of 10,000 a
    /// stranger who got the letter guesses one in a thousand; after the notary's five sendings one in 200, after the client's ten, too, one in 66.
    pub const WRONG_TRIES_MAX: i64 = 10;

    /// Returns since when its letters are sent. Those from before have links of their own, which give nothing any more.
    #[must_use]
    pub fn letters_since(&self) -> Timestamp {
        self.asked_again_at
            .map_or(self.given_at, |again| again.max(self.given_at))
    }

    /// Returns until when the link of a letter gives the receipt.
    #[must_use]
    pub fn link_ends_at(letter_written_at: Timestamp) -> Timestamp {
        letter_written_at + Self::OPEN_AFTER_LETTER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn a_link_is_open_until_its_end_or_its_withdrawal() {
        let id = uuid::Uuid::from_u128(0x0199_0000_0000_7000_8000_0000_0000_0001);
        let link = ClientLink {
            order_id: OrderId::new(id),
            made_at: at(0),
            ends_at: at(100),
            opened_at: None,
            withdrawn_at: None,
            sent_count: 0,
            sent_at: None,
        };
        assert!(link.is_open(at(99)));
        assert!(!link.is_open(at(100)));
        let withdrawn = ClientLink {
            withdrawn_at: Some(at(50)),
            ..link
        };
        assert!(!withdrawn.is_open(at(50)));
    }

    #[test]
    fn a_chosen_life_is_whole_hours_up_to_the_usual_one() {
        let usual = SignedDuration::from_hours(72);
        assert_eq!(ClientLink::lifetime(None, usual), Some(usual));
        for hours in [1, 24, 72] {
            let chosen = Some(SignedDuration::from_hours(hours));
            assert_eq!(ClientLink::lifetime(Some(hours), usual), chosen);
        }
        for hours in [i64::MIN, -1, 0, 73, i64::MAX] {
            assert_eq!(ClientLink::lifetime(Some(hours), usual), None, "{hours}");
        }
    }
}
