//! The ids of keys that were in use, by purpose. The keys themselves are stored nowhere.

use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Remembers a key. One that is known stays as it is.
pub fn remember(tx: &mut Tx, purpose: &str, id: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into key_ids (purpose, id, first_used_at) values (?1, ?2, ?3) on conflict (purpose, id) do nothing",
        params![purpose, id, now],
    )
    .map(|_| ())
}

/// A key that was in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownKey {
    /// The id of the key.
    pub id: String,
    /// Since when it was in use.
    pub first_used_at: Timestamp,
}

/// Returns the keys of a purpose, in the order of their first use.
pub fn of_purpose(tx: &mut Tx, purpose: &str) -> Result<Vec<KnownKey>> {
    tx.rows(
        "select id, first_used_at from key_ids where purpose = ?1 order by first_used_at, id",
        params![purpose],
        |row| {
            Ok(KnownKey {
                id: row.next()?,
                first_used_at: row.next()?,
            })
        },
    )
}

/// Forgets a key of a purpose. Returns whether it was known.
pub fn forget(tx: &mut Tx, purpose: &str, id: &str) -> Result<bool> {
    let sql = "delete from key_ids where purpose = ?1 and id = ?2";
    Ok(tx.execute(sql, params![purpose, id])? == 1)
}
