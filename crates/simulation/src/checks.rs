//! The invariants that are checked during a history and at its end.

use std::collections::BTreeMap;

use cabinet_domain::payment::{Alarm, AlarmKind, Attempt};
use cabinet_domain::{Order, OrderHistoryEvent, OrderId, OrderStatus};
use cabinet_sandbox::{LedgerEntry, LedgerKind};
use cabinet_storage::attempts;
use cabinet_storage::invariants::{self, Extent};
use cabinet_storage::{StorageError, Tx, alarms, cart, order_events, orders};
use jiff::Timestamp;

use crate::database::notary;
use crate::history::History;
use crate::wire::Asked;

/// The charges and refunds of one invoice in the acquirer's ledger.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    charges: usize,
    charged: i64,
    refunded: i64,
}

impl Account {
    /// Returns whether a charge remains after refunds.
    fn stands(self) -> bool {
        self.charged > self.refunded
    }
}

/// Sums up the ledger by invoice.
fn accounts(history: &History<'_>) -> BTreeMap<String, Account> {
    let mut accounts: BTreeMap<String, Account> = BTreeMap::new();
    for entry in history.world.ledger() {
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
fn accounts_of(history: &History<'_>, order: OrderId) -> Vec<(String, Account)> {
    let (accounts, order) = (accounts(history), order.to_string());
    let own = history.world.invoices().into_iter().rev();
    own.filter(|invoice| invoice.order == order)
        .filter_map(|invoice| Some((invoice.id.clone(), *accounts.get(&invoice.id)?)))
        .collect()
}

/// Returns whether an order has a charge that remains after refunds.
pub(crate) fn is_charged(history: &History<'_>, order: OrderId) -> bool {
    let own = accounts_of(history, order);
    own.iter().any(|(_, account)| account.stands())
}

/// Returns whether an order was ever charged.
pub(crate) fn was_charged(history: &History<'_>, order: OrderId) -> bool {
    !accounts_of(history, order).is_empty()
}

/// Returns whether an older copy was restored, so that the cabinet can't know everything that it did.
pub(crate) fn is_forgetful(history: &History<'_>) -> bool {
    !history.restores.is_empty()
}

/// Returns whether a restored copy has lost what was done at a step.
fn is_forgotten(history: &History<'_>, step: usize) -> bool {
    let mut restores = history.restores.iter();
    restores.any(|restore| (restore.copied..=restore.restored).contains(&step))
}

/// Checks that no payment is asked for an order that was charged before the operation began. After a restored copy only a charge
/// under the same reference can be known.
pub(crate) fn not_asked_again(history: &mut History<'_>, asked: &Asked, started: Timestamp) {
    let forgetful = is_forgetful(history);
    let invoices = history.world.invoices();
    let is_own = |entry: &LedgerEntry| {
        let mut own = invoices.iter().filter(|one| one.order == asked.order);
        entry.reference == asked.reference
            || (!forgetful && own.any(|one| one.id == entry.invoice_id))
    };
    let ledger = history.world.ledger();
    let taken = ledger.iter().filter(|entry| is_own(entry));
    let sum = |kind| {
        let of_kind = taken.clone().filter(|entry| entry.kind == kind);
        of_kind.map(|entry| entry.amount).sum::<i64>()
    };
    let is_early = taken.clone().any(|entry| entry.at < started);
    if is_early && sum(LedgerKind::Charge) > sum(LedgerKind::Refund) {
        let text = format!(
            "#{} asks for the payment of {} under {}, whose money has been taken",
            asked.operation,
            history.trace.name("order", &asked.order),
            history.trace.name("attempt", &asked.reference)
        );
        history.broken.push(text);
    }
}

/// Returns whether a refund was so late that the day of its payment may have been compared before.
pub(crate) fn has_late_refund(history: &History<'_>) -> bool {
    let ledger = history.world.ledger();
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

/// Checks that no other page of the same order can still be paid when a browser is sent to a page.
pub(crate) fn one_way_to_pay(history: &mut History<'_>, order: OrderId, invoice: &str) {
    let others: Vec<String> = history
        .pages
        .iter()
        .filter(|page| page.order == order && page.invoice != invoice)
        .filter(|page| !is_forgotten(history, page.step))
        .map(|page| page.invoice.clone())
        .collect();
    if others.is_empty() {
        return;
    }
    let (invoices, accounts) = (history.world.invoices(), accounts(history));
    for other in others {
        let Some(found) = invoices.iter().find(|invoice| invoice.id == other) else {
            continue;
        };
        let is_taken = accounts.get(&other).is_some_and(|account| account.stands());
        if found.is_payable || found.status == "processing" || is_taken {
            let text = format!(
                "{} is handed out for {} while {} is {}",
                history.trace.name("invoice", invoice),
                history.name_order(order),
                history.trace.name("invoice", &other),
                found.status
            );
            history.broken.push(text);
        }
    }
}

/// An order in the database.
struct Known {
    order: Order,
    attempts: Vec<Attempt>,
    events: Vec<OrderHistoryEvent>,
    alarms: Vec<Alarm>,
}

impl Known {
    fn knows(&self, invoice: &str) -> bool {
        let mut own = self.attempts.iter();
        own.any(|attempt| {
            attempt
                .invoice_id
                .as_ref()
                .is_some_and(|known| known.as_str() == invoice)
        })
    }

    /// Whether it has an alarm about money.
    fn has_alarm(&self) -> bool {
        self.alarms
            .iter()
            .any(|alarm| alarm.kind.holds_payment() || alarm.kind == AlarmKind::StrayInvoicePaid)
    }
}

fn read_orders(tx: &mut Tx) -> Result<Vec<Known>, StorageError> {
    let mut all: BTreeMap<i64, Known> = BTreeMap::new();
    for attempt in attempts::begun_between(tx, Timestamp::MIN, Timestamp::MAX)? {
        let Some(order) = orders::by_id(tx, attempt.order_id)? else {
            continue;
        };
        let events = order_events::of_order(tx, order.id)?;
        let alarms = alarms::of_order(tx, order.id)?;
        all.entry(order.number)
            .or_insert_with(|| Known {
                order,
                attempts: Vec::new(),
                events,
                alarms,
            })
            .attempts
            .push(attempt);
    }
    Ok(all.into_values().collect())
}

/// Checks all invariants of the end.
pub(crate) fn at_the_end(history: &mut History<'_>) {
    let mut broken = Vec::new();
    let store = history.store.clone();
    let known = history
        .executor
        .run(async move { store.read_long(read_orders).await });
    let known = known.expect("the orders can be read");
    for one in &known {
        check_order(history, one, &mut broken);
    }
    check_acknowledged(history, &known, &mut broken);
    check_alarms(history, &known, &mut broken);
    let (store, now) = (history.store.clone(), history.time.of_cabinet());
    let check = history
        .executor
        .run(async move { invariants::examine(&store, now, Extent::Full).await });
    let check = check.expect("the database can be examined");
    for finding in check.findings() {
        if finding.count > 0 {
            broken.push(format!(
                "the doctor finds {} ({}): {} times",
                finding.name, finding.promise, finding.count
            ));
        }
    }
    history.broken.append(&mut broken);
}

fn check_order(history: &History<'_>, known: &Known, broken: &mut Vec<String>) {
    let order = &known.order;
    let name = history.name_order(order.id);
    let accounts = accounts_of(history, order.id);
    let standing: Vec<_> = accounts.iter().filter(|(_, one)| one.stands()).collect();
    let kinds: Vec<&str> = known
        .events
        .iter()
        .map(|event| event.kind.as_str())
        .collect();
    let called: Vec<&str> = known
        .alarms
        .iter()
        .map(|alarm| alarm.kind.as_str())
        .collect();
    history.trace.note(format!(
        "{name} is {} for {}: {} attempts, {kinds:?}, alarms {called:?}; charged {:?}",
        order.status.as_str(),
        order.sum.kopiykas(),
        known.attempts.len(),
        accounts
            .iter()
            .map(|(_, one)| (one.charged, one.refunded))
            .collect::<Vec<_>>()
    ));
    let status = order.status;
    if !status.is_final() {
        broken.push(format!("{name} is {} for ever", status.as_str()));
    }
    for (_, account) in &accounts {
        if account.charges > 1 || account.charged != order.sum.kopiykas() {
            broken.push(format!(
                "{name} of {} kopiykas was charged {} on one invoice",
                order.sum.kopiykas(),
                account.charged
            ));
        }
    }
    if accounts.len() > 1 {
        if !is_forgetful(history) {
            broken.push(format!("{name} was charged {} times", accounts.len()));
        }
        if !known.has_alarm() {
            broken.push(format!(
                "{name} was charged {} times and nobody was called",
                accounts.len()
            ));
        }
    }
    let (is_right, expected) = match (accounts.is_empty(), standing.is_empty()) {
        (true, _) => (!status.has_money(), "that nothing was charged"),
        // It does not matter whether the cabinet learnt of the payment before its refund.
        (false, true) => (status != OrderStatus::Paid, "that all was given back"),
        (false, false) => (status == OrderStatus::Paid, "that it was paid"),
    };
    // A restored copy may not know an open page, and may create another one.
    let is_forgiven = is_forgetful(history) && accounts.len() > 1;
    if !is_right && !is_forgiven {
        broken.push(format!(
            "{name} is {} and the acquirer's ledger says {expected}",
            status.as_str()
        ));
    }
}

/// Checks that a charge without an order has an alarm, and that there are no impossible alarms.
fn check_alarms(history: &History<'_>, known: &[Known], broken: &mut Vec<String>) {
    let store = history.store.clone();
    let read = |tx: &mut Tx| alarms::list(tx, true, 1_000);
    let raised = history
        .executor
        .run(async move { store.read_long(read).await });
    let raised = raised.expect("the alarms can be read");
    for alarm in &raised {
        history.trace.note(format!(
            "alarm {} {}",
            alarm.kind.as_str(),
            history.trace.name_subject(&alarm.subject)
        ));
        if NEVER.contains(&alarm.kind) && !is_forgetful(history) {
            broken.push(format!("there is an alarm {}", alarm.kind.as_str()));
        }
    }
    let invoices = history.world.invoices();
    for (invoice, account) in accounts(history) {
        let order = invoices
            .iter()
            .find(|one| one.id == invoice)
            .map(|one| &one.order);
        let is_answered_for = known
            .iter()
            .any(|one| Some(&one.order.id.to_string()) == order && one.knows(&invoice));
        let is_told = raised.iter().any(|alarm| alarm.subject.ends_with(&invoice));
        if account.stands() && !is_answered_for && !is_told {
            broken.push(format!(
                "{} was charged, no order answers for it, and nobody was called",
                history.trace.name("invoice", &invoice)
            ));
        }
    }
}

/// Alarms that cannot occur in these histories.
const NEVER: [AlarmKind; 6] = [
    AlarmKind::AmountDiffers,
    AlarmKind::PaymentContradicted,
    AlarmKind::PageHostUnlisted,
    AlarmKind::ReportUnreadable,
    AlarmKind::TransfersNotPlanned,
    AlarmKind::StatementLacksPayment,
];

fn check_acknowledged(history: &History<'_>, known: &[Known], broken: &mut Vec<String>) {
    for order in &history.orders {
        let is_there = known
            .iter()
            .any(|one| one.order.id == order.what && one.order.notary_id == notary(order.notary));
        if !is_there && !is_forgotten(history, order.step) {
            broken.push(format!("{} is missing", history.name_order(order.what)));
        }
    }
    let expected: Vec<_> = history
        .items
        .iter()
        .filter(|item| !is_forgotten(history, item.step))
        .cloned()
        .collect();
    let store = history.store.clone();
    let missing = history.executor.run(async move {
        let read = move |tx: &mut Tx| -> Result<Vec<String>, StorageError> {
            let mut missing = Vec::new();
            for item in &expected {
                let owner = notary(item.notary);
                if cart::item_of(tx, owner, item.what)?.is_none()
                    && orders::item_of(tx, owner, item.what)?.is_none()
                {
                    missing.push(item.what.to_string());
                }
            }
            Ok(missing)
        };
        store.read_long(read).await
    });
    for item in missing.expect("the items can be read") {
        broken.push(format!("{} is missing", history.trace.name("item", &item)));
    }
    // A charge of a missing order: only a restored copy can have lost it.
    for invoice in history.world.invoices() {
        let is_there = known
            .iter()
            .any(|one| one.order.id.to_string() == invoice.order);
        if !is_there && !is_forgetful(history) {
            broken.push(format!(
                "{} is of an order that is not there",
                history.trace.name("invoice", &invoice.id)
            ));
        }
    }
}
