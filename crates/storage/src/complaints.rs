//! Complaints of notaries about items.

use std::collections::HashMap;

use crate::counters::next_complaint_number;
use crate::erasure::ITEMS_OF_CLIENT;
use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;
use cabinet_domain::{ClientId, Complaint, ItemId, NotaryId};
use jiff::Timestamp;
use uuid::Uuid;

/// Stores a complaint.
pub fn insert(tx: &mut Tx, complaint: &Complaint) -> Result<()> {
    tx.execute(
        "insert into complaints (id, number, notary_id, item_id, text, created_at) values (?1, ?2, ?3, ?4, ?5, ?6)",
        params![complaint.id, complaint.number, complaint.notary_id, complaint.item_id, complaint.text, complaint.created_at],
    )
    .map(|_| ())
}

/// Returns the number for a new complaint.
pub fn next_number(tx: &mut Tx) -> Result<i64> {
    next_complaint_number(tx)
}

/// Returns the numbers of the latest complaints about the items of a notary's cart.
pub fn numbers_in_cart(tx: &mut Tx, notary: NotaryId) -> Result<HashMap<ItemId, i64>> {
    let found = tx.rows(
        "select item_id, max(number) from complaints
         where notary_id = ?1 and number is not null and item_id in (select id from cart_items where notary_id = ?1)
         group by item_id",
        params![notary],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    Ok(found.into_iter().collect())
}

/// Returns the ids and texts of a notary's complaints.
pub fn texts_of(tx: &mut Tx, notary: NotaryId) -> Result<Vec<(Uuid, String)>> {
    tx.rows(
        "select id, text from complaints where notary_id = ?1 order by created_at, id",
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
