//! Clients: the people and entities on whose behalf a notary pays.

pub use cabinet_domain::Client;
use cabinet_domain::{ClientId, Inn, NotaryId, PersonName};
use jiff::Timestamp;

use crate::error::Result;
use crate::notaries::lock;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::params;

pub(crate) fn read(row: &mut Row<'_>) -> Result<Client> {
    Ok(Client {
        id: row.next()?,
        inn: row.next()?,
        full_name: row.next()?,
    })
}

/// The client with this code and name, made with the id `fresh` if there is none yet. Counts as the notary's last one
/// from now on. Locks the notary, so that two payments at once make one client.
///
/// # Errors
/// Those of the database.
pub fn upsert(
    tx: &mut Tx,
    fresh: ClientId,
    notary: NotaryId,
    inn: &Inn,
    full_name: &PersonName,
    now: Timestamp,
) -> Result<Client> {
    // Looked for first: nearly every payment is for a client who is known, and `returning` makes SQLite build a table in memory
    // each time.
    lock(tx, notary)?;
    let known = tx.row_optional(
        "select id from clients where notary_id = ?1 and inn = ?2 and full_name = ?3",
        params![notary, inn, full_name],
        |row| row.next::<ClientId>(),
    )?;
    let id = known.unwrap_or(fresh);
    if known.is_some() {
        tx.execute(
            "update clients set used_at = ?2 where id = ?1",
            params![id, now],
        )?;
    } else {
        tx.execute(
            "insert into clients (id, notary_id, inn, full_name, created_at, used_at) values (?1, ?2, ?3, ?4, ?5, ?5)",
            params![id, notary, inn, full_name, now],
        )?;
    }
    Ok(Client {
        id,
        inn: inn.clone(),
        full_name: full_name.clone(),
    })
}

/// A client of this notary.
///
/// # Errors
/// Those of the database.
pub fn client_of(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Option<Client>> {
    let sql = "select id, inn, full_name from clients where id = ?1 and notary_id = ?2";
    tx.row_optional(sql, params![client, notary], read)
}

/// The client that the notary worked for last.
///
/// # Errors
/// Those of the database.
pub fn last_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<Client>> {
    let sql = "select id, inn, full_name from clients where notary_id = ?1 order by used_at desc, id desc limit 1";
    tx.row_optional(sql, params![notary], read)
}
