//! Clients: the people and entities on whose behalf a notary pays.

use cabinet_domain::{Client, ClientId, Inn, NotaryId, PersonName, search_key};
use jiff::Timestamp;

use crate::acts;
use crate::deal_traces;
use crate::error::Result;
use crate::notaries::lock;
use crate::row::{Row, unless_damaged};
use crate::search::patterns;
use crate::tx::Tx;
use crate::value::{Bind, params};

/// Which clients of the address book are listed.
#[derive(Clone, Debug, Default)]
pub struct ClientFilter {
    /// Every word of it occurs in the name or the code.
    pub search: Option<String>,
    /// Used before this client, who is the last one of the previous page.
    pub before: Option<ClientId>,
}

/// A client of the address book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedClient {
    /// The client.
    pub client: Client,
    /// When a payment for the client was last added to the cart.
    pub used_at: Timestamp,
}

fn key_of(inn: &Inn, full_name: &PersonName) -> String {
    search_key(&format!("{} {}", full_name.as_str(), inn.as_str()))
}

pub(crate) fn read(row: &mut Row<'_>) -> Result<Client> {
    Ok(Client {
        id: row.next()?,
        inn: row.next()?,
        full_name: row.next()?,
    })
}

/// Returns the client with this code and name, inserted with the id `fresh` if there is none yet, and makes it the
/// notary's last one, also one whom the notary has taken out of the address book. Locks the notary, so that two parallel payments make one client.
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
            "update clients set used_at = ?2, removed_at = null where id = ?1",
            params![id, now],
        )?;
    } else {
        tx.execute(
            "insert into clients (id, notary_id, inn, full_name, search_key, created_at, used_at)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
            params![id, notary, inn, full_name, key_of(inn, full_name), now],
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

/// Returns a page of at most `limit` clients of the address book, the last used first. To learn whether there are more, ask for one
/// more. The page after a client of another notary is empty. A search needs `Store::read_long`.
pub fn page_of(
    tx: &mut Tx,
    notary: NotaryId,
    filter: &ClientFilter,
    limit: u32,
) -> Result<Vec<ListedClient>> {
    let patterns = patterns(&search_key(filter.search.as_deref().unwrap_or_default()));
    let mut values = vec![notary.value(), limit.value()];
    let mut sql = "select id, inn, full_name, used_at from clients
         where notary_id = ?1 and erased_at is null and removed_at is null"
        .to_owned();
    if let Some(before) = &filter.before {
        values.push(before.value());
        sql.push_str(
            " and (used_at, id) < (select b.used_at, b.id from clients b where b.id = ?3 and b.notary_id = ?1)",
        );
    }
    for pattern in &patterns {
        values.push(pattern.value());
        let place = values.len();
        sql.push_str(&format!(" and search_key like ?{place} escape '\\'"));
    }
    sql.push_str(" order by used_at desc, id desc limit ?2");
    tx.rows(&sql, &values, |row| {
        Ok(ListedClient {
            client: read(row)?,
            used_at: row.next()?,
        })
    })
}

/// Takes a client out of the address book. Orders and the cart keep the client. Returns false if it is not there.
pub fn remove(tx: &mut Tx, notary: NotaryId, client: ClientId, now: Timestamp) -> Result<bool> {
    lock(tx, notary)?;
    let removed = tx.execute(
        "update clients set removed_at = ?3
         where id = ?1 and notary_id = ?2 and removed_at is null and erased_at is null",
        params![client, notary, now],
    )?;
    purge_unused(tx, notary)?;
    Ok(removed > 0)
}

/// Gives at most `limit` clients of an earlier version the key by which they are found. Leaves out those that can't be read. Returns the
/// number of the others.
pub fn fill_search_keys(tx: &mut Tx, limit: u32) -> Result<usize> {
    let sql = "select id, inn, full_name from clients where search_key is null and erased_at is null limit ?1";
    let found = tx.rows(sql, params![limit], |row| unless_damaged(read(row)))?;
    let clients: Vec<Client> = found.into_iter().flatten().collect();
    for client in &clients {
        tx.execute(
            "update clients set search_key = ?2 where id = ?1",
            params![client.id, key_of(&client.inn, &client.full_name)],
        )?;
    }
    Ok(clients.len())
}

/// Returns the client of the latest payment who is in the address book.
pub fn last_of(tx: &mut Tx, notary: NotaryId) -> Result<Option<Client>> {
    let sql = "select id, inn, full_name from clients where notary_id = ?1 and erased_at is null and removed_at is null
               order by used_at desc, id desc limit 1";
    tx.row_optional(sql, params![notary], read)
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
