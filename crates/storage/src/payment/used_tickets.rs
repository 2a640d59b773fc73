//! Tickets of frames that were exchanged for a cookie.

use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Records that a ticket was used. `until`: from then on it is refused in any case. Returns false if it was used before.
pub fn use_once(tx: &mut Tx, ticket: &str, until: Timestamp) -> Result<bool> {
    let sql = "insert into used_tickets (id, until) values (?1, ?2) on conflict (id) do nothing";
    Ok(tx.execute(sql, params![ticket, until])? == 1)
}

/// Forgets tickets that are refused in any case.
pub fn purge(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    tx.execute("delete from used_tickets where until <= ?1", params![now])
}
