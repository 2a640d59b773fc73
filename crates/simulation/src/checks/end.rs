//! The invariants that are checked at the end of a history: the orders in the database against the acquirer's ledger.

use std::collections::BTreeMap;
use std::sync::Arc;

use cabinet_app::payment::proved_orders;
use cabinet_domain::payment::{AcquirerName, Alarm, AlarmKind, Attempt, Refund, RefundScope};
use cabinet_domain::{Order, OrderHistoryEvent, OrderStatus, TransferStatus};
use cabinet_storage::operator::alarms;
use cabinet_storage::operator::invariants::{self, Extent};
use cabinet_storage::order::{order_events, orders};
use cabinet_storage::payment::attempts;
use cabinet_storage::payment::refunds;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::{bank, carts, thieves};
use crate::database::notary;
use crate::history::History;
use crate::ledger::{self, Account};

/// An order in the database.
struct Known {
    order: Order,
    attempts: Vec<Attempt>,
    refunds: Vec<Refund>,
    events: Vec<OrderHistoryEvent>,
    alarms: Vec<Alarm<String>>,
}

impl Known {
    fn is_with_liqpay(&self, refund: &Refund) -> bool {
        let mut own = self.attempts.iter();
        own.any(|one| one.id == refund.attempt_id && one.acquirer == AcquirerName::LiqPay)
    }

    fn knows(&self, invoice: &str) -> bool {
        let mut own = self.attempts.iter();
        own.any(|attempt| {
            attempt
                .invoice_id
                .as_ref()
                .is_some_and(|known| known.as_str() == invoice)
        })
    }

    /// Whether somebody was called for this reason.
    fn has_alarm_of(&self, kind: AlarmKind) -> bool {
        let mut alarms = self.alarms.iter();
        alarms.any(|alarm| alarm.kind == kind.as_str())
    }

    /// Whether it has an alarm about money.
    fn has_alarm(&self) -> bool {
        self.alarms
            .iter()
            .filter_map(|alarm| AlarmKind::parse(&alarm.kind))
            .any(|kind| kind.holds_payment() || kind == AlarmKind::StrayInvoicePaid)
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
        let refunds = refunds::of_order(tx, order.id)?;
        all.entry(order.number)
            .or_insert_with(|| Known {
                order,
                attempts: Vec::new(),
                refunds,
                events,
                alarms,
            })
            .attempts
            .push(attempt);
    }
    Ok(all.into_values().collect())
}

/// Checks all invariants of the end.
pub(crate) fn check_end(history: &mut History<'_>) {
    let mut broken = Vec::new();
    thieves::check_recipients(history);
    thieves::check_transfers(history, &mut broken);
    let store = history.store.clone();
    let known = history
        .executor
        .run(async move { store.read_long(read_orders).await });
    let known = known.expect("the orders can be read");
    for one in &known {
        check_order(history, one, &mut broken);
    }
    check_refunds(history, &known, &mut broken);
    check_acknowledged(history, &known, &mut broken);
    carts::check_carts(history, &mut broken);
    check_alarms(history, &known, &mut broken);
    let disputed = known
        .iter()
        .filter(|one| one.has_alarm_of(AlarmKind::TransferDisputed));
    let disputed = disputed.map(|one| one.order.id).collect();
    bank::check_bank(history, &disputed, &mut broken);
    let (store, keys) = (history.store.clone(), Arc::clone(&history.services.keys));
    let proved = history
        .executor
        .run(async move { proved_orders(&store, &keys).await });
    let proved = proved.expect("the proofs can be read").unwrap_or_default();
    if proved.changed > 0 {
        broken.push(format!(
            "orders say something else than what was proved: {:?}",
            proved.named
        ));
    }
    let (store, now) = (history.store.clone(), history.time.of_cabinet());
    let check = history
        .executor
        .run(async move { invariants::examine(&store, now, Extent::Full).await });
    let check = check.expect("the database can be examined");
    for finding in check.findings() {
        // A charge that a restored copy learnt late waits for somebody who decides about its transfers.
        let waits = finding.name == "transfers_held" && history.is_forgetful();
        // What the acquirer's clerk gave back beside a request has to be explained by a person before anything else goes back.
        let is_unexplained = finding.name == "refunds_waiting"
            && known
                .iter()
                .any(|one| one.has_alarm_of(AlarmKind::RefundedInPart));
        // What was marked as given back was not, and nobody but the doctor says so.
        let is_marked_wrongly = finding.name == "refunds_reported" && history.is_mark_wrong;
        if finding.count > 0 && !waits && !is_unexplained && !is_marked_wrongly {
            broken.push(format!(
                "the doctor finds {} ({}): {} times",
                finding.name, finding.promise, finding.count
            ));
        }
    }
    history.broken.append(&mut broken);
}

