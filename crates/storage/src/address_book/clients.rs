//! Clients: the people and entities on whose behalf a notary pays.

use cabinet_domain::{Client, ClientId, Inn, NotaryId, PersonName, search_key};
use jiff::Timestamp;

use crate::cart::acts;
use crate::deal::deal_traces;
use crate::engine::error::Result;
use crate::engine::row::{Row, unless_damaged};
use crate::engine::search::{pattern, words};
use crate::engine::search_index::{self, next};
use crate::engine::tx::Tx;
use crate::engine::value::{Bind as _, Value, params};
use crate::locks::LockedNotary;

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
/// notary's last one, also one whom the notary has taken out of the address book. Two parallel payments make one client.
pub fn upsert(
    tx: &mut Tx,
    notary: &LockedNotary,
    fresh: ClientId,
    inn: &Inn,
    full_name: &PersonName,
    now: Timestamp,
) -> Result<Client> {
    let known = mark_used(tx, (notary.id(), inn, full_name), now)?;
    let id = known.unwrap_or(fresh);
    if known.is_none() {
        tx.execute(
            "insert into clients (id, notary_id, inn, full_name, search_key, created_at, used_at)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
            params![id, notary, inn, full_name, key_of(inn, full_name), now],
        )?;
        search_index::keep_client(tx, id)?;
    }
    Ok(Client {
        id,
        inn: inn.clone(),
        full_name: full_name.clone(),
    })
}

/// Makes a known client the notary's last one. Most payments are for a known client.
fn mark_used(
    tx: &mut Tx,
    (notary, inn, full_name): (NotaryId, &Inn, &PersonName),
    now: Timestamp,
) -> Result<Option<ClientId>> {
    if tx.sqlite().is_none() {
        let sql = "update clients set used_at = ?4, removed_at = null
                   where notary_id = ?1 and inn = ?2 and full_name = ?3 returning id";
        let values = params![notary, inn, full_name, now];
        return tx.row_optional(sql, values, |row| row.next());
    }
    // SQLite builds a table in memory for `returning`, which takes longer than both of these.
    let sql = "select id from clients where notary_id = ?1 and inn = ?2 and full_name = ?3";
    let known: Option<ClientId> =
        tx.row_optional(sql, params![notary, inn, full_name], |row| row.next())?;
    if known.is_some() {
        let sql = "update clients set used_at = ?2, removed_at = null where id = ?1";
        tx.execute(sql, params![known, now])?;
    }
    Ok(known)
}

