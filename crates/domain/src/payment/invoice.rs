//! What the acquirer says about an invoice.

use std::fmt;

use jiff::Timestamp;

use super::{AcquirerName, RefundNews};
use crate::{AttemptId, MaskedPan, Money, names_payment_card};

/// Longest identifier of an invoice, in characters.
const INVOICE_ID_CHARS_MAX: usize = 128;

/// The acquirer's id of an invoice or of a payment by a saved card.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvoiceId(String);

impl InvoiceId {
    /// Parses 1 to 128 visible ASCII characters; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = !text.is_empty()
            && text.len() <= INVOICE_ID_CHARS_MAX
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// Returns the text, as sent over the wire and stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for InvoiceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The status of an invoice at the acquirer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InvoiceStatus {
    /// Made, and nobody has paid yet.
    Created,
    /// A payment is on its way; it can still end either way.
    Processing,
    /// The sum is blocked on the card but not yet taken.
    Hold,
    /// Paid.
    Success,
    /// The last card was declined. The payer can try another one on the same page, so success may follow.
    Failure,
    /// Paid and given back in full.
    Reversed,
    /// Its time is over, or it was removed.
    Expired,
    /// A status that this program does not know. It proves nothing.
    Other(String),
}

impl InvoiceStatus {
    /// Longest unknown word that is kept, in characters.
    const OTHER_CHARS_MAX: usize = 40;

    /// Parses the acquirer's word. A word that holds a full card number is not kept.
    #[must_use]
    pub fn from_wire(word: &str) -> Self {
        match word {
            "created" => Self::Created,
            "processing" => Self::Processing,
            "hold" => Self::Hold,
            "success" => Self::Success,
            "failure" => Self::Failure,
            "reversed" => Self::Reversed,
            "expired" => Self::Expired,
            other => {
                let word: String = other.chars().take(Self::OTHER_CHARS_MAX).collect();
                Self::Other(if names_payment_card(&word) {
                    String::new()
                } else {
                    word
                })
            }
        }
    }

    /// Returns the acquirer's word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Created => "created",
            Self::Processing => "processing",
            Self::Hold => "hold",
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Reversed => "reversed",
            Self::Expired => "expired",
            Self::Other(word) => word,
        }
    }

    /// Returns how final a status is. The acquirer's dates have whole seconds, so two states can have the same date;
    /// the one with the higher number then wins.
    #[must_use]
    pub const fn finality(&self) -> u8 {
        match self {
            Self::Other(_) => 0,
            Self::Created => 1,
            Self::Processing => 2,
            Self::Hold => 3,
            Self::Failure | Self::Expired => 4,
            Self::Success => 5,
            Self::Reversed => 6,
        }
    }
}

/// The card details that receipts show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardDetails {
    /// The card as the acquirer masks it; `None` where the text is no mask.
    pub masked_pan: Option<MaskedPan>,
    /// `visa`, `mastercard` and so on.
    pub payment_system: Option<String>,
    /// Authorisation code of the issuing bank.
    pub approval_code: Option<String>,
    /// Retrieval reference number of the card scheme.
    pub rrn: Option<String>,
}

/// The state of an invoice, from a report, an answer or the statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvoiceNews {
    /// Who says so.
    pub acquirer: AcquirerName,
    /// The invoice.
    pub invoice_id: InvoiceId,
    /// Our reference, where the acquirer names one of ours.
    pub payment_reference: Option<AttemptId>,
    /// The status.
    pub status: InvoiceStatus,
    /// The sum it was made for.
    pub amount: Money,
    /// Whether that sum is in hryvnias.
    pub is_hryvnia: bool,
    /// What was given back so far.
    pub refunded: Money,
    /// Its refunds, one by one, where the acquirer lists them.
    pub refunds: Vec<RefundNews>,
    /// When it changed last, by the acquirer's clock, in whole seconds.
    pub modified_at: Option<Timestamp>,
    /// When the invoice was made, by the acquirer's clock.
    pub created_at: Option<Timestamp>,
    /// The latest moment at which the state was certainly valid, by the acquirer's clock: the moment of an answer, or
    /// the change named by a report, which may be late.
    pub as_of: Option<Timestamp>,
    /// How it was paid.
    pub card: CardDetails,
    /// What the acquirer keeps of the charge, where it says so. It decides nothing; the operator's accounts show it.
    pub acquirer_fee: Option<Money>,
    /// Why the last card was declined: the acquirer's code.
    pub failure_code: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_refuse_what_could_break_an_address_or_a_header() {
        assert_eq!(
            InvoiceId::parse("p2_9ZgpZVsl3").unwrap().as_str(),
            "p2_9ZgpZVsl3"
        );
        for bad in ["", "a b", "a\nb", "інвойс", &"x".repeat(129)] {
            assert!(InvoiceId::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn every_known_word_is_read_back_and_an_unknown_one_concludes_nothing() {
        for word in [
            "created",
            "processing",
            "hold",
            "success",
            "failure",
            "reversed",
            "expired",
        ] {
            let status = InvoiceStatus::from_wire(word);
            assert!(!matches!(status, InvoiceStatus::Other(_)));
            assert_eq!(status.as_str(), word);
        }
        let unknown = InvoiceStatus::from_wire("frozen");
        assert_eq!(unknown, InvoiceStatus::Other("frozen".to_owned()));
        assert!(unknown.finality() < InvoiceStatus::Created.finality());
    }

    #[test]
    fn success_outranks_what_can_come_before_it_in_the_same_second() {
        for earlier in [
            InvoiceStatus::Created,
            InvoiceStatus::Processing,
            InvoiceStatus::Failure,
            InvoiceStatus::Hold,
        ] {
            assert!(earlier.finality() < InvoiceStatus::Success.finality());
        }
        assert!(InvoiceStatus::Success.finality() < InvoiceStatus::Reversed.finality());
    }
}
