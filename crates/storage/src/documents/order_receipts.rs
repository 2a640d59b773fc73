//! What the receipts of an order show, stored when it is paid.

use cabinet_domain::OrderId;
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Stores what an order's receipts show. Returns false if that was done before: what was stored stays.
pub fn keep(tx: &mut Tx, order: OrderId, facts: &str, now: Timestamp) -> Result<bool> {
    let kept = tx.execute(
        "insert into order_receipts (order_id, kept_at, facts) values (?1, ?2, ?3) on conflict (order_id) do nothing",
        params![order, now, facts],
    )?;
    Ok(kept == 1)
}

/// Replaces what an order's receipts show, as of a later time.
pub fn renew(tx: &mut Tx, order: OrderId, facts: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        "update order_receipts set kept_at = ?2, facts = ?3 where order_id = ?1",
        params![order, now, facts],
    )
    .map(|_| ())
}

/// Replaces what an order's receipts show, without a new time.
pub fn replace(tx: &mut Tx, order: OrderId, facts: &str) -> Result<()> {
    tx.execute(
        "update order_receipts set facts = ?2 where order_id = ?1",
        params![order, facts],
    )
    .map(|_| ())
}

/// Returns what an order's receipts show.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Option<String>> {
    tx.row_optional(
        "select facts from order_receipts where order_id = ?1",
        params![order],
        |row| row.next(),
    )
}
