//! The acquirer's ledger by invoice: what was really charged and refunded.

use std::collections::BTreeMap;

use cabinet_domain::OrderId;
use cabinet_sandbox::LedgerKind;

use crate::acquirer::Acquirer;
use crate::history::History;

/// The charges and refunds of one invoice in the acquirer's ledger.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Account {
    pub(crate) charges: usize,
    pub(crate) charged: i64,
    pub(crate) refunded: i64,
}

impl Account {
    /// Returns whether a charge remains after refunds.
    pub(crate) fn stands(self) -> bool {
        self.charged > self.refunded
    }
}

/// Sums up the ledger by invoice.
pub(crate) fn accounts(acquirer: &Acquirer) -> BTreeMap<String, Account> {
    let mut accounts: BTreeMap<String, Account> = BTreeMap::new();
    for entry in acquirer.ledger() {
        let account = accounts.entry(entry.invoice_id).or_default();
        match entry.kind {
            LedgerKind::Charge => {
                account.charges += 1;
                account.charged += entry.amount;
            }
            LedgerKind::Refund => account.refunded += entry.amount,
        }
    }
    accounts
}

/// Returns the accounts of an order's invoices, with their ids.
pub(crate) fn accounts_of(acquirer: &Acquirer, order: OrderId) -> Vec<(String, Account)> {
    let (accounts, order) = (accounts(acquirer), order.to_string());
    let own = acquirer.invoices().into_iter().rev();
    own.filter(|invoice| invoice.order == order)
        .filter_map(|invoice| Some((invoice.id.clone(), *accounts.get(&invoice.id)?)))
        .collect()
}

/// Returns whether an order has a charge that remains after refunds.
pub(crate) fn is_charged(acquirer: &Acquirer, order: OrderId) -> bool {
    let own = accounts_of(acquirer, order);
    own.iter().any(|(_, account)| account.stands())
}

/// Returns whether an order was ever charged.
pub(crate) fn was_charged(acquirer: &Acquirer, order: OrderId) -> bool {
    !accounts_of(acquirer, order).is_empty()
}

/// Returns whether a refund was so late that the day of its payment may have been compared before.
pub(crate) fn has_late_refund(acquirer: &Acquirer) -> bool {
    let ledger = acquirer.ledger();
    let charged = |invoice: &str| {
        let mut charges = ledger.iter();
        charges.find(|entry| entry.kind == LedgerKind::Charge && entry.invoice_id == invoice)
    };
    ledger.iter().any(|entry| {
        entry.kind == LedgerKind::Refund
            && charged(&entry.invoice_id)
                .is_some_and(|charge| entry.at.duration_since(charge.at).as_hours() >= 48)
    })
}

/// Returns what the cabinet gave back of an invoice. The acquirer's clerk names no reference, and at LiqPay its places are known.
pub(crate) fn given_back_by_us(history: &History<'_>, invoice: &str) -> i64 {
    let named = history.acquirer.refunds_of(invoice).into_iter();
    let named: i64 = named
        .filter(|(reference, _)| !reference.is_empty())
        .map(|(_, amount)| amount)
        .sum();
    let invoices = history.acquirer.invoices();
    let mut own = invoices.iter().filter(|one| one.id == invoice);
    if !own.any(|one| one.is_liqpay) {
        return named;
    }
    let ledger = history.acquirer.ledger();
    let of_invoice = ledger.iter().enumerate().filter(|(place, entry)| {
        entry.invoice_id == invoice
            && entry.kind == LedgerKind::Refund
            && !history.by_clerk_of_liqpay.contains(place)
    });
    of_invoice.map(|(_, entry)| entry.amount).sum()
}
