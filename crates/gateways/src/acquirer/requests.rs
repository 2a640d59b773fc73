//! Requests to the acquirer and their answers.

use std::collections::BTreeMap;

use cabinet_domain::{Count, MaskedPan, Money, NotaryId};
use jiff::Timestamp;
use serde_json::Value;

use super::identifiers::{CardToken, InvoiceId, PaymentReference, RefundReference, WalletId};
use super::invoice::{Failure, InvoiceStatus};

/// Whether an invoice takes money or only saves a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvoiceKind {
    /// Charges the sum at once. Its page saves no card: whoever has the link may pay there.
    Debit,
    /// Charges nothing and saves the card in this wallet. The sum must be zero.
    SaveCard(WalletId),
}

/// What the acquirer keeps with a payment and shows in its statement, so that the payment can be attributed where the database has lost
/// its order. No personal data: the number and the id mean something to this cabinet alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaymentMarks {
    /// The number of the order.
    pub order_number: i64,
    /// The account of the notary.
    pub notary: NotaryId,
}

const ORDER_NUMBER: &str = "order_number";
const NOTARY: &str = "notary";

impl PaymentMarks {
    /// Returns them by name, as acquirers keep them.
    pub(crate) fn fields(self) -> [(&'static str, String); 2] {
        [
            (ORDER_NUMBER, self.order_number.to_string()),
            (NOTARY, self.notary.to_string()),
        ]
    }

    /// Reads them by name. Anything else counts as absent: another program may use the same contract.
    pub(crate) fn read(fields: &BTreeMap<String, Value>) -> Option<Self> {
        let text = |name| fields.get(name).and_then(Value::as_str);
        let number: i64 = text(ORDER_NUMBER)?.parse().ok()?;
        Some(Self {
            order_number: Some(number).filter(|number| *number > 0)?,
            notary: NotaryId::parse(text(NOTARY)?)?,
        })
    }
}

/// One line of an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvoiceLine {
    /// What is paid for.
    pub name: String,
    /// Our code of the service.
    pub code: String,
    /// The number of units.
    pub quantity: Count,
    /// The sum of one unit.
    pub unit_amount: Money,
    /// The registered receiver of this line, if the acquirer splits the payment.
    pub split_receiver: Option<String>,
}

/// A request for an invoice.
#[derive(Clone, Debug)]
pub struct InvoiceRequest {
    /// Our reference of the attempt.
    pub payment_reference: PaymentReference,
    /// The whole sum.
    pub amount: Money,
    /// The purpose that the payer sees. It is cut after 280 characters.
    pub destination: String,
    /// The address that the browser returns to, after success and failure.
    pub redirect_url: String,
    /// The address that reports are sent to.
    pub report_url: String,
    /// The present time, by the acquirer's clock where that is known.
    pub asked_at: Timestamp,
    /// How long the invoice can be paid, in seconds.
    pub validity_seconds: u32,
    /// What is paid for. Either empty, or the lines add up to `amount`.
    pub lines: Vec<InvoiceLine>,
    /// Whether the card is charged or only saved.
    pub kind: InvoiceKind,
    /// Whether the page is shown in a frame.
    pub in_frame: bool,
    /// What it is paid for, for the statement. A card check has none.
    pub marks: Option<PaymentMarks>,
}

/// A new invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoice {
    /// Its id.
    pub id: InvoiceId,
    /// The page where it is paid.
    pub page_url: String,
}

/// A request to give money back to the card.
#[derive(Clone, Debug)]
pub struct RefundRequest {
    /// The paid invoice.
    pub invoice: InvoiceId,
    /// Our reference of the refund.
    pub refund_reference: RefundReference,
    /// The sum.
    pub amount: Money,
}

/// The answer to a refund. Its end is told by the state of the invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundAnswer {
    /// The acquirer took the request.
    Accepted,
    /// It will not be carried out.
    Failed,
}

/// A saved card.
#[derive(Clone, Debug)]
pub struct SavedCard {
    /// Its token.
    pub token: CardToken,
    /// Its mask; `None` if the acquirer names none.
    pub masked_pan: Option<MaskedPan>,
}

impl SavedCard {
    /// Returns the mask, or an empty text if the acquirer names none.
    pub fn mask(&self) -> &str {
        self.masked_pan.as_ref().map_or("", MaskedPan::as_str)
    }
}

/// A request to charge a saved card while its holder is present.
#[derive(Clone, Debug)]
pub struct SavedCardPayment {
    /// Our reference of the attempt.
    pub payment_reference: PaymentReference,
    /// The whole sum.
    pub amount: Money,
    /// The purpose that the payer sees. It is cut after 280 characters.
    pub destination: String,
    /// The card.
    pub token: CardToken,
    /// The address that the browser returns to after 3-D Secure.
    pub redirect_url: String,
    /// The address that reports are sent to.
    pub report_url: String,
    /// What is paid for. Either empty, or the lines add up to `amount`.
    pub lines: Vec<InvoiceLine>,
    /// What it is paid for, for the statement.
    pub marks: Option<PaymentMarks>,
}

/// The answer to a payment by a saved card.
#[derive(Clone, Debug)]
pub struct PaymentAnswer {
    /// The invoice of the payment.
    pub invoice_id: InvoiceId,
    /// Its status: processing, success or failure.
    pub status: InvoiceStatus,
    /// The bank's page where the holder confirms the payment. Only while it is processing.
    pub three_d_secure_url: Option<String>,
    /// Why it was declined.
    pub failure: Option<Failure>,
    /// The charged sum.
    pub amount: Money,
    /// ISO 4217 number.
    pub currency: u16,
    /// When it changed last, in whole seconds.
    pub modified_at: Option<Timestamp>,
}

/// Returns whether the lines add up to a sum. No lines always do.
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
