//! Card payments: the interface of an acquirer.
//!
//! The four errors of [`AcquirerError`] tell the caller whether money can have moved.

mod cards;
mod identifiers;
mod invoice;
mod requests;
mod several;
mod statement;
mod tolerant;

pub use cabinet_domain::payment::AcquirerName;
pub use cards::CardKeeper;
pub use identifiers::{CardToken, InvoiceId, PaymentReference, RefundReference, WalletId};
pub use invoice::{
    Failure, InvoiceState, InvoiceStatus, PaymentDetails, Refund, SavedCardDetails, TokenStatus,
};
pub(crate) use requests::lines_add_up;
pub use requests::{
    Invoice, InvoiceKind, InvoiceLine, InvoiceRequest, PaymentAnswer, PaymentMarks, RefundAnswer,
    RefundRequest, SavedCard, SavedCardPayment,
};
pub use several::{AcquirerOrderError, Acquirers};
pub use statement::{Statement, StatementItem, Statements};
pub(crate) use tolerant::{error_code, lenient, short, text};

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

/// ISO 4217 number of the hryvnia, the only currency the cabinet charges.
pub const HRYVNIA: u16 = 980;

/// Why a call to the acquirer failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AcquirerError {
    /// A definite refusal: nothing happened, and the same request would be refused again.
    #[error("the acquirer refused: {code}")]
    Refused {
        /// The acquirer's code (`TOKEN_NOT_FOUND`), or the HTTP status (`HTTP_404`) if the answer has no code.
        code: String,
    },
    /// The request may have been carried out: a time-out, a connection broken after sending, a 5xx or an unreadable answer. Look
    /// for it by its reference before repeating it.
    #[error("the acquirer's answer is unknown")]
    Unknown,
    /// The request was not sent: there was no connection, or the circuit breaker is open. It may be repeated.
    #[error("the acquirer cannot be reached")]
    Unavailable,
    /// Too many requests. Nothing happened. The request may be repeated later.
    #[error("the acquirer asks for fewer requests")]
    TooMany {
        /// How long to wait, if the acquirer said so.
        retry_after: Option<Duration>,
    },
}

impl AcquirerError {
    /// Returns whether the acquirer's own code says that what was asked for is unknown. A bare HTTP 404 does not count: a proxy in
    /// front of the acquirer may have sent it.
    pub fn is_unknown(&self) -> bool {
        matches!(self, AcquirerError::Refused { code } if matches!(code.as_str(), "NOT_FOUND" | "1004" | "payment_not_found"))
    }

    /// Returns whether the answer was a bare HTTP 404.
    pub fn is_bare_not_found(&self) -> bool {
        matches!(self, AcquirerError::Refused { code } if code == "HTTP_404")
    }

    /// Returns whether the acquirer says that the card's token is unknown.
    pub fn is_unknown_card(&self) -> bool {
        self.is_unknown()
            || matches!(self, AcquirerError::Refused { code } if code == "TOKEN_NOT_FOUND")
    }
}

/// Why a report (webhook) was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The signature is missing or wrong. Such a report is never answered with 200.
    #[error("the report's signature is missing or wrong")]
    BadSignature,
    /// The acquirer's key could not be read, so the signature could not be checked. The report should be sent again.
    #[error("the acquirer's key cannot be read")]
    KeyUnavailable,
    /// The signature is right, but the report cannot be read. Ask for the state instead.
    #[error("the report is signed but cannot be read")]
    Unreadable,
}

/// An acquirer of card payments.
///
/// No call is retried by the adapter. No call may be made while a database transaction is open.
#[async_trait]
pub trait Acquirer: Send + Sync {
    /// Returns which acquirer it is.
    fn name(&self) -> AcquirerName;

    /// Returns the acquirer's present time, once an answer has contained it. Charges have the acquirer's times, and our clock may
    /// be wrong.
    fn time(&self) -> Option<Timestamp> {
        None
    }

    /// Creates an invoice and returns its payment page. The call is not idempotent: after [`AcquirerError::Unknown`] there may be
    /// an invoice whose address nobody knows. It expires unpaid.
    ///
    /// LiqPay is sent nothing: its page is an address that we sign.
    async fn create_invoice(&self, request: &InvoiceRequest) -> Result<Invoice, AcquirerError>;

    /// Returns the present state of an invoice.
    async fn invoice_status(&self, invoice: &InvoiceId) -> Result<InvoiceState, AcquirerError>;

    /// Removes an unpaid invoice, so that it can't be paid any more. monobank refuses with `INVOICE_ALREADY_USED` if it is paid
    /// and with `ORDER_IN_PROGRESS` if it is being paid. LiqPay closes no page before its time is over.
    async fn remove_invoice(&self, invoice: &InvoiceId) -> Result<(), AcquirerError>;

    /// Gives a sum of a paid invoice back to the card. Nobody promises that a reference is taken once only, so the same request must not be
    /// sent twice: after [`AcquirerError::Unknown`] the state of the invoice tells whether it has a refund under the reference.
    async fn refund(&self, request: &RefundRequest) -> Result<RefundAnswer, AcquirerError>;

    /// Returns the invoices under one of our references that somebody has tried to pay in a period. This recovers a lost answer: without any,
    /// no money moved.
    async fn find_by_payment_reference(
        &self,
        payment_reference: &PaymentReference,
        since: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<InvoiceId>, AcquirerError>;

    /// Checks the signature of a report over its raw bytes and reads it.
    ///
    /// `signature` is the value of its header (`X-Sign` at monobank), if there is one. LiqPay's stands in the body.
    async fn verify_report(
        &self,
        signature: Option<&str>,
        body: &[u8],
    ) -> Result<InvoiceState, ReportError>;
}
