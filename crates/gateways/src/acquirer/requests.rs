//! What the acquirer is asked for.

use cabinet_domain::{Count, Money};
use jiff::Timestamp;

use super::identifiers::{CardToken, InvoiceId, MaskedPan, PaymentReference, WalletId};
use super::invoice::{Failure, InvoiceStatus};

/// Whether an invoice takes money or only checks a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvoiceKind {
    /// Takes the sum at once.
    Debit,
    /// Takes nothing and saves the card. The sum must be zero and a wallet must be named.
    Verification,
}

/// One line of an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvoiceLine {
    /// What is paid for.
    pub name: String,
    /// Our code of it.
    pub code: String,
    /// How many.
    pub quantity: Count,
    /// The sum for one.
    pub unit_amount: Money,
    /// The registered receiver this line is paid out to, where the acquirer splits the payment.
    pub split_receiver: Option<String>,
}

/// A request for an invoice.
#[derive(Clone, Debug)]
pub struct InvoiceRequest {
    /// Our name of this attempt.
    pub reference: PaymentReference,
    /// The whole sum.
    pub amount: Money,
    /// The purpose the payer sees, at most 280 characters; what is longer is cut.
    pub destination: String,
    /// Where the browser returns after success and failure alike.
    pub redirect_url: String,
    /// Where reports are sent.
    pub report_url: String,
    /// How long the invoice can be paid, in seconds.
    pub validity_seconds: u32,
    /// What is paid for; either empty, or the lines add up to `amount`.
    pub lines: Vec<InvoiceLine>,
    /// The wallet the payer may save the card in.
    pub save_card: Option<WalletId>,
    /// Whether money is taken.
    pub kind: InvoiceKind,
    /// Whether the page will be shown inside a frame.
    pub in_frame: bool,
}

/// An invoice that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoice {
    /// Its id.
    pub id: InvoiceId,
    /// The page where it is paid.
    pub page_url: String,
}

/// A saved card.
#[derive(Clone, Debug)]
pub struct SavedCard {
    /// Its token.
    pub token: CardToken,
    /// Its mask.
    pub masked_pan: MaskedPan,
}

/// A request to charge a saved card while its holder is present.
#[derive(Clone, Debug)]
pub struct SavedCardPayment {
    /// Our name of this attempt.
    pub reference: PaymentReference,
    /// The whole sum.
    pub amount: Money,
    /// The purpose the payer sees, at most 280 characters; what is longer is cut.
    pub destination: String,
    /// The card.
    pub token: CardToken,
    /// Where the browser returns after 3-D Secure.
    pub redirect_url: String,
    /// Where reports are sent.
    pub report_url: String,
    /// What is paid for; either empty, or the lines add up to `amount`.
    pub lines: Vec<InvoiceLine>,
}

/// The answer to a payment by a saved card.
#[derive(Clone, Debug)]
pub struct PaymentAnswer {
    /// The invoice that was made for it.
    pub invoice_id: InvoiceId,
    /// Where it stands: processing, success or failure.
    pub status: InvoiceStatus,
    /// The bank's page where the holder confirms the payment; only while it is processing.
    pub three_d_secure_url: Option<String>,
    /// Why it was declined.
    pub failure: Option<Failure>,
    /// The sum that was charged.
    pub amount: Money,
    /// ISO 4217 number.
    pub currency: u16,
    /// When it changed last, whole seconds.
    pub modified_at: Option<Timestamp>,
}

/// Whether lines add up to a sum: with no lines, always.
pub(crate) fn lines_add_up(lines: &[InvoiceLine], amount: Money) -> bool {
    if lines.is_empty() {
        return true;
    }
    let totals: Result<Vec<Money>, _> = lines
        .iter()
        .map(|line| line.unit_amount.times(line.quantity))
        .collect();
    totals.and_then(Money::sum) == Ok(amount)
}
