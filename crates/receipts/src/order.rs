//! The data of a receipt, collected by the caller.

use cabinet_domain::{
    AfterReturn, BankAnswer, BudgetCode, Count, Iban, ItemId, Money, NotarialAct, OrderId,
    PartRole, PaymentCode, PaymentKind, Percent, TransferStatus, TruncatedPan,
};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::error::ReceiptError;

/// A paid order with everything that its receipts show.
#[derive(Clone)]
pub struct ReceiptOrder {
    /// The order's id, which is part of the file names.
    pub id: OrderId,
    /// The short order number.
    pub number: String,
    /// The notarial act that the payments are for.
    pub act: NotarialAct,
    /// When the order was made.
    pub created_at: Timestamp,
    /// When the card was charged: the date of the payment instructions. Of an order that was paid by QR codes, when it was marked so.
    pub paid_at: Timestamp,
    /// That it was paid by QR codes, past the operator. Then its items have no commission, and their transfers are those that the codes name:
    /// the operator made none.
    pub by_codes: Option<PaidByCodes>,
    /// The notary through whom the client pays. She makes the payments out, and is no party of the transfers.
    pub notary_name: String,
    /// The notary's code, if it is known.
    pub notary_code: Option<String>,
    /// The payment service provider that carries out the instructions, if the operator names one.
    pub provider: Option<Provider>,
    /// What the slip of a transfer is called, where the operator has decided that.
    pub slip_titles: SlipTitles,
    /// The operator of the service, who orders the transfers at the bank and keeps the commission.
    pub operator: Operator,
    /// What the commission receipt says of VAT.
    pub vat: Vat,
    /// The fiscal registration of the commission.
    pub fiscal: Fiscal,
    /// The bank or payment service that charged the card.
    pub acquirer_name: String,
    /// The masked card, if the acquirer names it.
    pub card: Option<TruncatedPan>,
    /// The card's payment system as the acquirer names it, for instance `visa`.
    pub payment_system: Option<String>,
    /// The issuing bank's authorisation code.
    pub authorisation_code: Option<String>,
    /// The retrieval reference number of the card operation.
    pub rrn: Option<String>,
    /// Our reference at the acquirer.
    pub payment_reference: String,
    /// How the receipt can be verified, if there is such a page.
    pub verification: Option<Verification>,
    /// The paid items in the sequence of the order, which numbers the instructions.
    pub items: Vec<ReceiptItem>,
    /// Whether the payment was made in the sandbox. Every page then says that it is no proof of payment.
    pub sandbox: bool,
}

/// That an order was paid by QR codes, as the payer told and the notary marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidByCodes {
    /// The UETR or reference on the payer's own receipt, as told.
    pub reference: Option<String>,
}

/// The operator of the service.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Full name.
    pub name: String,
    /// EDRPOU.
    pub code: String,
    /// The account that the commission goes to.
    pub iban: Iban,
    /// Postal address.
    pub address: String,
}

/// The payment service provider of the payer: a bank, or an institution with the National Bank's authorisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// Legal name.
    pub name: String,
    /// EDRPOU.
    pub code: Option<String>,
    /// The licence or the entry in the National Bank's register, in the provider's words.
    pub authorisation: Option<String>,
}

/// What the slip of a transfer is called in Ukrainian, without its number. `None`: as the product calls it. A paper in English keeps the
/// product's words, because only the Ukrainian title has a meaning in law.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlipTitles {
    /// From the acceptance of the money until a bank confirms the transfer.
    pub accepted: Option<String>,
    /// Once a bank has confirmed the transfer.
    pub confirmed: Option<String>,
}

/// What the commission receipt says of VAT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vat {
    /// Nothing.
    #[default]
    Unstated,
    /// The commission is without VAT.
    Without,
    /// The commission contains VAT of so many percent.
    Included(Percent),
}

impl Vat {
    /// Reads `unstated`, `without`, or a rate from 1 to 99.
    #[must_use]
    pub fn parse(text: &str) -> Option<Vat> {
        match text {
            "unstated" => Some(Vat::Unstated),
            "without" => Some(Vat::Without),
            rate => rate
                .parse()
                .ok()
                .filter(|rate| (1..=99).contains(rate))
                .and_then(Percent::new)
                .map(Vat::Included),
        }
    }

    /// Returns the text that [`Vat::parse`] reads.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Vat::Unstated => "unstated".to_owned(),
            Vat::Without => "without".to_owned(),
            Vat::Included(rate) => rate.get().to_string(),
        }
    }
}

/// The registration of the commission with the tax service. What is not known is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fiscal {
    /// The fiscal number that the tax service gave to the registrar.
    pub fiscal_number: Option<String>,
    /// The number of the software registrar (ПРРО).
    pub prro_number: Option<String>,
    /// The address at which the tax service shows fiscal receipts.
    pub fiscal_qr_url: Option<String>,
}

/// The code of a receipt and the page that verifies it.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The code that a person types, for instance `7KQ2-M4XD`.
    pub code: String,
    /// The address of the page with the code. It is also shown as a QR code.
    pub address: String,
}