/// Checks one order against the charges and refunds of its invoices.
fn check_order(history: &History<'_>, known: &Known, broken: &mut Vec<String>) {
    let name = history.name_order(known.order.id);
    let accounts: Vec<Account> = ledger::accounts_of(&history.acquirer, known.order.id)
        .into_iter()
        .map(|(_, account)| account)
        .collect();
    trace_order(history, &name, known, &accounts);
    let status = known.order.status;
    if !status.is_final() {
        broken.push(format!("{name} is {} for ever", status.as_str()));
    }
    check_charges(history, &name, known, &accounts, broken);
    if is_paid_against_a_refund(known) && !known.has_alarm_of(AlarmKind::PaidAfterRefund) {
        broken.push(format!(
            "{name} is paid after all was given back, and nobody is called"
        ));
    }
    let is_charged = accounts.iter().any(|account| account.stands());
    let (is_right, expected) = match (accounts.is_empty(), is_charged) {
        (true, _) => (!status.has_money(), "that nothing was charged"),
        // It does not matter whether the cabinet learnt of the payment before its refund.
        (false, false) => (status != OrderStatus::Paid, "that all was given back"),
        (false, true) => (status == OrderStatus::Paid, "that it was paid"),
    };
    let is_late = history.paid_after_refund.contains(&known.order.id);
    if is_late {
        check_paid_after_refund(history, &name, known, broken);
    }
    // A restored copy may not know an open page, and may create another one. Money that came after all was given back pays nothing.
    let is_refunded_before = is_late && status == OrderStatus::Refunded;
    let is_forgiven = history.is_forgetful() && accounts.len() > 1 || is_refunded_before;
    if !is_right && !is_forgiven {
        broken.push(format!(
            "{name} is {} and the acquirer's ledger says {expected}",
            status.as_str()
        ));
    }
}

/// Checks an order that somebody paid on a closed page after the support had given all back: both are known, a person is called, and no money
/// leaves but to a card: what a bank had returned may be asked for before the refund of all, and from the second charge after it.
fn check_paid_after_refund(
    history: &History<'_>,
    name: &str,
    known: &Known,
    broken: &mut Vec<String>,
) {
    let mut whole = known.refunds.iter();
    let is_refund_known = whole.any(|one| one.scope == RefundScope::Whole && one.is_done());
    let charged = known.attempts.iter().filter(|one| one.charged_at.is_some());
    if !is_refund_known || charged.count() != 2 {
        broken.push(format!(
            "{name} was paid after all was given back, and both are not known"
        ));
    }
    if !known.has_alarm_of(AlarmKind::PaidAfterRefund) {
        broken.push(format!(
            "{name} was paid after all was given back, and nobody was called"
        ));
    }
    let transfers = history.all_transfers();
    let of_order = || {
        let all = transfers.values().map(|(_, transfer)| transfer);
        all.filter(|transfer| transfer.order_id == known.order.id)
    };
    let asked_back: i64 = of_order()
        .filter(|transfer| {
            transfer
                .refund
                .is_some_and(|refund| refund.refunded_at.is_some())
        })
        .map(|transfer| transfer.planned.amount.kopiykas())
        .sum();
    let accounts = ledger::accounts_of(&history.acquirer, known.order.id).into_iter();
    let stands: i64 = accounts.map(|(_, one)| one.charged - one.refunded).sum();
    let sum = known.order.sum.kopiykas();
    if !(sum - asked_back..=sum).contains(&stands) {
        broken.push(format!("{name}: {stands} kopiykas stand at the acquirer"));
    }
    let left = of_order().any(|transfer| {
        !matches!(
            transfer.status,
            TransferStatus::Planned | TransferStatus::CalledOff | TransferStatus::Returned
        )
    });
    if left {
        broken.push(format!(
            "{name} was paid after all was given back, and its money leaves"
        ));
    }
}

