//! What a settlement reads and writes: an order with all its attempts.

use cabinet_domain::payment::{Case, OrderFacts};
use cabinet_domain::{NotaryId, Order, OrderId, OrderStatus};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::operator::alarms;
use crate::order::orders;
use crate::payment::{attempts, refunds};

/// Returns an order with all its attempts. Locks the order in a unit of work that may write.
pub fn case_of(tx: &mut Tx, order: OrderId) -> Result<Option<Case>> {
    let found = orders::by_id(tx, order)?;
    of_row(tx, found)
}

/// The same, for an order of this notary only.
pub fn case_of_notary(tx: &mut Tx, notary: NotaryId, order: OrderId) -> Result<Option<Case>> {
    let found = orders::order_of(tx, notary, order)?;
    of_row(tx, found)
}

fn of_row(tx: &mut Tx, order: Option<Order>) -> Result<Option<Case>> {
    let Some(order) = order else { return Ok(None) };
    // Asked after the order was locked: a statement that locks a row sees the others as they were before it waited for the lock.
    let known = attempts::with_company(tx, order.id)?;
    let refunds = if known.has_refunds {
        refunds::of_order(tx, order.id)?
    } else {
        Vec::new()
    };
    Ok(Some(Case {
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
            pan: order.pan,
            payment_page_url: order.payment_page_url,
            is_returned_to_cart: order.returned_to_cart_at.is_some(),
            is_cancelled: order.cancelled_at.is_some(),
        },
    }))
}

/// Stores the order of a settlement if its status is still `from`. Returns whether it was: the order is locked, so
/// anything else is a bug.
pub fn save_order(
    tx: &mut Tx,
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
            order.id,
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
