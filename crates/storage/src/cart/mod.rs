//! The cart: items that are not ordered yet, grouped by client.
//!
//! Who changes a cart has locked its notary, as who makes an order of it: both run one after another.

pub(crate) mod acts;
pub mod complaints;
pub mod items;
pub mod known_payments;

use std::collections::HashMap;
use std::sync::LazyLock;

use cabinet_domain::{
    CartAddition, CartGroup, CartItem, CartSummary, Client, ClientId, Count, ItemContent, ItemId,
    NotarialAct, NotaryId,
};
use jiff::Timestamp;

use crate::address_book::clients;
use crate::cart::items::{COLUMN_COUNT, COLUMNS, placeholders};
use crate::engine::changes::Change;
use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::{Bind, Value, params};
use crate::locks::LockedNotary;

fn read_item(row: &mut Row<'_>) -> Result<CartItem> {
    Ok(CartItem {
        id: row.next()?,
        created_at: row.next()?,
        content: items::read(row)?,
    })
}

static INSERT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "insert into cart_items (id, notary_id, client_id, created_at, {COLUMNS}) values ({})",
        placeholders(1, 4 + COLUMN_COUNT)
    )
});

/// Returns the cart before an item is added to it, where asking that costs nothing: on SQLite it takes the place of the question after the
/// change, and a refusal before any change spares the units of work beside it from running again. `None` on PostgreSQL, where the change
/// itself tells.
pub fn before_adding(tx: &mut Tx, notary: &LockedNotary) -> Result<Option<CartSummary>> {
    // SQLite builds a table in memory for `returning`, which takes longer than another statement.
    if tx.sqlite().is_none() {
        return Ok(None);
    }
    standing(tx, notary.id()).map(|cart| Some(cart.unwrap_or_default()))
}

/// Adds an item. Returns the cart as it is with it.
pub fn add(
    tx: &mut Tx,
    notary: &LockedNotary,
    client: ClientId,
    item: &CartItem,
) -> Result<CartSummary> {
    let before = before_adding(tx, notary)?;
    add_to(tx, before, (notary, client), item)
}

/// Adds an item to the cart that [`before_adding`] has told. Returns the cart as it is with it: whoever adds compares that with the limits, and
/// undoes the unit of work.
pub fn add_to(
    tx: &mut Tx,
    before: Option<CartSummary>,
    (notary, client): (&LockedNotary, ClientId),
    item: &CartItem,
) -> Result<CartSummary> {
    let mut values = vec![
        item.id.value(),
        notary.value(),
        client.value(),
        item.created_at.value(),
    ];
    items::values(&item.content, &mut values);
    tx.execute(&INSERT, &values)?;
    tx.announce(Change::Cart(notary.id()));
    // May exceed `Money::MAX`.
    let total = i64::from(item.content.count.get()) * item.content.price.sum.kopiykas();
    let params = params![notary, total];
    let change = "update carts set version = version + 1, items_count = items_count + 1, total = total + ?2 where notary_id = ?1";
    let grown = match before {
        None => {
            let change = format!("{change} returning version, items_count, total");
            tx.row_optional(&change, params, read_summary)?
        }
        Some(before) => (tx.execute(change, params)? == 1).then(|| before.with_one_of(total)),
    };
    if let Some(grown) = grown {
        return Ok(grown);
    }
    tx.execute(
        "insert into carts (notary_id, version, items_count, total) values (?1, 1, 1, ?2)",
        params,
    )?;
    Ok(CartSummary {
        version: 1,
        items_count: 1,
        total,
    })
}

fn standing(tx: &mut Tx, notary: NotaryId) -> Result<Option<CartSummary>> {
    let sql = "select version, items_count, total from carts where notary_id = ?1";
    tx.row_optional(sql, params![notary], read_summary)
}

fn read_summary(row: &mut Row<'_>) -> Result<CartSummary> {
    Ok(CartSummary {
        version: row.next()?,
        items_count: row.next()?,
        total: row.next()?,
    })
}