/// Whether an order became paid again after a refund of ours had given all of it back.
fn is_paid_against_a_refund(known: &Known) -> bool {
    let mut events = known.events.iter();
    let is_paid_again = events.any(|event| {
        (event.from_status, event.to_status)
            == (Some(OrderStatus::Refunded), Some(OrderStatus::Paid))
    });
    let is_reversed = |refund: &Refund| {
        let mut attempts = known.attempts.iter();
        attempts.any(|one| one.id == refund.attempt_id && one.reversed_at.is_some())
    };
    let mut refunds = known.refunds.iter();
    is_paid_again && refunds.any(|refund| refund.is_done() && is_reversed(refund))
}

/// Writes an order at the end into the trace.
fn trace_order(history: &History<'_>, name: &str, known: &Known, accounts: &[Account]) {
    let events = known.events.iter();
    let events: Vec<&str> = events.map(|event| event.kind.as_str()).collect();
    let alarms = known.alarms.iter();
    let alarms: Vec<&str> = alarms.map(|alarm| &*alarm.kind).collect();
    let charged = accounts.iter();
    let charged: Vec<_> = charged.map(|one| (one.charged, one.refunded)).collect();
    history.trace.note(format!(
        "{name} is {} for {}: {} attempts, {events:?}, alarms {alarms:?}; charged {charged:?}",
        known.order.status.as_str(),
        known.order.sum.kopiykas(),
        known.attempts.len(),
    ));
}

/// Checks that an order was charged at most once and in full. Only a restored copy may charge twice, with an alarm.
fn check_charges(
    history: &History<'_>,
    name: &str,
    known: &Known,
    accounts: &[Account],
    broken: &mut Vec<String>,
) {
    let sum = known.order.sum.kopiykas();
    for account in accounts {
        if account.charges > 1 || account.charged != sum {
            broken.push(format!(
                "{name} of {sum} kopiykas was charged {} on one invoice",
                account.charged
            ));
        }
    }
    if accounts.len() > 1 {
        if !history.is_forgetful() && !history.paid_after_refund.contains(&known.order.id) {
            broken.push(format!("{name} was charged {} times", accounts.len()));
        }
        if !known.has_alarm() {
            broken.push(format!(
                "{name} was charged {} times and nobody was called",
                accounts.len()
            ));
        }
    }
}

/// Checks that each refund of the support is known in the end as what the acquirer made of it, and that none was made twice.
fn check_refunds(history: &History<'_>, known: &[Known], broken: &mut Vec<String>) {
    let mut made: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for invoice in history.acquirer.invoices() {
        for (reference, amount) in history.acquirer.refunds_of(&invoice.id) {
            made.entry(reference).or_default().push(amount);
        }
    }
    // What the acquirer's clerk gives back has no reference.
    made.remove("");
    for one in known {
        let name = history.name_order(one.order.id);
        check_refunds_at_liqpay(history, one, broken);
        for refund in &one.refunds {
            if one.is_with_liqpay(refund) {
                continue;
            }
            let sums = made.remove(&refund.id.to_string()).unwrap_or_default();
            let state = refund.stage.state().as_str();
            history.trace.note(format!(
                "{name}: a refund of {} is {state}; the acquirer made {sums:?}",
                refund.amount.kopiykas()
            ));
            let is_right = match sums.as_slice() {
                [] => !refund.is_done() && !refund.is_under_way(),
                [sum] => refund.is_done() && *sum == refund.amount.kopiykas(),
                _ => false,
            };
            if !is_right {
                broken.push(format!(
                    "{name}: a refund is {state}, and the acquirer made {sums:?} of it"
                ));
            }
        }
    }
    if !made.is_empty() && !history.is_forgetful() {
        broken.push(format!("{} refunds are not known", made.len()));
    }
}

