//! Clients: the people and entities on whose behalf a notary pays.

use cabinet_domain::{Client, ClientId, Inn, NotaryId, PersonName};
use jiff::Timestamp;

use crate::acts;
use crate::deal_traces;
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

/// Returns the client with this code and name, inserted with the id `fresh` if there is none yet, and makes it the
/// notary's last one. Locks the notary, so that two parallel payments make one client.
pub fn upsert(
    tx: &mut Tx,
    fresh: ClientId,
    notary: NotaryId,
    inn: &Inn,
    full_name: &PersonName,
    now: Timestamp,
) -> Result<Client> {
    // Looked up first: most payments are for a known client, and `returning` makes SQLite build a table in memory.
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

/// Returns a client of this notary.
pub fn client_of(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Option<Client>> {
    let sql = "select id, inn, full_name from clients where id = ?1 and notary_id = ?2";
    tx.row_optional(sql, params![client, notary], read)
}

/// Returns the client of the latest payment who was not erased.
pub fn last_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<Client>> {
    let sql = "select id, inn, full_name from clients where notary_id = ?1 and erased_at is null
               order by used_at desc, id desc limit 1";
    tx.row_optional(sql, params![notary], read)
}

/// Returns the clients of the latest payments who were not erased, the latest first.
pub fn latest_of(tx: &mut Tx, notary: NotaryId, limit: u32) -> Result<Vec<Client>> {
    let sql = "select id, inn, full_name from clients where notary_id = ?1 and erased_at is null
               order by used_at desc, id desc limit ?2";
    tx.rows(sql, params![notary, limit], read)
}

/// Returns the clients of a notary, those who were erased but are still named by orders included.
pub fn all_of(tx: &mut Tx, notary: NotaryId) -> Result<Vec<Client>> {
    let sql = "select id, inn, full_name from clients where notary_id = ?1 order by created_at, id";
    tx.rows(sql, params![notary], read)
}

/// Deletes the clients of a notary that no item of a cart and no order names, the acts of groups without items, and
/// deals without any. The notary must be locked: a payment that is
/// added for such a client at the same time would fail otherwise.
pub(crate) fn purge_unused(tx: &mut Tx, notary: NotaryId) -> Result<u64> {
    acts::purge_unused(tx, notary)?;
    deal_traces::purge_unused(tx, notary)?;
    tx.execute(
        "delete from clients where notary_id = ?1
             and not exists (select 1 from orders o where o.client_id = clients.id)
             and not exists (select 1 from cart_items i where i.client_id = clients.id)",
        params![notary],
    )
}
