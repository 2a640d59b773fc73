//! The acquirer's statement: all attempts to pay in a period.

use async_trait::async_trait;
use cabinet_domain::Money;
use jiff::Timestamp;

use super::identifiers::{InvoiceId, PaymentReference};
use super::invoice::InvoiceStatus;
use super::requests::PaymentMarks;
use super::{Acquirer, AcquirerError};

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

/// An acquirer that gives a statement.
#[async_trait]
pub trait Statements: Acquirer {
    /// Returns all attempts to pay in a period, newest first.
    async fn statement(
        &self,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Statement, AcquirerError>;

    /// Returns the payments of one of our references in a period, newest first. An empty list means that no money moved, because the
    /// statement contains every attempt to pay.
    async fn find_on_statement(
        &self,
        payment_reference: &PaymentReference,
        since: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<StatementItem>, AcquirerError> {
        let statement = self.statement(since, until).await?;
        let found: Vec<StatementItem> = statement
            .items
            .into_iter()
            .filter(|item| item.payment_reference.as_ref() == Some(payment_reference))
            .collect();
        // An unreadable entry may be the wanted one.
        if found.is_empty() && statement.unreadable > 0 {
            Err(AcquirerError::Unknown)
        } else {
            Ok(found)
        }
    }
}
