//! Recipients that notaries have saved.

use cabinet_domain::{NotaryId, OwnRecipient, OwnRecipientId};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedNotary;

const COLUMNS: &str = "id, title, recipient_name, iban, okpo, cbc_code, purpose";

fn read(row: &mut Row<'_>) -> Result<OwnRecipient> {
    Ok(OwnRecipient {
        id: row.next()?,
        title: row.next()?,
        recipient_name: row.next()?,
        iban: row.next()?,
        okpo: row.next()?,
        cbc_code: row.next()?,
        purpose: row.next()?,
    })
}

/// Returns the saved recipients of a notary, the one that was changed last first.
pub fn all_of(tx: &mut Tx, notary: NotaryId) -> Result<Vec<OwnRecipient>> {
    let sql = format!(
        "select {COLUMNS} from own_recipients where notary_id = ?1 order by updated_at desc, id desc"
    );
    tx.rows(&sql, params![notary], read)
}

/// Returns a saved recipient of this notary.
pub fn by_id(
    tx: &mut Tx,
    notary: NotaryId,
    recipient: OwnRecipientId,
) -> Result<Option<OwnRecipient>> {
    let sql = format!("select {COLUMNS} from own_recipients where id = ?1 and notary_id = ?2");
    tx.row_optional(&sql, params![recipient, notary], read)
}

/// Returns how many recipients a notary has saved.
pub fn count_of(tx: &mut Tx, notary: NotaryId) -> Result<i64> {
    let sql = "select count(*) as recipients from own_recipients where notary_id = ?1";
    tx.row(sql, params![notary], |row| row.next())
}

/// Stores a new recipient.
pub fn insert(
    tx: &mut Tx,
    notary: &LockedNotary,
    recipient: &OwnRecipient,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into own_recipients
             (id, notary_id, title, recipient_name, iban, okpo, cbc_code, purpose, created_at, updated_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
        params![
            recipient.id,
            notary,
            recipient.title,
            recipient.recipient_name,
            recipient.iban,
            recipient.okpo,
            recipient.cbc_code,
            recipient.purpose,
            now
        ],
    )
    .map(|_| ())
}

/// Replaces a recipient of this notary.
pub fn update(
    tx: &mut Tx,
    notary: &LockedNotary,
    recipient: &OwnRecipient,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "update own_recipients set title = ?3, recipient_name = ?4, iban = ?5, okpo = ?6, cbc_code = ?7, purpose = ?8,
             updated_at = ?9 where id = ?1 and notary_id = ?2",
        params![
            recipient.id,
            notary,
            recipient.title,
            recipient.recipient_name,
            recipient.iban,
            recipient.okpo,
            recipient.cbc_code,
            recipient.purpose,
            now
        ],
    )
    .map(|_| ())
}

/// Deletes a recipient of this notary.
pub fn delete(tx: &mut Tx, notary: &LockedNotary, recipient: OwnRecipientId) -> Result<()> {
    tx.execute(
        "delete from own_recipients where id = ?1 and notary_id = ?2",
        params![recipient, notary],
    )
    .map(|_| ())
}
