//! Card numbers, and what each of them does.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What happens when a card is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Behaviour {
    /// The payment succeeds at once.
    Pays,
    /// Not enough money: code 59.
    Declined,
    /// The bank declines without a reason.
    Refused,
    /// The card has expired or is blocked.
    Blocked,
    /// A limit of the card is reached.
    OverLimit,
    /// The acquirer itself fails.
    AcquirerFails,
    /// The time to pay has run out on the way.
    TooLate,
    /// The holder must confirm the payment on the bank's page.
    ThreeDSecure,
    /// The payment stays processing for a while and then succeeds.
    Slow,
}

impl Behaviour {
    /// Returns the acquirer's code and text if the card is not charged (acquirer's documentation, payment error codes).
    pub(crate) const fn failure(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Declined => Some(("59", "Недостатньо коштів на картці")),
            Self::Refused => Some(("55", "Картку відхилено банком")),
            Self::Blocked => Some(("1419", "Строк дії картки минув")),
            Self::OverLimit => Some(("61", "Перевищено ліміт картки")),
            Self::AcquirerFails => Some(("54", "Технічна помилка")),
            Self::TooLate => Some(("8001", "Час на оплату минув")),
            Self::Pays | Self::ThreeDSecure | Self::Slow => None,
        }
    }
}

/// A card as it is stored: its mask and its behaviour, never its number.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Card {
    pub(crate) masked_pan: String,
    pub(crate) payment_system: String,
    pub(crate) behaviour: Behaviour,
}

impl fmt::Debug for Card {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Card({:?})", self.behaviour)
    }
}

/// A card in a wallet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedCard {
    pub(crate) token: String,
    pub(crate) wallet_id: String,
    pub(crate) card: Card,
    pub(crate) saved_at: Timestamp,
}

/// Why a card number is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CardError {
    /// Nothing was given.
    #[error("the card number is missing")]
    Missing,
    /// Not 13 to 19 digits with a right check digit.
    #[error("the card number is wrong")]
    Wrong,
}

/// A card number with a special behaviour.
pub(crate) struct TestCard {
    pub(crate) number: &'static str,
    pub(crate) behaviour: Behaviour,
}

impl TestCard {
    /// All test cards, as the pages list them.
    pub(crate) const ALL: [Self; 9] = [
        Self {
            number: "4242424242424242",
            behaviour: Behaviour::Pays,
        },
        Self {
            number: "4000000000000002",
            behaviour: Behaviour::Declined,
        },
        Self {
            number: "4100000000000019",
            behaviour: Behaviour::Refused,
        },
        Self {
            number: "4000000000000069",
            behaviour: Behaviour::Blocked,
        },
        Self {
            number: "4000000000006975",
            behaviour: Behaviour::OverLimit,
        },
        Self {
            number: "4000000000000119",
            behaviour: Behaviour::AcquirerFails,
        },
        Self {
            number: "4000000000000127",
            behaviour: Behaviour::TooLate,
        },
        Self {
            number: "4000000000003063",
            behaviour: Behaviour::ThreeDSecure,
        },
        Self {
            number: "4000000000000259",
            behaviour: Behaviour::Slow,
        },
    ];
}

impl Card {
    /// Reads a card number, which may contain spaces and hyphens, and keeps only its mask.
    pub(crate) fn parse(text: &str) -> Result<Self, CardError> {
        let digits: String = text
            .chars()
            .filter(|char| !char.is_whitespace() && *char != '-')
            .collect();
        if digits.is_empty() {
            return Err(CardError::Missing);
        }
        let fits = (13..=19).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && cabinet_domain::luhn_fits(&digits);
        if !fits {
            return Err(CardError::Wrong);
        }
        let known = TestCard::ALL.iter().find(|known| known.number == digits);
        let payment_system = match digits.as_bytes() {
            [b'4', ..] => "visa",
            [b'5' | b'2', ..] => "mastercard",
            _ => "other",
        };
        let hidden = "*".repeat(digits.len() - 10);
        Ok(Self {
            masked_pan: format!("{}{hidden}{}", &digits[..6], &digits[digits.len() - 4..]),
            payment_system: payment_system.to_owned(),
            behaviour: known.map_or(Behaviour::Pays, |known| known.behaviour),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_numbers_bring_chosen_outcomes() {
        for (number, behaviour) in [
            ("4242424242424242", Behaviour::Pays),
            ("4242 4242 4242 4242", Behaviour::Pays),
            ("4000-0000-0000-0002", Behaviour::Declined),
            ("4100000000000019", Behaviour::Refused),
            ("4000000000000069", Behaviour::Blocked),
            ("4000000000006975", Behaviour::OverLimit),
            ("4000000000000119", Behaviour::AcquirerFails),
            ("4000000000000127", Behaviour::TooLate),
            ("4000000000003063", Behaviour::ThreeDSecure),
            ("4000000000000259", Behaviour::Slow),
            ("5555555555554444", Behaviour::Pays),
        ] {
            assert_eq!(
                Card::parse(number).unwrap().behaviour,
                behaviour,
                "{number}"
            );
        }
    }

    #[test]
    fn only_the_mask_is_kept() {
        let card = Card::parse("5555 5555 5555 4444").unwrap();
        assert_eq!(card.masked_pan, "555555******4444");
        assert_eq!(card.payment_system, "mastercard");
        assert!(!serde_json::to_string(&card).unwrap().contains("55555555"));
    }

    #[test]
    fn wrong_numbers_are_refused() {
        assert_eq!(Card::parse(" "), Err(CardError::Missing));
        for number in [
            "4242424242424241",
            "42424242",
            "4242x24242424242",
            "42424242424242424242",
            "４２４２",
        ] {
            assert_eq!(Card::parse(number), Err(CardError::Wrong), "{number}");
        }
    }
}