/// Increases the version of a cart and recounts it. Whatever changes the result of [`groups_of`] must call this in the
/// same unit of work. A cart with items always has its row.
pub(crate) fn record_change(tx: &mut Tx, notary: &LockedNotary) -> Result<()> {
    tx.announce(Change::Cart(notary.id()));
    tx.execute(
        "update carts set version = version + 1,
             items_count = (select count(*) from cart_items i where i.notary_id = ?1 and i.deleted_at is null),
             total = (select cast(coalesce(sum(i.count * (i.amount + i.commission)), 0) as bigint)
                      from cart_items i where i.notary_id = ?1 and i.deleted_at is null)
         where notary_id = ?1",
        params![notary],
    )
    .map(|_| ())
}

/// Runs a statement that changes one item of the cart. Returns whether the item was there.
fn change_item(
    tx: &mut Tx,
    notary: &LockedNotary,
    sql: &str,
    params: &[Value<'_>],
) -> Result<bool> {
    let changed = tx.execute(sql, params)? == 1;
    if changed {
        record_change(tx, notary)?;
    }
    Ok(changed)
}

/// Returns version, number of items and total of the cart.
pub fn summary(tx: &mut Tx, notary: NotaryId) -> Result<CartSummary> {
    Ok(standing(tx, notary)?.unwrap_or_default())
}

/// Returns all groups with one query, ordered by their oldest item.
pub fn groups_of(tx: &mut Tx, notary: NotaryId) -> Result<Vec<CartGroup>> {
    groups(tx, &LIST, params![notary], |_, _| Ok(()))
}

/// Like [`groups_of`], with the number of the latest complaint about each item that has one.
pub fn groups_and_complaints(
    tx: &mut Tx,
    notary: NotaryId,
) -> Result<(Vec<CartGroup>, HashMap<ItemId, i64>)> {
    let mut complaints = HashMap::new();
    let groups = groups(tx, &LIST_WITH_COMPLAINTS, params![notary], |row, item| {
        if let Some(number) = row.next()? {
            complaints.insert(item, number);
        }
        Ok(())
    })?;
    Ok((groups, complaints))
}

/// Returns what is in all carts, of whomever. For the operator.
pub fn all_contents(tx: &mut Tx) -> Result<Vec<ItemContent>> {
    let mut contents = Vec::new();
    tx.rows(&ALL_CONTENTS, params![], |row| {
        contents.push(items::read(row)?);
        Ok(())
    })?;
    Ok(contents)
}

static ALL_CONTENTS: LazyLock<String> = LazyLock::new(|| {
    format!("select {COLUMNS} from cart_items where deleted_at is null order by created_at, id")
});

/// Returns the group of one client, unless it is empty.
pub fn group_of(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Option<CartGroup>> {
    Ok(groups(tx, &LIST_OF_CLIENT, params![notary, client], |_, _| Ok(()))?.pop())
}

fn list_sql((column, join): (&str, &str), condition: &str) -> String {
    let content: Vec<String> = COLUMNS
        .split(", ")
        .map(|column| format!("i.{}", column.trim()))
        .collect();
    format!(
        "select c.id as client_id, c.inn, c.full_name, a.register_number, a.act_on, a.object, i.id, i.created_at, {}{column}
         from cart_items i join clients c on c.id = i.client_id left join cart_acts a on a.client_id = i.client_id{join}
         where i.notary_id = ?1 and i.deleted_at is null{condition}
         order by i.created_at, i.id",
        content.join(", ")
    )
}

static LIST: LazyLock<String> = LazyLock::new(|| list_sql(("", ""), ""));
static LIST_OF_CLIENT: LazyLock<String> =
    LazyLock::new(|| list_sql(("", ""), " and i.client_id = ?2"));
static LIST_WITH_COMPLAINTS: LazyLock<String> = LazyLock::new(|| {
    let latest = " left join (select item_id, max(number) as number from complaints
             where notary_id = ?1 and number is not null group by item_id) p on p.item_id = i.id";
    list_sql((", p.number", latest), "")
});

/// Returns groups. `and` reads what stands after each item in its row.
fn groups(
    tx: &mut Tx,
    sql: &str,
    params: &[Value<'_>],
    mut and: impl FnMut(&mut Row<'_>, ItemId) -> Result<()>,
) -> Result<Vec<CartGroup>> {
    let mut groups: Vec<CartGroup> = Vec::new();
    tx.rows(sql, params, |row| {
        let id: ClientId = row.next()?;
        let known = groups.iter().position(|group| group.client.id == id);
        let place = known.unwrap_or(groups.len());
        if known.is_some() {
            row.skip(5);
        } else {
            groups.push(CartGroup {
                client: Client {
                    id,
                    inn: row.next()?,
                    full_name: row.next()?,
                },
                act: acts::read(row)?,
                items: Vec::new(),
            });
        }
        let item = read_item(row)?;
        and(row, item.id)?;
        groups[place].items.push(item);
        Ok(())
    })?;
    Ok(groups)
}

static BY_ID: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select client_id, id, created_at, {COLUMNS} from cart_items
         where id = ?1 and notary_id = ?2 and deleted_at is null"
    )
});

