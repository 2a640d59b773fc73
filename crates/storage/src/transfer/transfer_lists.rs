//! The lists of transfers that were written for a bank, by their digests.

use cabinet_domain::Balance;
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Keeps the digest of a list: SHA-256 in hexadecimal digits. The same list again is kept as it was written first.
pub fn keep(
    tx: &mut Tx,
    digest: &str,
    transfers: u32,
    amount: Balance,
    now: Timestamp,
) -> Result<()> {
    let sql = "insert into transfer_lists (digest, transfers, amount, exported_at) values (?1, ?2, ?3, ?4) on conflict do nothing";
    tx.execute(sql, params![digest, transfers, amount.kopiykas(), now])
        .map(|_| ())
}

/// Returns when the list with this digest was written first. `None`: no list that is known is exactly this one.
pub fn exported_at(tx: &mut Tx, digest: &str) -> Result<Option<Timestamp>> {
    let sql = "select exported_at from transfer_lists where digest = ?1";
    tx.row_optional(sql, params![digest], |row| row.next())
}
