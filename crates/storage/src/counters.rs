//! Numbers that count up.

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// The number of the first order: all have six digits or more, and none looks like the first.
const FIRST_ORDER_NUMBER: i64 = 100_001;

/// The next order number. A unit of work that is undone leaves a gap on neither database.
///
/// # Errors
/// Those of the database.
pub(crate) fn next_order_number(tx: &mut Tx) -> Result<i64> {
    tx.row(
        "insert into counters (name, value) values ('order_number', ?1)
         on conflict (name) do update set value = counters.value + 1
         returning value",
        params![FIRST_ORDER_NUMBER],
        |row| row.next(),
    )
}
