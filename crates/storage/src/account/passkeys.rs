//! Passkeys of notaries.

use cabinet_domain::{Line, NotaryId, Passkey, PasskeyId};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedNotary;

const COLUMNS: &str = "id, notary_id, label, credential_id, public_key, sign_count, is_backup_eligible, is_backed_up, created_at, last_used_at";

fn read(row: &mut Row<'_>) -> Result<Passkey> {
    Ok(Passkey {
        id: row.next()?,
        notary_id: row.next()?,
        label: row.next()?,
        credential_id: row.next()?,
        public_key: row.next()?,
        sign_count: row.next()?,
        is_backup_eligible: row.next()?,
        is_backed_up: row.next()?,
        created_at: row.next()?,
        last_used_at: row.next()?,
    })
}

/// Stores a passkey. Returns false if there is one with this id of the authenticator, whoever's. Passkeys that are added at the same time
/// are counted one after the other.
pub fn insert(tx: &mut Tx, notary: &LockedNotary, passkey: &Passkey) -> Result<bool> {
    let sql = format!(
        "insert into notary_passkeys ({COLUMNS}) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         on conflict (credential_id) do nothing"
    );
    let stored = tx.execute(
        &sql,
        params![
            passkey.id,
            notary,
            passkey.label,
            passkey.credential_id,
            passkey.public_key,
            passkey.sign_count,
            passkey.is_backup_eligible,
            passkey.is_backed_up,
            passkey.created_at,
            passkey.last_used_at,
        ],
    )?;
    Ok(stored == 1)
}

/// Returns the passkeys of a notary, the oldest first.
pub fn of_notary(tx: &mut Tx, notary: NotaryId) -> Result<Vec<Passkey>> {
    let sql = format!(
        "select {COLUMNS} from notary_passkeys where notary_id = ?1 order by created_at, id"
    );
    tx.rows(&sql, params![notary], read)
}

/// Returns a passkey by the id that its authenticator gave it. Locks it in a unit of work that may write.
pub fn by_credential(tx: &mut Tx, credential_id: &[u8]) -> Result<Option<Passkey>> {
    let sql = format!(
        "select {COLUMNS} from notary_passkeys where credential_id = ?1{}",
        tx.lock_clause()
    );
    tx.row_optional(&sql, params![credential_id], read)
}

/// Returns a passkey of a notary.
pub fn by_id(tx: &mut Tx, notary: NotaryId, passkey: PasskeyId) -> Result<Option<Passkey>> {
    let sql = format!("select {COLUMNS} from notary_passkeys where notary_id = ?1 and id = ?2");
    tx.row_optional(&sql, params![notary, passkey], read)
}

/// Gives a passkey of a notary another label. Returns false if there is none.
pub fn rename(tx: &mut Tx, notary: NotaryId, passkey: PasskeyId, label: &Line) -> Result<bool> {
    let sql = "update notary_passkeys set label = ?3 where notary_id = ?1 and id = ?2";
    Ok(tx.execute(sql, params![notary, passkey, label])? == 1)
}

/// Records that a passkey has signed its notary in, or proved what she wants.
pub fn record_use(
    tx: &mut Tx,
    passkey: PasskeyId,
    sign_count: u32,
    is_backed_up: bool,
    now: Timestamp,
) -> Result<()> {
    let sql = "update notary_passkeys set sign_count = ?2, is_backed_up = ?3, last_used_at = ?4 where id = ?1";
    tx.execute(sql, params![passkey, sign_count, is_backed_up, now])
        .map(|_| ())
}

/// Deletes a passkey of a notary. Returns false if there is none.
pub fn delete(tx: &mut Tx, notary: &LockedNotary, passkey: PasskeyId) -> Result<bool> {
    let sql = "delete from notary_passkeys where notary_id = ?1 and id = ?2";
    Ok(tx.execute(sql, params![notary, passkey])? == 1)
}

/// Deletes all passkeys of a notary.
pub fn delete_all(tx: &mut Tx, notary: &LockedNotary) -> Result<u64> {
    let sql = "delete from notary_passkeys where notary_id = ?1";
    tx.execute(sql, params![notary])
}
