//! The invariants that are checked while a history runs.

use cabinet_app::order::OrderView;
use cabinet_domain::OrderId;
use cabinet_sandbox::{LedgerEntry, LedgerKind};
use jiff::Timestamp;

use crate::acquirer::end_of_page;
use crate::action::Question;
use crate::browsers::Page;
use crate::gates::OperationId;
use crate::history::History;
use crate::ledger;
use crate::wire::Asked;

/// Checks that no payment is asked for an order that was charged before the operation began. After a restored copy only a charge
/// under the same reference can be known.
pub(crate) fn check_asked_payment(history: &mut History<'_>, asked: &Asked, started: Timestamp) {
    let forgetful = history.is_forgetful();
    let invoices = history.acquirer.invoices();
    let is_own = |entry: &LedgerEntry| {
        let mut own = invoices.iter().filter(|one| one.order == asked.order);
        entry.reference == asked.reference
            || (!forgetful && own.any(|one| one.id == entry.invoice_id))
    };
    let ledger = history.acquirer.ledger();
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

/// Checks that nothing can be paid any more on a page for an order of which the notary was told that `what`.
pub(crate) fn check_closed(history: &mut History<'_>, order: OrderId, what: &str) {
    for (page, status) in open_pages(history, order, "") {
        let text = format!(
            "{} {what} while {} is {status}",
            history.name_order(order),
            history.trace.name("invoice", &page),
        );
        history.broken.push(text);
    }
}

/// Checks that a page or a charge, which was given for an order, was not one that QR codes forbid.
pub(crate) fn check_page(history: &mut History<'_>, order: OrderId, question: Question) {
    check_question(history, order, question, "gets a page");
    if history.browsers.marked.contains(&order) && !history.is_forgetful() {
        let text = format!(
            "{} gets a page, and is marked as paid by QR codes",
            history.name_order(order)
        );
        history.broken.push(text);
    }
}

/// Checks that `what` did not happen to an order before somebody was asked whether its QR codes were paid.
pub(crate) fn check_question(
    history: &mut History<'_>,
    order: OrderId,
    question: Question,
    what: &str,
) {
    if question.is_due && !history.is_forgetful() {
        let text = format!(
            "{} {what}, and its QR codes may have been paid",
            history.name_order(order)
        );
        history.broken.push(text);
    }
}

/// Checks that no other page of the same order can still be paid when a browser is sent to a page.
pub(crate) fn check_other_pages(history: &mut History<'_>, order: OrderId, invoice: &str) {
    for (other, status) in open_pages(history, order, invoice) {
        let text = format!(
            "{} is handed out for {} while {} is {status}",
            history.trace.name("invoice", invoice),
            history.name_order(order),
            history.trace.name("invoice", &other),
        );
        history.broken.push(text);
    }
}

/// Returns the pages of an order, but one, that browsers were sent to and that can be paid, or were, with their statuses.
fn open_pages(history: &History<'_>, order: OrderId, without: &str) -> Vec<(String, String)> {
    let others: Vec<Page> = history
        .pages
        .iter()
        .filter(|page| page.order == order && page.invoice != without)
        .filter(|page| !history.is_forgotten(page.step))
        .cloned()
        .collect();
    if others.is_empty() {
        return Vec::new();
    }
    let (invoices, accounts) = (
        history.acquirer.invoices(),
        ledger::accounts(&history.acquirer),
    );
    let open = others.into_iter().filter_map(|other| {
        let Some(found) = invoices.iter().find(|invoice| invoice.id == other.invoice) else {
            let end = end_of_page(&other.address)?;
            let is_open = history.time.truth() < end;
            return is_open.then(|| (other.invoice, "not opened".to_owned()));
        };
        let is_taken = accounts
            .get(&other.invoice)
            .is_some_and(|account| account.stands());
        let is_open = found.is_payable || found.status == "processing" || is_taken;
        is_open.then(|| (other.invoice, found.status.clone()))
    });
    open.collect()
}

/// Checks the status of an order that a person looked at. `charged` says whether it had been charged before, and `strictly`
/// whether only a fresh answer of the acquirer was accepted.
pub(crate) fn check_shown_order(
    history: &mut History<'_>,
    operation: OperationId,
    view: &OrderView,
    charged: bool,
    strictly: bool,
) {
    let (id, status) = (view.order.id, view.order.status);
    // While money may still come, the page does not say that the payment is over.
    let is_over = strictly || !view.order.payment_state.may_take_money();
    if charged
        && is_over
        && !status.has_money()
        && status.is_final()
        && !history.gates.met_a_fault(operation)
    {
        history.broken.push(format!(
            "{} is called {} although its money had been taken when it was asked about",
            history.name_order(id),
            status.as_str()
        ));
    }
    if status.has_money() && !ledger::was_charged(&history.acquirer, id) {
        history.broken.push(format!(
            "{} is called {} and was never charged",
            history.name_order(id),
            status.as_str()
        ));
    }
}
