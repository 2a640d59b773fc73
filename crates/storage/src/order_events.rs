//! The history of orders: what happened, from which status to which.

pub use cabinet_domain::OrderHistoryEvent;
use cabinet_domain::OrderId;

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// Writes an event down. Its order is locked before, so its number is the next one.
///
/// # Errors
/// Those of the database.
pub fn add(tx: &mut Tx, event: &OrderHistoryEvent) -> Result<()> {
    tx.execute(
        "insert into order_events (id, order_id, number, at, kind, from_status, to_status, detail)
         values (?1, ?2, coalesce((select max(number) from order_events where order_id = ?2), 0) + 1, ?3, ?4, ?5, ?6, ?7)",
        params![
            event.id,
            event.order_id,
            event.at,
            event.kind,
            event.from_status,
            event.to_status,
            event.detail
        ],
    )
    .map(|_| ())
}

/// Returns the history of an order, the earliest first: by number, because the clock may have been set back.
///
/// # Errors
/// Those of the database.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<OrderHistoryEvent>> {
    tx.rows(
        "select id, order_id, at, kind, from_status, to_status, detail from order_events
         where order_id = ?1 order by number",
        params![order],
        |row| {
            Ok(OrderHistoryEvent {
                id: row.next()?,
                order_id: row.next()?,
                at: row.next()?,
                kind: row.next()?,
                from_status: row.next()?,
                to_status: row.next()?,
                detail: row.next()?,
            })
        },
    )
}
