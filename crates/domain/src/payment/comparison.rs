//! Compares an entry of the acquirer's statement with our data.

use jiff::Timestamp;
use jiff::civil::Date;

use super::{Case, InvoiceId};
use crate::{AttemptId, Money};

/// A charge on the acquirer's statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementLine {
    /// The invoice.
    pub invoice_id: InvoiceId,
    /// Our reference, where it is one of ours.
    pub payment_reference: Option<AttemptId>,
    /// What was charged.
    pub amount: Money,
    /// Whether that is in hryvnias.
    pub is_hryvnia: bool,
    /// What was given back of it.
    pub refunded: Money,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonFinding {
    /// Our data agree with it.
    Agrees,
    /// Our data lack it, or a part of it: the acquirer is asked for the state of the invoice, which is then settled.
    Ask,
    /// The sum or currency is not ours.
    Differs(AttemptId),
    /// It belongs to no order.
    Unknown,
}

/// Compares a charge with the order it belongs to, if there is one.
#[must_use]
pub fn compare(case: Option<&Case>, line: &StatementLine) -> ComparisonFinding {
    let is_all_back = line.refunded >= line.amount;
    let Some(case) = case else {
        // What went back to the card is owed to nobody.
        return if is_all_back {
            ComparisonFinding::Agrees
        } else {
            ComparisonFinding::Unknown
        };
    };
    let known = case
        .attempts
        .iter()
        .find(|attempt| attempt.invoice_id.as_ref() == Some(&line.invoice_id));
    let Some(known) = known else {
        let is_of_order = line.payment_reference.is_some_and(|payment_reference| {
            let mut attempts = case.attempts.iter();
            payment_reference.names(case.order.id)
                || attempts.any(|own| own.payment_reference == payment_reference)
        });
        return if is_of_order {
            ComparisonFinding::Ask
        } else {
            ComparisonFinding::Unknown
        };
    };
    let is_same = known.amount == line.amount && line.is_hryvnia;
    let is_over = is_all_back && known.reversed_at.is_some();
    if !is_same && !is_over {
        return ComparisonFinding::Differs(known.id);
    }
    let is_refund_known = if is_all_back {
        known.reversed_at.is_some()
    } else {
        known.refunded >= line.refunded
    };
    let is_known = known.charged_at.is_some() || known.reversed_at.is_some();
    if is_known && is_refund_known {
        ComparisonFinding::Agrees
    } else {
        ComparisonFinding::Ask
    }
}

/// A day of the acquirer's statement that was compared with the attempts here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementDay {
    /// The day, UTC.
    pub day: Date,
    /// When it was compared.
    pub compared_at: Timestamp,
    /// Which process compared it.
    pub compared_by: String,
    /// Charges that agree with our data.
    pub agreeing: i64,
    /// Charges or refunds that became known by it.
    pub made_good: i64,
    /// Charges that belong to no order.
    pub unknown: i64,
    /// Charges of another sum or currency than ours.
    pub different: i64,
    /// Payments here that are not on the statement.
    pub lacking: i64,
}
