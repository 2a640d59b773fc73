//! What a receipt is made of. Plain values of the domain, gathered by the caller; nothing here is looked up.

use cabinet_domain::{
    Count, Iban, ItemId, MaskedCard, Money, OrderId, PartRole, PaymentKind, TransferStatus,
};
use jiff::Timestamp;

use crate::error::ReceiptError;

/// A paid order with everything that its receipts show.
#[derive(Clone)]
pub struct ReceiptOrder {
    /// The order; part of the file names only.
    pub id: OrderId,
    /// The short number that a person can say on the telephone.
    pub number: String,
    /// When the order was made.
    pub created_at: Timestamp,
    /// When the card was charged: the date of the payment instructions.
    pub paid_at: Timestamp,
    /// The notary through whom the client pays: the payer of the instructions.
    pub notary_name: String,
    /// Whose service this is: the recipient of the commission.
    pub operator: Operator,
    /// The bank or payment service that charged the card.
    pub acquirer_name: String,
    /// The card, masked; absent where the acquirer does not tell.
    pub card: Option<MaskedCard>,
    /// The card's payment system as the acquirer names it, `Visa` say.
    pub payment_system: Option<String>,
    /// The issuing bank's authorisation code.
    pub authorisation_code: Option<String>,
    /// The retrieval reference number of the card operation.
    pub rrn: Option<String>,
    /// Our reference at the acquirer.
    pub reference: String,
    /// How anyone may check the receipt; absent where no such page is set up.
    pub verification: Option<Verification>,
    /// The paid items in the order's own sequence; their places number the instructions.
    pub items: Vec<ReceiptItem>,
    /// Whether the payment was made in the sandbox: every page says that it proves nothing.
    pub sandbox: bool,
}

/// The party that runs the service, from the settings.
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

/// A code that proves a receipt, and the page that takes it.
#[derive(Clone, Debug)]
pub struct Verification {
    /// What a person types, `7KQ2-M4XD` say.
    pub code: String,
    /// The whole address with the code in it, `https://…`; also shown as a QR code.
    pub address: String,
}

/// A paid item.
#[derive(Clone)]
pub struct ReceiptItem {
    /// The item.
    pub id: ItemId,
    /// What kind of payment it is.
    pub kind: PaymentKind,
    /// What is paid for in words, mostly the name of the chosen option; empty where the kind says it all.
    pub label: String,
    /// Code of the client, who is the actual payer.
    pub client_code: String,
    /// Name of the client.
    pub client_name: String,
    /// How many units.
    pub count: Count,
    /// What the recipients get for one unit (`sum_base`).
    pub amount: Money,
    /// What the service charges for one unit.
    pub commission: Money,
    /// Both for all units (`sum_total`).
    pub total: Money,
    /// What became of the amount; their amounts are for all units.
    pub transfers: Vec<ReceiptTransfer>,
}

/// One transfer to one recipient.
#[derive(Clone)]
pub struct ReceiptTransfer {
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
    /// What is transferred, for all units of the item.
    pub amount: Money,
    /// Whose part it is.
    pub role: PartRole,
    /// How far the transfer has come.
    pub status: TransferStatus,
    /// When it came so far.
    pub status_at: Timestamp,
}

/// Which part of an order a receipt is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The whole order.
    Order,
    /// One of its items.
    Item(ItemId),
}

/// An item with its place in the order and its sums for all units, which were found to add up.
pub(crate) struct Checked<'a> {
    /// Counted from 1 within the order, so that an item's own receipt has the numbers of the order's.
    pub(crate) place: usize,
    pub(crate) item: &'a ReceiptItem,
    /// For all units.
    pub(crate) amount: Money,
    /// For all units.
    pub(crate) commission: Money,
}

/// The items of a selection and their sums together.
pub(crate) struct Sums<'a> {
    pub(crate) items: Vec<Checked<'a>>,
    pub(crate) amount: Money,
    pub(crate) commission: Money,
    pub(crate) total: Money,
}

/// Picks the items and refuses figures that do not add up.
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