/// A paid item.
#[derive(Clone)]
pub struct ReceiptItem {
    /// The item.
    pub id: ItemId,
    /// What kind of payment it is.
    pub kind: PaymentKind,
    /// What is paid for, mostly the name of the chosen option. Empty if the kind is enough.
    pub label: String,
    /// Code of the client, who is the actual payer.
    pub client_code: String,
    /// Name of the client.
    pub client_name: String,
    /// How many units.
    pub count: Count,
    /// The sum of one unit for the recipients (`sum_base`).
    pub amount: Money,
    /// The commission of one unit.
    pub commission: Money,
    /// Sum and commission of all units (`sum_total`).
    pub total: Money,
    /// The transfers of the amount. Their sums are those of all units.
    pub transfers: Vec<ReceiptTransfer>,
}

/// One transfer to one recipient.
#[derive(Clone)]
pub struct ReceiptTransfer {
    /// The number of the document, the same as in the list for the bank.
    pub document_number: i64,
    /// When the document was made: at the charge, or when the part was sent again.
    pub made_at: Timestamp,
    /// Name of the recipient.
    pub recipient_name: String,
    /// EDRPOU or tax id of the recipient.
    pub recipient_code: String,
    /// Account of the recipient.
    pub iban: Iban,
    /// Name of the recipient's bank, if it is known.
    pub bank_name: Option<String>,
    /// Purpose of the payment.
    pub purpose: String,
    /// The revenue code of a payment to the budget.
    pub budget_code: Option<BudgetCode>,
    /// The payment type code with which the purpose of a payment to the budget begins.
    pub payment_code: Option<PaymentCode>,
    /// The sum of all units.
    pub amount: Money,
    /// Whose part of the fee it is.
    pub role: PartRole,
    /// The status of the transfer.
    pub status: TransferStatus,
    /// Since when it has this status.
    pub status_at: Timestamp,
    /// The day from which the recipient's bank has the money.
    pub value_date: Option<Date>,
    /// What banks have told.
    pub bank: BankAnswer,
    /// The return of it, or of the transfer that it sends again.
    pub returned: Option<Returned>,
    /// Whether its money was given back to the card before a bank had it.
    pub given_back: bool,
}

impl ReceiptTransfer {
    /// Returns whether its recipient lacks the money that a bank has sent back.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.returned
            .as_ref()
            .is_some_and(|back| back.after.is_missing())
    }
}

/// The return of a part, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// The number of the transfer that came back.
    pub document_number: i64,
    /// What became of the part.
    pub after: AfterReturn,
    /// The day on which it was asked to give the money back to the card, or on which that was done.
    pub to_card_on: Option<Date>,
    /// The day.
    pub on: Date,
    /// Why, in the bank's words.
    pub reason: String,
}

/// The part of an order that a receipt is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The whole order.
    Order,
    /// One of its items.
    Item(ItemId),
}

/// An item whose sums add up, with its position in the order.
pub(crate) struct Checked<'a> {
    /// From 1 within the order, so that an item has the same number on its own receipt as on the order's.
    pub(crate) place: usize,
    pub(crate) item: &'a ReceiptItem,
    /// For all units.
    pub(crate) amount: Money,
    /// For all units.
    pub(crate) commission: Money,
}

/// The items of a selection and their totals.
pub(crate) struct Sums<'a> {
    pub(crate) items: Vec<Checked<'a>>,
    pub(crate) amount: Money,
    pub(crate) commission: Money,
    pub(crate) total: Money,
}

/// Selects the items and checks that their sums add up.
pub(crate) fn check(order: &ReceiptOrder, selection: Selection) -> Result<Sums<'_>, ReceiptError> {
    let mut items = Vec::with_capacity(order.items.len());
    for (index, item) in order.items.iter().enumerate() {
        if selection == Selection::Order || selection == Selection::Item(item.id) {
            items.push(checked(index + 1, item)?);
        }
    }
    if items.is_empty() {
        return Err(match selection {
            Selection::Order => ReceiptError::NothingPaid,
            Selection::Item(id) => ReceiptError::NoSuchItem(id),
        });
    }
    let sum = |of: fn(&Checked<'_>) -> Money| {
        Money::sum(items.iter().map(of)).map_err(|_| ReceiptError::SumTooLarge)
    };
    let (amount, commission, total) = (
        sum(|one| one.amount)?,
        sum(|one| one.commission)?,
        sum(|one| one.item.total)?,
    );
    Ok(Sums {
        items,
        amount,
        commission,
        total,
    })
}

fn checked(place: usize, item: &ReceiptItem) -> Result<Checked<'_>, ReceiptError> {
    let disagree = |_| ReceiptError::SumsDisagree(item.id);
    let amount = item.amount.times(item.count).map_err(disagree)?;
    let commission = item.commission.times(item.count).map_err(disagree)?;
    let total = amount.plus(commission).map_err(disagree)?;
    let transferred =
        Money::sum(item.transfers.iter().map(|transfer| transfer.amount)).map_err(disagree)?;
    if total == item.total && transferred == amount {
        Ok(Checked {
            place,
            item,
            amount,
            commission,
        })
    } else {
        Err(ReceiptError::SumsDisagree(item.id))
    }
}
