//! The cart: items that are not ordered yet, in groups by client.
//!
//! Every function locks the notary in a unit of work that may write, so that changes of one cart, and the orders made from
//! it, pass one after the other.

use std::sync::LazyLock;

use cabinet_domain::{ClientId, Count, ItemId, NotaryId};
use jiff::Timestamp;

use crate::clients::Client;
use crate::error::Result;
use crate::items::{self, COLUMN_COUNT, COLUMNS, ItemContent, ItemPrice, placeholders};
use crate::notaries::lock;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::{Bind, Value, params};

/// An item in the cart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartItem {
    /// Names the item; it keeps the name in an order.
    pub id: ItemId,
    /// When it was added.
    pub created_at: Timestamp,
    /// What it is.
    pub content: ItemContent,
}

/// The items for one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartGroup {
    /// The client.
    pub client: Client,
    /// The items, the oldest first; never empty.
    pub items: Vec<CartItem>,
}

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

/// Adds an item.
///
/// # Errors
/// Those of the database.
pub fn add(tx: &mut Tx, notary: NotaryId, client: ClientId, item: &CartItem) -> Result<()> {
    lock(tx, notary)?;
    let mut values = vec![
        item.id.value(),
        notary.value(),
        client.value(),
        item.created_at.value(),
    ];
    items::values(&item.content, &mut values);
    tx.execute(&INSERT, &values).map(|_| ())
}

/// All groups; the one whose first item is the oldest comes first. One query.
///
/// # Errors
/// Those of the database.
pub fn groups_of(tx: &mut Tx, notary: NotaryId) -> Result<Vec<CartGroup>> {
    lock(tx, notary)?;
    groups(tx, &LIST, params![notary])
}

/// The group of one client, if there is anything in it.
///
/// # Errors
/// Those of the database.
pub fn group_of(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Option<CartGroup>> {
    lock(tx, notary)?;
    Ok(groups(tx, &LIST_OF_CLIENT, params![notary, client])?.pop())
}

fn list_sql(condition: &str) -> String {
    let content: Vec<String> = COLUMNS
        .split(", ")
        .map(|column| format!("i.{}", column.trim()))
        .collect();
    format!(
        "select c.id as client_id, c.inn, c.full_name, i.id, i.created_at, {}
         from cart_items i join clients c on c.id = i.client_id
         where i.notary_id = $1 and i.deleted_at is null{condition}
         order by i.created_at, i.id",
        content.join(", ")
    )
}

static LIST: LazyLock<String> = LazyLock::new(|| list_sql(""));
static LIST_OF_CLIENT: LazyLock<String> = LazyLock::new(|| list_sql(" and i.client_id = $2"));

fn groups(tx: &mut Tx, sql: &str, params: &[Value<'_>]) -> Result<Vec<CartGroup>> {
    let mut groups: Vec<CartGroup> = Vec::new();
    tx.rows(sql, params, |row| {
        let id: ClientId = row.next()?;
        match groups.iter_mut().find(|group| group.client.id == id) {
            Some(group) => {
                row.skip(2);
                group.items.push(read_item(row)?);
            }
            None => groups.push(CartGroup {
                client: Client {
                    id,
                    inn: row.next()?,
                    full_name: row.next()?,
                },
                items: vec![read_item(row)?],
            }),
        }
        Ok(())
    })?;
    Ok(groups)
}

static BY_ID: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select client_id, id, created_at, {COLUMNS} from cart_items
         where id = $1 and notary_id = $2 and deleted_at is null"
    )
});

/// An item of this notary's cart with its client's id; not one that was deleted.
///
/// # Errors
/// Those of the database.
pub fn item_of(
    tx: &mut Tx,
    notary: NotaryId,
    item: ItemId,
) -> Result<Option<(ClientId, CartItem)>> {
    lock(tx, notary)?;
    tx.row_optional(&BY_ID, params![item, notary], |row| {
        Ok((row.next()?, read_item(row)?))
    })
}

/// How many rows the cart has: not units, rows.
///
/// # Errors
/// Those of the database.
pub fn count_of(tx: &mut Tx, notary: NotaryId) -> Result<i64> {
    lock(tx, notary)?;
    let sql = "select count(*) from cart_items where notary_id = $1 and deleted_at is null";
    tx.row(sql, params![notary], |row| row.next())
}

