//! Checking a receipt: anybody with its code learns whether it is genuine and not refunded, and nothing about people. Who also has a
//! payer's code or a recipient's account, as the paper shows it, learns whether it is that of the receipt.

use cabinet_domain::{Iban, Inn, Money, Order, OrderItem, OrderStatus, PaymentKind};
use cabinet_storage::{StorageError, Tx, erasure, orders, transfers};
use jiff::Timestamp;

use super::Receipts;
use super::code::{proves, read_code};
use super::facts::{ReceiptFacts, recorded};
use crate::refusal::Result;

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
    /// Whether what was typed is the payer's code or a recipient's account. `None`: nothing was typed.
    pub agrees: Option<bool>,
}

/// What the check reads of an order.
struct Found {
    order: Order,
    items: Vec<OrderItem>,
    facts: Option<ReceiptFacts>,
    recipients: Vec<Iban>,
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
            let payees = transfers.into_iter().map(|transfer| transfer.planned.payee);
            Ok(Some(Found {
                order,
                items,
                facts,
                recipients: payees.map(|payee| payee.iban).collect(),
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
            // Of an order whose names were taken out nothing can be said.
            agrees: (found.names && !typed.trim().is_empty()).then(|| is_on_it(&found, typed)),
        }))
    }
}

/// Returns whether a text is the payer's code or a recipient's account on the receipts of an order.
fn is_on_it(found: &Found, typed: &str) -> bool {
    let is_payer = Inn::parse(typed).is_ok_and(|inn| inn == found.order.client.inn);
    let is_recipient = Iban::parse(typed).is_ok_and(|iban| found.recipients.contains(&iban));
    is_payer || is_recipient
}
