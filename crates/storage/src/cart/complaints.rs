//! Complaints of notaries about items.

use std::sync::LazyLock;

use crate::address_book::clients;
use crate::cart::items;
use crate::engine::counters::next_complaint_number;
use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedNotary;
use crate::operator::erasure::ITEMS_OF_CLIENT;
use cabinet_domain::{
    Client, ClientId, Complaint, ItemContent, ItemId, KeptComplaint, Line, NotaryId, OrderId,
};
use jiff::Timestamp;
use uuid::Uuid;

/// Stores a complaint.
pub fn insert(tx: &mut Tx, notary: &LockedNotary, complaint: &Complaint) -> Result<()> {
    tx.execute(
        "insert into complaints (id, number, notary_id, item_id, text, call_back, created_at) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            complaint.id,
            complaint.number,
            notary,
            complaint.item_id,
            complaint.text,
            complaint.call_back,
            complaint.created_at
        ],
    )
    .map(|_| ())
}

/// Returns the number of an open complaint that says the same: by the notary, about the item, in the same words, with the same wish to be
/// called back.
pub fn same_open(
    tx: &mut Tx,
    notary: NotaryId,
    item: ItemId,
    text: &Line,
    call_back: bool,
) -> Result<Option<i64>> {
    tx.row_optional(
        "select number from complaints
         where notary_id = ?1 and item_id = ?2 and text = ?3 and call_back = ?4 and closed_at is null and number is not null
         order by number limit 1",
        params![notary, item, text, call_back],
        |row| row.next(),
    )
}

/// Returns how many complaints a notary has made since a moment (inclusive), and when the first of them was made.
pub fn count_of(
    tx: &mut Tx,
    notary: NotaryId,
    since: Timestamp,
) -> Result<(i64, Option<Timestamp>)> {
    tx.row(
        "select count(*) as complaints, min(created_at) from complaints where notary_id = ?1 and created_at >= ?2",
        params![notary, since],
        |row| Ok((row.next()?, row.next()?)),
    )
}

/// Returns the number for a new complaint.
pub fn next_number(tx: &mut Tx) -> Result<i64> {
    next_complaint_number(tx)
}

/// Returns the ids and texts of a notary's complaints, with the answers.
pub fn texts_of(tx: &mut Tx, notary: NotaryId) -> Result<Vec<(Uuid, String)>> {
    tx.rows(
        "select id, text || ' ' || coalesce(answer, '') as texts from complaints where notary_id = ?1 order by created_at, id",
        params![notary],
        |row| Ok((row.next()?, row.next()?)),
    )
}

/// Returns the ids of a notary's complaints about items of a client.
pub fn of_client(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Vec<Uuid>> {
    let sql = format!(
        "select id from complaints where notary_id = ?1 and item_id in {ITEMS_OF_CLIENT} order by id"
    );
    tx.rows(&sql, params![notary, client], |row| row.next())
}

/// The columns of a complaint `p` with the number of its order, in the order of [`read`].
const COLUMNS: &str = "p.id, p.number, p.notary_id, p.item_id, p.text, p.call_back, p.created_at, p.closed_at, p.answer, o.number as order_number
    from complaints p left join order_items i on i.id = p.item_id left join orders o on o.id = i.order_id";

fn read(row: &mut Row<'_>) -> Result<KeptComplaint> {
    Ok(KeptComplaint {
        id: row.next()?,
        number: row.next()?,
        notary_id: row.next()?,
        item_id: row.next()?,
        text: row.next()?,
        call_back: row.next()?,
        created_at: row.next()?,
        closed_at: row.next()?,
        answer: row.next()?,
        order_number: row.next()?,
    })
}

/// Returns the complaints that nobody has closed, or all of them, the earliest first.
pub fn list(tx: &mut Tx, closed_too: bool, limit: u32) -> Result<Vec<KeptComplaint>> {
    let condition = if closed_too {
        "1 = 1"
    } else {
        "p.closed_at is null"
    };
    let sql = format!("select {COLUMNS} where {condition} order by p.created_at, p.id limit ?1");
    tx.rows(&sql, params![limit], read)
}

/// Returns what an item of a cart, deleted ones too, or of an order pays for, and for whom. `None`: nothing has the item any more.
pub fn payment_of(tx: &mut Tx, item: ItemId) -> Result<Option<(ItemContent, Client)>> {
    for sql in [&*IN_CART, &*IN_ORDER] {
        let found = tx.row_optional(sql, params![item], |row| {
            let client = clients::read(row)?;
            Ok((items::read(row)?, client))
        })?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn payment_sql(from: &str) -> String {
    let content: Vec<String> = items::COLUMNS
        .split(", ")
        .map(|column| format!("i.{}", column.trim()))
        .collect();
    format!(
        "select c.id, c.inn, c.full_name, {} from {from} where i.id = ?1",
        content.join(", ")
    )
}

static IN_CART: LazyLock<String> =
    LazyLock::new(|| payment_sql("cart_items i join clients c on c.id = i.client_id"));
static IN_ORDER: LazyLock<String> = LazyLock::new(|| {
    payment_sql(
        "order_items i join orders o on o.id = i.order_id join clients c on c.id = o.client_id",
    )
});

/// Returns the complaints about the items of an order, the earliest first.
pub fn about_order(tx: &mut Tx, order: OrderId) -> Result<Vec<KeptComplaint>> {
    let sql = format!("select {COLUMNS} where i.order_id = ?1 order by p.created_at, p.id");
    tx.rows(&sql, params![order], read)
}

/// Returns the complaint with a number.
pub fn by_number(tx: &mut Tx, number: i64) -> Result<Option<KeptComplaint>> {
    let sql = format!("select {COLUMNS} where p.number = ?1");
    tx.row_optional(&sql, params![number], read)
}

/// Returns a complaint by id.
pub fn by_id(tx: &mut Tx, complaint: Uuid) -> Result<Option<KeptComplaint>> {
    let sql = format!("select {COLUMNS} where p.id = ?1");
    tx.row_optional(&sql, params![complaint], read)
}

/// Closes a complaint, with what the notary is told. Returns false if it was closed before.
pub fn close(tx: &mut Tx, complaint: Uuid, answer: Option<&Line>, now: Timestamp) -> Result<bool> {
    let sql =
        "update complaints set closed_at = ?3, answer = ?2 where id = ?1 and closed_at is null";
    Ok(tx.execute(sql, params![complaint, answer, now])? == 1)
}

/// Deletes a complaint.
pub fn delete(tx: &mut Tx, complaint: Uuid) -> Result<()> {
    tx.execute("delete from complaints where id = ?1", params![complaint])
        .map(|_| ())
}

/// Deletes complaints older than a moment.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from complaints where created_at < ?1",
        params![before],
    )
}
