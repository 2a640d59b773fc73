//! What the receipts of an order name, kept when it is paid.

use cabinet_domain::OrderId;
use jiff::Timestamp;

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// Keeps the facts of an order's receipts, in place of what was kept.
///
/// # Errors
/// Returns the database's failure.
pub fn keep(tx: &mut Tx, order: OrderId, facts: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into order_receipts (order_id, kept_at, facts) values (?1, ?2, ?3)
         on conflict (order_id) do update set kept_at = excluded.kept_at, facts = excluded.facts",
        params![order, now, facts],
    )
    .map(|_| ())
}

/// Returns the kept facts of an order's receipts.
///
/// # Errors
/// Returns the database's failure.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Option<String>> {
    tx.row_optional(
        "select facts from order_receipts where order_id = ?1",
        params![order],
        |row| row.next(),
    )
}
