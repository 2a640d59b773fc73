//! Leases: which of several processes does a piece of work.

use jiff::{SignedDuration, Timestamp};

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Takes or prolongs a lease. Returns whether `holder` has it now: it was free, expired, or its own. A lease that ends
/// more than `clocks_apart` after `until` was taken while the clock was ahead, and counts as expired.
pub fn take(
    tx: &mut Tx,
    name: &str,
    holder: &str,
    now: Timestamp,
    until: Timestamp,
    clocks_apart: SignedDuration,
) -> Result<bool> {
    let taken = tx.execute(
        "insert into leases (name, holder, held_until) values (?1, ?2, ?4)
         on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
             where leases.holder = excluded.holder or leases.held_until <= ?3 or leases.held_until > ?5",
        params![name, holder, now, until, until + clocks_apart],
    )?;
    Ok(taken == 1)
}
