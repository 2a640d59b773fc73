//! Checking a receipt: anybody with its code learns whether it is genuine and not refunded, and nothing about people.

use cabinet_domain::{Money, OrderStatus, PaymentKind};
use cabinet_storage::{StorageError, Tx, orders};
use jiff::Timestamp;

use super::Receipts;
use super::code::{proof_of, read_code};
use super::facts::recorded;
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
}

impl Receipts {
    /// Returns the receipt of a code. `None`: there is none, or its order was never paid.
    pub async fn check(&self, code: &str) -> Result<Option<CheckedReceipt>> {
        let Some((number, proof)) = read_code(code) else {
            return Ok(None);
        };
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let Some(order) = orders::by_number(tx, number)? else {
                return Ok(None);
            };
            let items = orders::items_of(tx, order.id)?;
            let facts = recorded(tx, &order)?;
            Ok(Some((order, items, facts)))
        };
        let Some((order, items, facts)) = self.store.read(read).await? else {
            return Ok(None);
        };
        if !order.status.has_money() {
            return Ok(None);
        }
        // The time on the paper.
        let printed = facts.and_then(|facts| facts.paid_at());
        let Some(paid_at) = printed.or(order.paid_at) else {
            return Ok(None);
        };
        // Digests are compared, so that the time does not tell where two proofs differ.
        if blake3::hash(proof_of(&self.keys, &order).as_bytes()) != blake3::hash(proof.as_bytes()) {
            return Ok(None);
        }
        let payments = items
            .into_iter()
            .filter_map(|item| Some((item.content.kind, item.content.total().ok()?)));
        Ok(Some(CheckedReceipt {
            number: order.number,
            paid_at,
            sum: order.sum,
            refunded: order.status == OrderStatus::Refunded,
            payments: payments.collect(),
        }))
    }
}