/// Returns an item of this notary's cart with the id of its client. Deleted items are not found.
pub fn item_of(
    tx: &mut Tx,
    notary: NotaryId,
    item: ItemId,
) -> Result<Option<(ClientId, CartItem)>> {
    tx.row_optional(&BY_ID, params![item, notary], |row| {
        Ok((row.next()?, read_item(row)?))
    })
}

/// Sets the number of units. Returns false if the item is not in this notary's cart.
pub fn set_count(tx: &mut Tx, notary: &LockedNotary, item: ItemId, count: Count) -> Result<bool> {
    let sql =
        "update cart_items set count = ?3 where id = ?1 and notary_id = ?2 and deleted_at is null";
    change_item(tx, notary, sql, params![item, notary, count])
}

static REPLACE: LazyLock<String> = LazyLock::new(|| {
    let assignments: Vec<String> = COLUMNS
        .split(", ")
        .enumerate()
        .map(|(index, column)| format!("{} = ?{}", column.trim(), index + 3))
        .collect();
    format!(
        "update cart_items set {} where id = ?1 and notary_id = ?2 and deleted_at is null",
        assignments.join(", ")
    )
});

/// Replaces the content of an item. Returns false if the item is not in this notary's cart.
pub fn replace_content(
    tx: &mut Tx,
    notary: &LockedNotary,
    item: ItemId,
    content: &ItemContent,
) -> Result<bool> {
    let mut values = vec![item.value(), notary.value()];
    items::values(content, &mut values);
    change_item(tx, notary, &REPLACE, &values)
}

/// Replaces the content of an item and moves it from the group of a client to that of another, where it keeps its time. The last item
/// of a group takes along what was entered of the act, unless the other group has an act of its own. Returns false if the item is not
/// in this notary's cart.
pub fn replace(
    tx: &mut Tx,
    notary: &LockedNotary,
    item: ItemId,
    (from, to): (ClientId, ClientId),
    content: &ItemContent,
) -> Result<bool> {
    let replaced = replace_content(tx, notary, item, content)?;
    if replaced && from != to {
        let sql = "update cart_items set client_id = ?3 where id = ?1 and notary_id = ?2";
        tx.execute(sql, params![item, notary, to])?;
        if !has_group(tx, notary.id(), from)? {
            let act = acts::take_from_cart(tx, from)?;
            return_act(tx, notary, to, &act)?;
        }
        clients::purge_unused(tx, notary)?;
    }
    Ok(replaced)
}

