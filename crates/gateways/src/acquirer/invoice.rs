//! The state of an invoice, told alike by a status answer and by a report.

use cabinet_domain::Money;
use jiff::Timestamp;

pub use cabinet_domain::payment::InvoiceStatus;

use super::identifiers::{CardToken, InvoiceId, MaskedPan, PaymentReference, WalletId};

/// Why a payment was declined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// The acquirer's code (`59`: not enough money).
    pub code: Option<String>,
    /// The acquirer's words; for people who look after the service, not for the payer.
    pub text: Option<String>,
}

/// How an invoice was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentDetails {
    /// The card, masked.
    pub masked_pan: MaskedPan,
    /// `visa`, `mastercard` and so on.
    pub payment_system: Option<String>,
    /// Authorisation code of the issuing bank.
    pub approval_code: Option<String>,
    /// Retrieval reference number of the card scheme.
    pub rrn: Option<String>,
}

/// Where the making of a card token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenStatus {
    /// Asked for; the token cannot be used yet.
    New,
    /// The token can be used.
    Created,
    /// There will be no token.
    Failed,
    /// A word this adapter does not know.
    Other,
}

/// The card that was saved by a payment.
#[derive(Clone, Debug)]
pub struct SavedCardDetails {
    /// The wallet the card went into.
    pub wallet: WalletId,
    /// The card's token.
    pub token: CardToken,
    /// Whether the token can be used.
    pub status: TokenStatus,
}

/// One refund of an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// `processing`, `success` or `failure`.
    pub status: String,
    /// The sum given back, where the acquirer names it.
    pub amount: Option<Money>,
    /// Our name of the refund, where it had one.
    pub reference: Option<String>,
}

/// What the acquirer says about an invoice.
#[derive(Clone, Debug)]
pub struct InvoiceState {
    /// The invoice.
    pub invoice_id: InvoiceId,
    /// Where it stands.
    pub status: InvoiceStatus,
    /// The sum it was made for. Must equal ours before anything is called paid.
    pub amount: Money,
    /// ISO 4217 number; must be [`super::HRYVNIA`] before anything is called paid.
    pub currency: u16,
    /// What remains charged after refunds; not told before a payment.
    pub final_amount: Option<Money>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// When it changed last, whole seconds. Reports can come in any order: the later date holds.
    pub modified_at: Option<Timestamp>,
    /// Our reference, as it was given.
    pub reference: Option<PaymentReference>,
    /// Why the last attempt was declined.
    pub failure: Option<Failure>,
    /// How it was paid.
    pub payment: Option<PaymentDetails>,
    /// The card that was saved by it.
    pub wallet: Option<SavedCardDetails>,
    /// Its refunds.
    pub refunds: Vec<Refund>,
}
