//! The state of an invoice, as status answers and reports contain it.

use cabinet_domain::{MaskedPan, Money};
use jiff::Timestamp;

pub use cabinet_domain::payment::InvoiceStatus;

use super::identifiers::{CardToken, InvoiceId, PaymentReference, WalletId};

/// Why a payment was declined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// The acquirer's code (`59`: not enough money).
    pub code: Option<String>,
    /// The acquirer's text, for the operator, not for the payer.
    pub text: Option<String>,
}

/// The card operation that paid an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentDetails {
    /// The card, masked; `None` if the acquirer names no mask.
    pub masked_pan: Option<MaskedPan>,
    /// `visa`, `mastercard` and so on.
    pub payment_system: Option<String>,
    /// Authorisation code of the issuing bank.
    pub approval_code: Option<String>,
    /// Retrieval reference number of the card scheme.
    pub rrn: Option<String>,
    /// What the acquirer keeps of the charge, where it says so.
    pub fee: Option<Money>,
}

/// The status of a card token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenStatus {
    /// The token cannot be used yet.
    New,
    /// The token can be used.
    Created,
    /// There will be no token.
    Failed,
    /// A status that the adapter does not know.
    Other,
}

/// A card saved by a payment.
#[derive(Clone, Debug)]
pub struct SavedCardDetails {
    /// The wallet of the card.
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
    /// The refunded sum, if the acquirer names it.
    pub amount: Option<Money>,
    /// Our reference of the refund, if it has one.
    pub refund_reference: Option<String>,
}

/// The state of an invoice at the acquirer.
#[derive(Clone, Debug)]
pub struct InvoiceState {
    /// The invoice.
    pub invoice_id: InvoiceId,
    /// Its status.
    pub status: InvoiceStatus,
    /// Its sum. A payment counts only if this equals our sum.
    pub amount: Money,
    /// ISO 4217 number. A payment counts only if this is [`super::HRYVNIA`].
    pub currency: u16,
    /// The sum charged minus refunds. `None` before a payment.
    pub final_amount: Option<Money>,
    /// When it was created.
    pub created_at: Option<Timestamp>,
    /// When it changed last, in whole seconds. Reports may arrive in any order, so the latest one counts.
    pub modified_at: Option<Timestamp>,
    /// Our reference of the attempt.
    pub payment_reference: Option<PaymentReference>,
    /// Why the last attempt was declined.
    pub failure: Option<Failure>,
    /// The card operation.
    pub payment: Option<PaymentDetails>,
    /// The card saved by it.
    pub wallet: Option<SavedCardDetails>,
    /// Its refunds.
    pub refunds: Vec<Refund>,
}
