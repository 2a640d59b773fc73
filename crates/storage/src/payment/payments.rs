//! What a settlement reads and writes: an order with all its attempts.

use cabinet_domain::payment::{Case, InvoiceId, OrderFacts};
use cabinet_domain::{AttemptId, NotaryId, Order, OrderId, OrderStatus};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::{as_stored, params};
use crate::locks::{LockedNotary, LockedOrder, WithoutNotary};
use crate::operator::alarms;
use crate::order::orders;
use crate::payment::{attempts, refunds};

/// An order as a unit of work has read it, and what its settlement is decided by.
pub struct OrderCase {
    /// The order.
    pub order: Order,
    /// Its facts, with all its attempts.
    pub case: Case,
    /// Whether somebody may have agreed to letters about it.
    pub may_have_receipt_consent: bool,
}

/// Returns an order with all its attempts.
pub fn case_of(tx: &mut Tx, order: OrderId) -> Result<Option<Case>> {
    Ok(order_case_of(tx, order)?.map(|found| found.case))
}

/// The same, for an order of this notary only.
pub fn case_of_notary(tx: &mut Tx, notary: NotaryId, order: OrderId) -> Result<Option<Case>> {
    let found = orders::order_of(tx, notary, order)?;
    Ok(of_row(tx, found)?.map(|found| found.case))
}

/// Like [`case_of`], with the order itself.
pub fn order_case_of(tx: &mut Tx, order: OrderId) -> Result<Option<OrderCase>> {
    let found = orders::by_id(tx, order)?;
    of_row(tx, found)
}

/// Like [`order_case_of`], for the order that an invoice or, where no attempt knows it, one of our references belongs to.
pub fn order_case_of_invoice(
    tx: &mut Tx,
    invoice: &InvoiceId,
    payment_reference: Option<AttemptId>,
) -> Result<Option<OrderCase>> {
    let mut found = orders::by_invoice(tx, invoice)?;
    if found.is_none()
        && let Some(payment_reference) = payment_reference
        && let Some(order) = attempts::order_of_reference(tx, payment_reference)?
    {
        found = orders::by_id(tx, order)?;
    }
    of_row(tx, found)
}

/// Locks an order in a unit of work that locks no notary, and returns it with all its attempts.
pub fn lock_case<'t>(
    tx: &mut WithoutNotary<'t>,
    order: OrderId,
) -> Result<Option<(LockedOrder<'t>, OrderCase)>> {
    let found = orders::lock(tx, order)?;
    of_locked(tx, found)
}

/// The same for an order of a locked notary.
pub fn lock_case_of<'n>(
    tx: &mut Tx,
    notary: &'n LockedNotary,
    order: OrderId,
) -> Result<Option<(LockedOrder<'n>, OrderCase)>> {
    let found = orders::lock_of(tx, notary, order)?;
    of_locked(tx, found)
}

/// Like [`lock_case`], for the order that [`order_case_of_invoice`] finds.
pub fn lock_case_of_invoice<'t>(
    tx: &mut WithoutNotary<'t>,
    invoice: &InvoiceId,
    payment_reference: Option<AttemptId>,
) -> Result<Option<(LockedOrder<'t>, OrderCase)>> {
    let mut found = orders::lock_by_invoice(tx, invoice)?;
    if found.is_none()
        && let Some(payment_reference) = payment_reference
        && let Some(order) = attempts::order_of_reference(tx, payment_reference)?
    {
        found = orders::lock(tx, order)?;
    }
    of_locked(tx, found)
}

fn of_locked<'t>(
    tx: &mut Tx,
    found: Option<(LockedOrder<'t>, Order)>,
) -> Result<Option<(LockedOrder<'t>, OrderCase)>> {
    let Some((locked, order)) = found else {
        return Ok(None);
    };
    // Read after the lock: a statement that locks a row sees the others as they were before it waited for the lock.
    Ok(of_row(tx, Some(order))?.map(|found| (locked, found)))
}

fn of_row(tx: &mut Tx, order: Option<Order>) -> Result<Option<OrderCase>> {
    let Some(order) = order else { return Ok(None) };
    let known = attempts::with_company(tx, order.id)?;
    let refunds = if known.has_refunds {
        refunds::of_order(tx, order.id)?
    } else {
        Vec::new()
    };
    let case = Case {
        attempts: known.attempts,
        refunds,
        has_money_alarm: known.has_open_alarms && alarms::holds_payment(tx, order.id)?,
        order: OrderFacts {
            codes: order.codes_state(),
            id: order.id,
            notary_id: order.notary_id,
            status: order.status,
            payment_state: order.payment_state,
            sum: order.sum,
            created_at: order.created_at,
            paid_at: order.paid_at,
            failure: order.failure,
            pan: order.pan.clone(),
            payment_page_url: order.payment_page_url.clone(),
            is_returned_to_cart: order.returned_to_cart_at.is_some(),
            is_cancelled: order.cancelled_at.is_some(),
        },
    };
    Ok(Some(OrderCase {
        order,
        case,
        may_have_receipt_consent: known.has_receipt_consent,
    }))
}

/// Stores the order of a settlement if its status is still `from`. Returns whether it was: the order is locked, so
/// anything else is a bug.
pub fn save_order(
    tx: &mut Tx,
    locked: &LockedOrder<'_>,
    order: &OrderFacts,
    from: OrderStatus,
    now: Timestamp,
) -> Result<bool> {
    let sql = "update orders set status = ?3, payment_state = ?4, failure = ?5, pan = ?6, widget_url = ?7,
                   returned_to_cart_at = case when ?8 then coalesce(returned_to_cart_at, ?9) else returned_to_cart_at end,
                   updated_at = case when ?3 <> ?2 then ?9 else updated_at end,
                   paid_at = ?10,
                   cancelled_at = case when ?11 then coalesce(cancelled_at, ?9) else cancelled_at end
               where id = ?1 and status = ?2";
    let changed = tx.execute(
        sql,
        params![
            locked,
            from,
            order.status,
            order.payment_state,
            order.failure,
            order.pan,
            order.payment_page_url,
            order.is_returned_to_cart,
            now,
            order.paid_at,
            order.is_cancelled,
        ],
    )?;
    Ok(changed == 1)
}

/// Returns an order as it is once [`save_order`] has stored its facts.
#[must_use]
pub fn saved(before: &Order, facts: &OrderFacts, now: Timestamp) -> Order {
    let now = as_stored(now);
    let since = |is_so: bool, before: Option<Timestamp>| before.or(is_so.then_some(now));
    Order {
        status: facts.status,
        payment_state: facts.payment_state,
        failure: facts.failure,
        pan: facts.pan.clone(),
        payment_page_url: facts.payment_page_url.clone(),
        returned_to_cart_at: since(facts.is_returned_to_cart, before.returned_to_cart_at),
        cancelled_at: since(facts.is_cancelled, before.cancelled_at),
        paid_at: facts.paid_at.map(as_stored),
        updated_at: if facts.status == before.status {
            before.updated_at
        } else {
            now
        },
        ..before.clone()
    }
}
