//! Leases: which of several processes does a piece of work.

use jiff::{SignedDuration, Timestamp};

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// Takes a lease for `time`, or keeps it if the holder has it already. Returns false while another process has it.
///
/// A lease that ends later than `time` from now was taken by a clock ahead of this one, and can be taken.
pub fn take(
    tx: &mut Tx,
    name: &str,
    holder: &str,
    now: Timestamp,
    time: SignedDuration,
) -> Result<bool> {
    let sql = "insert into leases (name, holder, until) values (?1, ?2, ?4)
               on conflict (name) do update set holder = excluded.holder, until = excluded.until
               where leases.holder = excluded.holder or leases.until <= ?3 or leases.until > ?4";
    Ok(tx.execute(sql, params![name, holder, now, now + time])? == 1)
}
