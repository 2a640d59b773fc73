//! Comparing an entry of the acquirer's statement with what is known here.

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
    pub reference: Option<AttemptId>,
    /// What was charged.
    pub amount: Money,
    /// Whether that is in hryvnias.
    pub is_hryvnia: bool,
    /// What was given back of it.
    pub refunded: Money,
}

/// What a comparison finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonFinding {
    /// It is known here as it stands there.
    Agrees,
    /// It is not known here, or not all of it: the acquirer is asked for the invoice's state, which is settled.
    Ask,
    /// The sum or currency is not ours.
    Differs(AttemptId),
    /// No order answers for it.
    Unknown,
}

/// Compares a charge with the order it belongs to, if there is one.
#[must_use]
pub fn compare(case: Option<&Case>, line: &StatementLine) -> ComparisonFinding {
    let Some(case) = case else {
        return ComparisonFinding::Unknown;
    };
    let known = case
        .attempts
        .iter()
        .find(|attempt| attempt.invoice_id.as_ref() == Some(&line.invoice_id));
    let Some(known) = known else {
        let is_of_order = line.reference.is_some_and(|reference| {
            let mut attempts = case.attempts.iter();
            reference.names(case.order.id) || attempts.any(|own| own.reference == reference)
        });
        return if is_of_order {
            ComparisonFinding::Ask
        } else {
            ComparisonFinding::Unknown
        };
    };
    if known.amount != line.amount || !line.is_hryvnia {
        return ComparisonFinding::Differs(known.id);
    }
    let is_refund_known = if line.refunded >= line.amount {
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
    /// Charges that are known here as they stand there.
    pub agreeing: i64,
    /// Charges or refunds that became known by it.
    pub made_good: i64,
    /// Charges that no order answers for.
    pub unknown: i64,
    /// Charges of another sum or currency than ours.
    pub different: i64,
    /// Payments here that are not on the statement.
    pub lacking: i64,
}
