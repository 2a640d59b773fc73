//! Checking a receipt: anybody with its code learns whether it is genuine, who received which part of it and how far each part has
//! come. People are named by initials and the end of a code alone. Who also has a payer's code or a recipient's account, as the paper
//! shows it, learns whether it is that of the receipt.

use cabinet_domain::{
    Iban, Inn, Money, Order, OrderItem, OrderStatus, PartRole, PaymentKind, PersonName, Transfer,
    TransferStatus,
};
use cabinet_storage::{StorageError, Tx, erasure, orders, transfers};
use jiff::Timestamp;
use jiff::civil::Date;

use super::Receipts;
use super::code::{proves, read_code};
use super::facts::{ReceiptFacts, recorded};
use crate::refusal::Result;

/// Shortest run of digits that is hidden in a bank's words: it may be somebody's code or account.
const HIDDEN_DIGITS_MIN: usize = 6;

/// A part of a checked receipt: one transfer.
#[derive(Clone, Debug)]
pub struct CheckedTransfer {
    /// The number of its document.
    pub document_number: i64,
    /// The recipient. A person is named by initials.
    pub recipient: String,
    /// The sum.
    pub amount: Money,
    /// How far it has come.
    pub status: TransferStatus,
    /// The day on which it was credited, if the bank has told it, or came back.
    pub on: Option<Date>,
    /// Why it came back, in the bank's words.
    pub reason: Option<String>,
}

/// What is told of a genuine receipt.
#[derive(Clone, Debug)]
pub struct CheckedReceipt {
    /// The order's short number.
    pub number: i64,
    /// When the card was charged.
    pub paid_at: Timestamp,
    /// What was charged.
    pub sum: Money,
    /// Whether the money was given back.
    pub refunded: bool,
    /// Kind and sum of each payment of the order.
    pub payments: Vec<(PaymentKind, Money)>,
    /// The actual payer: initials, and the end of the code. `None`: the names were taken out.
    pub payer: Option<(String, String)>,
    /// Who received which part.
    pub transfers: Vec<CheckedTransfer>,
    /// Whether what was typed is the payer's code or a recipient's account. `None`: nothing was typed.
    pub agrees: Option<bool>,
}

/// What the check reads of an order.
struct Found {
    order: Order,
    items: Vec<OrderItem>,
    facts: Option<ReceiptFacts>,
    transfers: Vec<Transfer>,
    /// Whether the names are still there.
    names: bool,
}

impl Receipts {
    /// Returns the receipt of a code, and whether `typed` is the payer's code or a recipient's account on it. `None`: there is none, or
    /// its order was never paid.
    pub async fn check(&self, code: &str, typed: &str) -> Result<Option<CheckedReceipt>> {
        let Some((number, proof)) = read_code(code) else {
            return Ok(None);
        };
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let Some(order) = orders::by_number(tx, number)? else {
                return Ok(None);
            };
            let items = orders::items_of(tx, order.id)?;
            let facts = recorded(tx, &order)?;
            let transfers = transfers::of_order(tx, order.id)?;
            let names = !erasure::is_anonymised(tx, order.id)?;
            Ok(Some(Found {
                order,
                items,
                facts,
                transfers,
                names,
            }))
        };
        let Some(found) = self.store.read(read).await? else {
            return Ok(None);
        };
        let order = &found.order;
        if !order.status.has_money() {
            return Ok(None);
        }
        // The time on the paper.
        let printed = found.facts.as_ref().and_then(ReceiptFacts::paid_at);
        let Some(paid_at) = printed.or(order.paid_at) else {
            return Ok(None);
        };
        if !proves(&self.keys, order, &proof) {
            return Ok(None);
        }
        let payments = found
            .items
            .iter()
            .filter_map(|item| Some((item.content.kind, item.content.total().ok()?)));
        Ok(Some(CheckedReceipt {
            number: order.number,
            paid_at,
            sum: order.sum,
            refunded: order.status == OrderStatus::Refunded,
            payments: payments.collect(),
            payer: found.names.then(|| {
                let client = &order.client;
                (client.full_name.initials(), client.inn.masked())
            }),
            transfers: found.transfers.iter().map(checked_transfer).collect(),
            // Of an order whose names were taken out nothing can be said.
            agrees: (found.names && !typed.trim().is_empty()).then(|| is_on_it(&found, typed)),
        }))
    }
}

/// Returns whether a text is the payer's code or a recipient's account on the receipts of an order.
fn is_on_it(found: &Found, typed: &str) -> bool {
    let is_payer = Inn::parse(typed).is_ok_and(|inn| inn == found.order.client.inn);
    let is_recipient = Iban::parse(typed).is_ok_and(|iban| {
        let payees = found
            .transfers
            .iter()
            .map(|transfer| &transfer.planned.payee);
        payees.into_iter().any(|payee| payee.iban == iban)
    });
    is_payer || is_recipient
}

fn checked_transfer(transfer: &Transfer) -> CheckedTransfer {
    let payee = &transfer.planned.payee;
    let on = match transfer.status {
        TransferStatus::Credited => transfer.bank.credited_on,
        _ => transfer.returned_day(),
    };
    CheckedTransfer {
        document_number: transfer.document_number,
        // The notary is a person, whatever code her account has.
        recipient: public_name(
            payee.name.as_str(),
            payee.okpo.is_person() || transfer.planned.role == PartRole::Notary,
        ),
        amount: transfer.planned.amount,
        status: transfer.status,
        on,
        reason: transfer.reason.as_deref().map(without_codes),
    }
}

/// Returns the name of an entity, or the initials of a person.
fn public_name(name: &str, is_person: bool) -> String {
    if is_person {
        PersonName::parse_saved(name).map_or_else(|_| String::new(), |name| name.initials())
    } else {
        name.to_owned()
    }
}

/// Hides long numbers in a bank's words.
fn without_codes(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut digits = String::new();
    for letter in text.chars().chain([' ']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        let is_code = digits.len() >= HIDDEN_DIGITS_MIN;
        shown.push_str(if is_code { "…" } else { &digits });
        digits.clear();
        shown.push(letter);
    }
    shown.pop();
    shown
}

#[cfg(test)]
mod tests {
    use super::without_codes;

    #[test]
    fn long_numbers_of_a_bank_are_hidden_on_the_public_page() {
        for (text, shown) in [
            ("Рахунок закрито; код 12", "Рахунок закрито; код 12"),
            ("Невірний код 3652504575, UA22305299", "Невірний код …, UA…"),
            ("123456", "…"),
            ("12345 6", "12345 6"),
            ("", ""),
        ] {
            assert_eq!(without_codes(text), shown);
        }
    }
}
