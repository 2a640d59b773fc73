//! Card payments: what the cabinet asks of an acquirer, and what it may be told.
//!
//! The four errors of [`AcquirerError`] are the heart of this module: after each of them the caller must know
//! whether money can have moved.

mod identifiers;
mod invoice;
mod requests;
mod statement;

pub use identifiers::{CardToken, InvoiceId, MaskedPan, PaymentReference, WalletId};
pub use invoice::{
    Failure, InvoiceState, InvoiceStatus, PaymentDetails, Refund, SavedCardDetails, TokenStatus,
};
pub(crate) use requests::lines_add_up;
pub use requests::{
    Invoice, InvoiceKind, InvoiceLine, InvoiceRequest, PaymentAnswer, SavedCard, SavedCardPayment,
};
pub use statement::{Statement, StatementItem};

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

/// ISO 4217 number of the hryvnia, the only currency the cabinet charges.
pub const HRYVNIA: u16 = 980;

/// Why an acquirer did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AcquirerError {
    /// A definite no: nothing happened, and the same request would be refused again.
    #[error("the acquirer refused: {code}")]
    Refused {
        /// The acquirer's own code (`TOKEN_NOT_FOUND`, say), or `HTTP_404` where its answer named none.
        code: String,
    },
    /// The request may have been carried out: a time-out, a connection cut after sending, a 5xx or an answer that
    /// cannot be read. Ask by reference before anything is repeated.
    #[error("the acquirer's answer is unknown")]
    Unknown,
    /// The request never left: no connection could be made, or the circuit breaker is open. Nothing happened, and
    /// the request may be repeated.
    #[error("the acquirer cannot be reached")]
    Unavailable,
    /// Refused because of too many requests. Nothing happened; it may be repeated later.
    #[error("the acquirer asks for fewer requests")]
    TooMany {
        /// How long the acquirer asked to wait, where it said so.
        retry_after: Option<Duration>,
    },
}

impl AcquirerError {
    /// Whether the acquirer itself says that it does not know an invoice: by a code of its own, not by a bare HTTP 404.
    pub fn is_unknown_invoice(&self) -> bool {
        matches!(self, AcquirerError::Refused { code } if matches!(code.as_str(), "NOT_FOUND" | "1004"))
    }

    /// Whether the acquirer says that it knows no such thing, an invoice say.
    pub fn is_not_found(&self) -> bool {
        matches!(self, AcquirerError::Refused { code } if matches!(code.as_str(), "NOT_FOUND" | "1004" | "HTTP_404"))
    }

    /// Whether the acquirer says that it has no card under a token.
    pub fn is_unknown_card(&self) -> bool {
        self.is_not_found()
            || matches!(self, AcquirerError::Refused { code } if code == "TOKEN_NOT_FOUND")
    }
}

/// Why a report (webhook) was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// There is no signature, or it does not fit the body. Such a report is never answered with 200.
    #[error("the report's signature is missing or wrong")]
    BadSignature,
    /// The acquirer's key could not be read, so nothing is known about the report; it should be sent again.
    #[error("the acquirer's key cannot be read")]
    KeyUnavailable,
    /// Signed by the acquirer, but not in a form that is understood; the state must be asked for instead.
    #[error("the report is signed but cannot be read")]
    Unreadable,
}

/// An acquirer of card payments.
///
/// None of these calls repeats itself, and none may be made while a database transaction is open.
#[async_trait]
pub trait Acquirer: Send + Sync {
    /// The acquirer's own time now, as far as an answer has told it. Our clock may be wrong by hours, and charges carry the
    /// acquirer's times.
    fn time(&self) -> Option<Timestamp> {
        None
    }

    /// Makes an invoice and answers with the page where it is paid. There is no idempotency at the acquirer: after
    /// [`AcquirerError::Unknown`] an invoice nobody has the address of may exist, and lapses by itself.
    async fn create_invoice(&self, request: &InvoiceRequest) -> Result<Invoice, AcquirerError>;

    /// The state of an invoice now.
    async fn invoice_status(&self, invoice: &InvoiceId) -> Result<InvoiceState, AcquirerError>;

    /// Makes an unpaid invoice unpayable. Refused with `INVOICE_ALREADY_USED` or `ORDER_IN_PROGRESS` when somebody
    /// has paid or is paying it.
    async fn remove_invoice(&self, invoice: &InvoiceId) -> Result<(), AcquirerError>;

    /// The cards saved in a wallet; empty for a wallet the acquirer has never seen.
    async fn saved_cards(&self, wallet: &WalletId) -> Result<Vec<SavedCard>, AcquirerError>;

    /// Forgets a saved card.
    async fn delete_card(&self, token: &CardToken) -> Result<(), AcquirerError>;

    /// Charges a saved card while its holder is present. A declined card is an answer with
    /// [`InvoiceStatus::Failure`], not an error.
    async fn pay_with_saved_card(
        &self,
        request: &SavedCardPayment,
    ) -> Result<PaymentAnswer, AcquirerError>;

    /// Everything somebody has tried to pay in a period, newest first.
    async fn statement(
        &self,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Statement, AcquirerError>;

    /// The payments under one of our references in a period, newest first: how a lost answer is recovered. An
    /// invoice that nobody has tried to pay is in no statement, so an empty list means that no money moved.
    async fn find_by_reference(
        &self,
        reference: &PaymentReference,
        since: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<StatementItem>, AcquirerError> {
        let statement = self.statement(since, until).await?;
        let found: Vec<StatementItem> = statement
            .items
            .into_iter()
            .filter(|item| item.reference.as_ref() == Some(reference))
            .collect();
        // An entry that could not be read may be the one that is looked for.
        if found.is_empty() && statement.unreadable > 0 {
            Err(AcquirerError::Unknown)
        } else {
            Ok(found)
        }
    }

    /// Checks the signature of a report over its raw bytes and reads it.
    ///
    /// `signature` is the value of the header that carries it (`X-Sign` at monobank), where there is one.
    async fn verify_report(
        &self,
        signature: Option<&str>,
        body: &[u8],
    ) -> Result<InvoiceState, ReportError>;
}