/// Whether the notary's cart has items for a client.
fn has_group(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<bool> {
    let sql = "select 1 from cart_items where notary_id = ?1 and client_id = ?2 and deleted_at is null limit 1";
    let found = tx.row_optional(sql, params![notary, client], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Whether an item was deleted from this notary's cart and can still be restored.
pub fn is_deleted(tx: &mut Tx, notary: NotaryId, item: ItemId) -> Result<bool> {
    let sql =
        "select 1 from cart_items where id = ?1 and notary_id = ?2 and deleted_at is not null";
    let found = tx.row_optional(sql, params![item, notary], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Marks an item as deleted; [`restore`] brings it back. Returns false if it is not in this notary's cart.
pub fn delete(tx: &mut Tx, notary: &LockedNotary, item: ItemId, now: Timestamp) -> Result<bool> {
    let sql = "update cart_items set deleted_at = ?3 where id = ?1 and notary_id = ?2 and deleted_at is null";
    change_item(tx, notary, sql, params![item, notary, now])
}

/// Restores a deleted item. Returns false if this notary has no such item, or if it was removed for good.
pub fn restore(tx: &mut Tx, notary: &LockedNotary, item: ItemId) -> Result<bool> {
    let sql = "update cart_items set deleted_at = null where id = ?1 and notary_id = ?2 and deleted_at is not null";
    change_item(tx, notary, sql, params![item, notary])
}

/// Returns what is known of the act of a client's group.
pub fn act_of(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<NotarialAct> {
    let sql = "select register_number, act_on, object from cart_acts where notary_id = ?1 and client_id = ?2";
    let act = tx.row_optional(sql, params![notary, client], acts::read)?;
    Ok(act.unwrap_or_default())
}

/// Replaces what is known of the act of a client's group. Returns false if the notary's cart has no such group.
pub fn set_act(
    tx: &mut Tx,
    notary: &LockedNotary,
    client: ClientId,
    act: &NotarialAct,
) -> Result<bool> {
    if !has_group(tx, notary.id(), client)? {
        return Ok(false);
    }
    if act.is_empty() {
        let sql = "delete from cart_acts where client_id = ?1";
        tx.execute(sql, params![client])?;
    } else {
        tx.execute(
            "insert into cart_acts (client_id, notary_id, register_number, act_on, object) values (?1, ?2, ?3, ?4, ?5)
             on conflict (client_id) do update set register_number = excluded.register_number, act_on = excluded.act_on,
                 object = excluded.object",
            params![client, notary, act.register_number, acts::day(act), act.object],
        )?;
    }
    record_change(tx, notary)?;
    Ok(true)
}

/// Gives an act back to a group whose items return from an order, unless something else was entered for the group since.
pub fn return_act(
    tx: &mut Tx,
    notary: &LockedNotary,
    client: ClientId,
    act: &NotarialAct,
) -> Result<()> {
    let sql = "select 1 from cart_acts where client_id = ?1";
    let is_known = tx.row_optional(sql, params![client], |_| Ok(()))?.is_some();
    if !is_known && !act.is_empty() {
        set_act(tx, notary, client, act)?;
    }
    Ok(())
}

/// Records the answer to a request to add an item.
pub fn record_addition(tx: &mut Tx, notary: &LockedNotary, addition: &CartAddition) -> Result<()> {
    tx.execute(
        "insert into cart_additions (notary_id, key_hash, request_fingerprint, item_id, items_count, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            notary,
            addition.key_hash,
            addition.request_fingerprint,
            addition.item_id,
            addition.items_count,
            addition.created_at,
        ],
    )
    .map(|_| ())
}

/// Returns the recorded answer to the request with this key.
pub fn addition(
    tx: &mut Tx,
    notary: NotaryId,
    key_hash: &[u8; 32],
) -> Result<Option<CartAddition>> {
    let sql =
        "select key_hash, request_fingerprint, item_id, items_count, created_at from cart_additions
               where notary_id = ?1 and key_hash = ?2";
    tx.row_optional(sql, params![notary, key_hash], |row| {
        Ok(CartAddition {
            key_hash: row.next()?,
            request_fingerprint: row.next()?,
            item_id: row.next()?,
            items_count: row.next()?,
            created_at: row.next()?,
        })
    })
}

/// Deletes recorded answers older than a moment.
pub fn purge_additions(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from cart_additions where created_at < ?1",
        params![before],
    )
}

/// Returns the notaries with items that were marked as deleted before a moment.
pub fn owners_of_deleted(tx: &mut Tx, before: Timestamp) -> Result<Vec<NotaryId>> {
    tx.rows(
        "select distinct notary_id from cart_items where deleted_at < ?1 order by notary_id",
        params![before],
        |row| row.next(),
    )
}

/// Deletes a notary's items for good that were marked as deleted before a moment, and with them what is remembered of their rows in
/// sheets, and her clients that nothing names any more. Returns the number of items.
pub fn purge_deleted(tx: &mut Tx, notary: &LockedNotary, before: Timestamp) -> Result<u64> {
    // A row of a sheet is its own fingerprint.
    tx.execute(
        "delete from cart_additions where notary_id = ?1 and key_hash = request_fingerprint
             and item_id in (select i.id from cart_items i where i.notary_id = ?1 and i.deleted_at < ?2)",
        params![notary, before],
    )?;
    let purged = tx.execute(
        "delete from cart_items where notary_id = ?1 and deleted_at < ?2",
        params![notary, before],
    )?;
    clients::purge_unused(tx, notary)?;
    Ok(purged)
}
