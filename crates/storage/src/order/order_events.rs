//! The history of orders: what happened, and which status it led to.

use cabinet_domain::payment::AlarmKind;
use cabinet_domain::{OrderEventKind, OrderHistoryEvent, OrderId};

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedOrder;

/// Stores an event of an order under the next number.
pub fn add(
    tx: &mut Tx,
    order: &LockedOrder<'_>,
    event: &OrderHistoryEvent<OrderEventKind>,
) -> Result<()> {
    order.covers(event.order_id, "order_events")?;
    insert(tx, event, event.kind.as_str())
}

/// Stores that an alarm about an order was opened, as [`add`] does.
pub fn add_alarm(tx: &mut Tx, event: &OrderHistoryEvent<AlarmKind>) -> Result<()> {
    insert(tx, event, event.kind.as_str())
}

fn insert<Kind>(tx: &mut Tx, event: &OrderHistoryEvent<Kind>, kind: &str) -> Result<()> {
    tx.execute(
        "insert into order_events (id, order_id, number, at, kind, from_status, to_status, detail)
         values (?1, ?2, coalesce((select max(number) from order_events where order_id = ?2), 0) + 1, ?3, ?4, ?5, ?6, ?7)",
        params![
            event.id,
            event.order_id,
            event.at,
            kind,
            event.from_status,
            event.to_status,
            event.detail
        ],
    )
    .map(|_| ())
}

/// Returns the history of an order, the earliest event first, with the names of the kinds: a later program may have written an event of one
/// that this one does not know. It is ordered by number, because the clock may have been set back.
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
