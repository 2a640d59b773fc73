//! The ids of keys that were in use, by purpose. The keys themselves are stored nowhere.

use jiff::Timestamp;

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// Remembers a key. One that is known stays as it is.
pub fn remember(tx: &mut Tx, purpose: &str, id: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into key_ids (purpose, id, first_used_at) values (?1, ?2, ?3) on conflict (purpose, id) do nothing",
        params![purpose, id, now],
    )
    .map(|_| ())
}

/// Returns the keys of a purpose, in the order of their first use.
pub fn of_purpose(tx: &mut Tx, purpose: &str) -> Result<Vec<String>> {
    tx.rows(
        "select id from key_ids where purpose = ?1 order by first_used_at, id",
        params![purpose],
        |row| row.next(),
    )
}

/// Forgets the keys of a purpose. Returns how many they were.
pub fn forget(tx: &mut Tx, purpose: &str) -> Result<u64> {
    tx.execute("delete from key_ids where purpose = ?1", params![purpose])
}