/// Returns a client of this notary.
pub fn client_of(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Option<Client>> {
    let sql = "select id, inn, full_name from clients where id = ?1 and notary_id = ?2";
    tx.row_optional(sql, params![client, notary], read)
}

/// Clients that a search of PostgreSQL compares before it asks its index.
const COMPARED_FIRST: usize = 64;
/// Clients that it compares then, each time where those before let expect that they fill the page.
const COMPARED_NEXT: [usize; 2] = [256, 1_024];

/// Returns a page of at most `limit` clients of the address book, the last used first. To learn whether there are more, ask for one
/// more. The page after a client of another notary is empty. A search needs `Store::search`: on SQLite, and for words of one or two
/// letters, it compares all clients of the notary.
pub fn page_of(
    tx: &mut Tx,
    notary: NotaryId,
    filter: &ClientFilter,
    limit: u32,
) -> Result<Vec<ListedClient>> {
    let words = words(&search_key(filter.search.as_deref().unwrap_or_default()));
    let search = Search {
        before: filter.before,
        patterns: words.iter().map(|word| pattern(word)).collect(),
        limit: i64::from(limit),
    };
    let parts: Vec<String> = words
        .iter()
        .filter_map(|word| search_index::asked_parts(word))
        .collect();
    if parts.is_empty() || tx.sqlite().is_some() {
        return search.rows(tx, "clients c", notary);
    }
    search.by_index(tx, notary, &parts.join(" "))
}

/// Which clients of a notary are wanted.
struct Search {
    /// Used before this one.
    before: Option<ClientId>,
    /// Each occurs in the search key.
    patterns: Vec<String>,
    limit: i64,
}

impl Search {
    /// Returns the clients `c` of a source that match, the last used first.
    fn rows(&self, tx: &mut Tx, source: &str, notary: NotaryId) -> Result<Vec<ListedClient>> {
        let mut values = vec![notary.value()];
        let sql = self.sql(source, &mut values);
        tx.rows(&sql, &values, read_listed)
    }

    /// Returns the statement for the clients `c` of a source that match, the last used first. The notary is the first of the values.
    fn sql<'v>(&'v self, source: &str, values: &mut Vec<Value<'v>>) -> String {
        let mut sql = format!(
            "select c.id, c.inn, c.full_name, c.used_at from {source}
             where c.notary_id = ?1 and c.erased_at is null and c.removed_at is null"
        );
        if let Some(before) = &self.before {
            sql.push_str(&format!(
                " and (c.used_at, c.id) < (select b.used_at, b.id from clients b where b.id = {} and b.notary_id = ?1)",
                next(values, before)
            ));
        }
        for pattern in &self.patterns {
            sql.push_str(&format!(
                " and c.search_key like {} escape '\\'",
                next(values, pattern)
            ));
        }
        sql.push_str(&format!(
            " order by c.used_at desc, c.id desc limit {}",
            next(values, &self.limit)
        ));
        sql
    }

    /// Returns the clients that match, the last used first. What occurs often is found among those that were used last; otherwise those are
    /// looked up that the index of PostgreSQL names. `parts` is what the index is asked for.
    fn by_index(&self, tx: &mut Tx, notary: NotaryId, parts: &String) -> Result<Vec<ListedClient>> {
        let (mut found, is_asked) = self.last_used_or_named(tx, notary, parts)?;
        if is_asked {
            return Ok(found);
        }
        let wanted = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let is_full = |found: &[ListedClient]| found.len() >= wanted;
        let mut compared = COMPARED_FIRST;
        for next in COMPARED_NEXT {
            if is_full(&found) || found.len() * next < wanted.saturating_mul(compared) {
                break;
            }
            found = self.rows(tx, &last_used(next), notary)?;
            compared = next;
        }
        if is_full(&found) {
            return Ok(found);
        }
        let mut values = vec![notary.value()];
        let sql = self.named_sql(parts, &mut values);
        tx.rows(&sql, &values, read_listed)
    }

    /// Compares the first clients, those that were used last. Where they don't let expect that more of them fill the page, returns those that
    /// the index names, all in one statement: to ask twice takes as long as the index. Also returns whether it was asked.
    fn last_used_or_named(
        &self,
        tx: &mut Tx,
        notary: NotaryId,
        parts: &String,
    ) -> Result<(Vec<ListedClient>, bool)> {
        let mut values = vec![notary.value()];
        let last_used = self.sql(&last_used(COMPARED_FIRST), &mut values);
        let named = self.named_sql(parts, &mut values);
        let [more, _] = COMPARED_NEXT;
        let sql = format!(
            "with compared as materialized ({last_used}), asked as (select count(*) * {more} < {} * {COMPARED_FIRST} as is_asked from compared)
             select found.*, (select is_asked from asked) from (select * from compared where not (select is_asked from asked)
                 union all select * from ({named}) named where (select is_asked from asked)) found
             order by used_at desc, id desc",
            next(&mut values, &self.limit)
        );
        let rows: Vec<(ListedClient, bool)> =
            tx.rows(&sql, &values, |row| Ok((read_listed(row)?, row.next()?)))?;
        // Where nothing was compared that fits, it was asked, too.
        let is_asked = rows.first().is_none_or(|(_, is_asked)| *is_asked);
        let found = rows.into_iter().map(|(client, _)| client).collect();
        Ok((found, is_asked))
    }

    /// Returns the statement for the clients that the index names and that match, the last used first.
    fn named_sql<'v>(&'v self, parts: &'v String, values: &mut Vec<Value<'v>>) -> String {
        let ids = search_index::clients_sql(parts, values);
        // Of an array the planner believes that it is short, so each client who is named is looked up.
        let named = format!("(select * from clients n where n.id = any(array({ids}))) c");
        self.sql(&named, values)
    }
}

/// A source of so many clients `c` of a notary, the last used first.
fn last_used(count: usize) -> String {
    format!(
        "(select * from clients b where b.notary_id = ?1 order by b.used_at desc, b.id desc limit {count}) c"
    )
}

fn read_listed(row: &mut Row<'_>) -> Result<ListedClient> {
    Ok(ListedClient {
        client: read(row)?,
        used_at: row.next()?,
    })
}

/// Takes a client out of the address book. Orders and the cart keep the client. Returns false if it is not there.
pub fn remove(
    tx: &mut Tx,
    notary: &LockedNotary,
    client: ClientId,
    now: Timestamp,
) -> Result<bool> {
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
        search_index::keep_client(tx, client.id)?;
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
/// deals without any. A payment that is added for such a client at the same time comes before this or after it.
pub(crate) fn purge_unused(tx: &mut Tx, notary: &LockedNotary) -> Result<u64> {
    acts::purge_unused(tx, notary)?;
    deal_traces::purge_unused(tx, notary)?;
    tx.execute(
        "delete from clients where notary_id = ?1
             and not exists (select 1 from orders o where o.client_id = clients.id)
             and not exists (select 1 from cart_items i where i.client_id = clients.id)",
        params![notary],
    )
}