/// Checks that LiqPay, which tells only sums, gave back what the support's refunds are, and perhaps what its clerk gave back.
fn check_refunds_at_liqpay(history: &History<'_>, known: &Known, broken: &mut Vec<String>) {
    let invoices = history.acquirer.invoices();
    let is_liqpay = |id: &str| invoices.iter().any(|one| one.id == id && one.is_liqpay);
    let accounts = ledger::accounts_of(&history.acquirer, known.order.id).into_iter();
    let made: i64 = accounts
        .filter(|(id, _)| is_liqpay(id))
        .map(|(_, account)| account.refunded)
        .sum();
    let refunds = known.refunds.iter();
    let own = refunds.filter(|refund| known.is_with_liqpay(refund));
    let told: i64 = own
        .clone()
        .filter(|refund| refund.is_done())
        .map(|refund| refund.amount.kopiykas())
        .sum();
    let is_open = own.clone().any(Refund::is_under_way);
    let ledger = history.acquirer.ledger();
    let by_clerk = history.by_clerk_of_liqpay.iter();
    let by_clerk: i64 = by_clerk
        .filter_map(|place| ledger.get(*place))
        .filter(|entry| known.knows(&entry.invoice_id))
        .map(|entry| entry.amount)
        .sum();
    let is_told = known.has_alarm_of(AlarmKind::RefundedInPart);
    if by_clerk > 0 && told < made && known.order.status == OrderStatus::Paid && !is_told {
        broken.push(format!(
            "{}: the clerk gave {by_clerk} kopiykas back at LiqPay, and nobody was called",
            history.name_order(known.order.id)
        ));
    }
    // A restored copy may not know a refund.
    if is_open || told > made || (told < made - by_clerk && !history.is_forgetful()) {
        broken.push(format!(
            "{}: {told} kopiykas are known as given back by LiqPay, and it gave back {made}",
            history.name_order(known.order.id)
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
            alarm.kind,
            history.trace.name_subject(&alarm.subject)
        ));
        let is_impossible = AlarmKind::parse(&alarm.kind).is_none_or(|kind| NEVER.contains(&kind));
        if is_impossible && !history.is_forgetful() {
            broken.push(format!("there is an alarm {}", alarm.kind));
        }
    }
    let invoices = history.acquirer.invoices();
    for (invoice, account) in ledger::accounts(&history.acquirer) {
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
const NEVER: [AlarmKind; 7] = [
    AlarmKind::AmountDiffers,
    AlarmKind::PaymentContradicted,
    AlarmKind::PageHostUnlisted,
    AlarmKind::PageNotHttps,
    AlarmKind::ReportUnreadable,
    AlarmKind::TransfersNotPlanned,
    AlarmKind::StatementLacksPayment,
];

fn check_acknowledged(history: &History<'_>, known: &[Known], broken: &mut Vec<String>) {
    for order in &history.orders {
        let is_there = known
            .iter()
            .any(|one| one.order.id == order.what && one.order.notary_id == notary(order.notary));
        if !is_there && !history.is_forgotten(order.step) {
            broken.push(format!("{} is missing", history.name_order(order.what)));
        }
    }
    // A charge of a missing order: only a restored copy can have lost it.
    for invoice in history.acquirer.invoices() {
        let is_there = known
            .iter()
            .any(|one| one.order.id.to_string() == invoice.order);
        if !is_there && !history.is_forgetful() {
            broken.push(format!(
                "{} is of an order that is not there",
                history.trace.name("invoice", &invoice.id)
            ));
        }
    }
}
