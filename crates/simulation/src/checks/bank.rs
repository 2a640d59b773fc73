//! What must hold of the money that left: the cabinet says what the bank did, and no order pays out more than was taken for it.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::{OrderId, TransferStatus};

use crate::history::History;
use crate::ledger;

/// Checks the transfers against the book of the bank, once the cabinet has read all of its files. `disputed`: the orders for which somebody was
/// called to ask the bank.
pub(super) fn check_bank(
    history: &History<'_>,
    disputed: &BTreeSet<OrderId>,
    broken: &mut Vec<String>,
) {
    if !history.weather.bank {
        return;
    }
    let all = history.all_transfers();
    let mut left: BTreeMap<OrderId, i64> = BTreeMap::new();
    for payment in history.bank.payments() {
        let number = payment.document_number;
        let Some((_, transfer)) = all.get(&number) else {
            broken.push(format!(
                "the bank has document {number}, and the cabinet has not"
            ));
            continue;
        };
        let is_settled = history.settled.contains(&transfer.id);
        let (told, done) = (transfer.status.as_str(), payment.status(is_settled));
        history
            .trace
            .note(format!("document {number} is {told}; at the bank: {done}"));
        if told != done {
            broken.push(format!(
                "document {number} is {told}, and the bank says {done}"
            ));
        }
        if payment.amount != transfer.planned.amount {
            broken.push(format!("document {number} has another amount at the bank"));
        }
        if payment.has_left() {
            *left.entry(transfer.order_id).or_default() += payment.amount.kopiykas();
            let replaced = transfer.replaces.and_then(|before| history.bank.of(before));
            let is_told = disputed.contains(&transfer.order_id);
            if replaced.is_some_and(|before| before.has_left()) && !is_told {
                broken.push(format!("what document {number} sends again has left, too"));
            }
        }
    }
    for (number, (_, transfer)) in &all {
        let is_sent = !matches!(
            transfer.status,
            TransferStatus::Planned | TransferStatus::CalledOff
        );
        let is_explained =
            history.bank.of(transfer.id).is_some() || history.not_given.contains(&transfer.id);
        if is_sent && !is_explained {
            broken.push(format!(
                "document {number} is {}, and the bank has it not",
                transfer.status.as_str()
            ));
        }
    }
    for (order, left) in left {
        // A bank that carries out what it had refused, after the money went to the card, makes a loss that only a person can settle.
        if !disputed.contains(&order) {
            check_paid_out(history, order, left, broken);
        }
    }
}

/// Checks that no more left to recipients and cards than was charged. What the acquirer's clerk gave back is not the cabinet's deed.
fn check_paid_out(history: &History<'_>, order: OrderId, left: i64, broken: &mut Vec<String>) {
    let by_hand = history.by_hand.get(&order).copied().unwrap_or_default();
    let (mut charged, mut refunded) = (0, by_hand);
    for (invoice, account) in ledger::accounts_of(&history.acquirer, order) {
        charged += account.charged;
        refunded += ledger::given_back_by_us(history, &invoice);
    }
    if left + refunded > charged {
        broken.push(format!(
            "{}: {left} left to recipients and {refunded} to the card, of {charged} that were charged",
            history.name_order(order)
        ));
    }
}
