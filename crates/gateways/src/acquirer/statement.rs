//! The acquirer's statement: all attempts to pay in a period.

use cabinet_domain::Money;
use jiff::Timestamp;

use super::identifiers::{InvoiceId, PaymentReference};
use super::invoice::InvoiceStatus;
use super::requests::PaymentMarks;

/// One payment of a statement.
#[derive(Clone, Debug)]
pub struct StatementItem {
    /// The invoice.
    pub invoice_id: InvoiceId,
    /// `hold`, `processing`, `success` or `failure`.
    pub status: InvoiceStatus,
    /// When it was paid.
    pub date: Timestamp,
    /// The sum.
    pub amount: Money,
    /// ISO 4217 number.
    pub currency: u16,
    /// Our reference.
    pub payment_reference: Option<PaymentReference>,
    /// The refunded sums.
    pub refunded: Vec<Money>,
    /// What was sent with the payment, where it can be read.
    pub marks: Option<PaymentMarks>,
}

/// A statement.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    /// The payments, newest first.
    pub items: Vec<StatementItem>,
    /// How many entries could not be read. If there are any, the statement cannot prove that a payment is missing.
    pub unreadable: u32,
}