/// How full a cart is, seen by a client whose items are going to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Rows of the whole cart.
    pub items_count: i64,
    /// What the client's items cost together, in kopiykas.
    pub client_total: i64,
}

/// How full the cart is.
///
/// # Errors
/// Those of the database.
pub fn standing(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Standing> {
    lock(tx, notary)?;
    let sql = "select count(*) as items_count,
                   cast(coalesce(sum(case when client_id = $2 then count * (amount + commission) else 0 end), 0) as bigint) as client_total
               from cart_items where notary_id = $1 and deleted_at is null";
    tx.row(sql, params![notary, client], |row| {
        Ok(Standing {
            items_count: row.next()?,
            client_total: row.next()?,
        })
    })
}

/// What the items of a client cost together, in kopiykas: a plain number, for it may be more than a sum can be.
///
/// # Errors
/// Those of the database.
pub fn total_of(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<i64> {
    lock(tx, notary)?;
    let sql = "select cast(coalesce(sum(count * (amount + commission)), 0) as bigint) as total from cart_items
               where notary_id = $1 and client_id = $2 and deleted_at is null";
    tx.row(sql, params![notary, client], |row| row.next())
}

/// Sets the number of units. `false` if the item is not in this notary's cart.
///
/// # Errors
/// Those of the database.
pub fn set_count(tx: &mut Tx, notary: NotaryId, item: ItemId, count: Count) -> Result<bool> {
    lock(tx, notary)?;
    let sql =
        "update cart_items set count = $3 where id = $1 and notary_id = $2 and deleted_at is null";
    Ok(tx.execute(sql, params![item, notary, count])? == 1)
}

/// Takes over a price. `false` if the item is not in this notary's cart.
///
/// # Errors
/// Those of the database.
pub fn replace_price(
    tx: &mut Tx,
    notary: NotaryId,
    item: ItemId,
    price: &ItemPrice,
) -> Result<bool> {
    lock(tx, notary)?;
    let mut values = vec![item.value(), notary.value()];
    items::price_values(price, &mut values);
    let sql = "update cart_items set amount = $3, commission = $4, tariff_basis_points = $5, tariff_minimum = $6
               where id = $1 and notary_id = $2 and deleted_at is null";
    Ok(tx.execute(sql, &values)? == 1)
}

static REPLACE: LazyLock<String> = LazyLock::new(|| {
    let assignments: Vec<String> = COLUMNS
        .split(", ")
        .enumerate()
        .map(|(index, column)| format!("{} = ${}", column.trim(), index + 3))
        .collect();
    format!(
        "update cart_items set {} where id = $1 and notary_id = $2 and deleted_at is null",
        assignments.join(", ")
    )
});

/// Takes over a whole content, as when an account of the recipient has changed too. `false` if the item is not in this
/// notary's cart.
///
/// # Errors
/// Those of the database.
pub fn replace_content(
    tx: &mut Tx,
    notary: NotaryId,
    item: ItemId,
    content: &ItemContent,
) -> Result<bool> {
    lock(tx, notary)?;
    let mut values = vec![item.value(), notary.value()];
    items::values(content, &mut values);
    Ok(tx.execute(&REPLACE, &values)? == 1)
}

/// Deletes an item so that it can be restored. `false` if it is not in this notary's cart.
///
/// # Errors
/// Those of the database.
pub fn delete(tx: &mut Tx, notary: NotaryId, item: ItemId, now: Timestamp) -> Result<bool> {
    lock(tx, notary)?;
    let sql = "update cart_items set deleted_at = $3 where id = $1 and notary_id = $2 and deleted_at is null";
    Ok(tx.execute(sql, params![item, notary, now])? == 1)
}

/// Puts a deleted item back. `false` if there is no such item of this notary, or none any more.
///
/// # Errors
/// Those of the database.
pub fn restore(tx: &mut Tx, notary: NotaryId, item: ItemId) -> Result<bool> {
    lock(tx, notary)?;
    let sql = "update cart_items set deleted_at = null where id = $1 and notary_id = $2 and deleted_at is not null";
    Ok(tx.execute(sql, params![item, notary])? == 1)
}

/// Removes for good what was deleted before a moment.
///
/// # Errors
/// Those of the database.
pub fn purge_deleted(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from cart_items where deleted_at < $1",
        params![before],
    )
}
