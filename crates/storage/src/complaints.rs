//! What notaries say is wrong with an item.

use cabinet_domain::{ItemId, Line, NotaryId};
use jiff::Timestamp;
use uuid::Uuid;

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// A complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Names the complaint.
    pub id: Uuid,
    /// Who complains.
    pub notary_id: NotaryId,
    /// About what; the item may be in the cart, in an order or deleted meanwhile.
    pub item_id: ItemId,
    /// What is wrong.
    pub text: Line,
    /// When.
    pub created_at: Timestamp,
}

/// Keeps a complaint.
///
/// # Errors
/// Those of the database.
pub fn insert(tx: &mut Tx, complaint: &Complaint) -> Result<()> {
    tx.execute(
        "insert into complaints (id, notary_id, item_id, text, created_at) values (?1, ?2, ?3, ?4, ?5)",
        params![complaint.id, complaint.notary_id, complaint.item_id, complaint.text, complaint.created_at],
    )
    .map(|_| ())
}

/// The complaints of a notary since a moment, the newest first.
///
/// # Errors
/// Those of the database.
pub fn of_notary(tx: &mut Tx, notary: NotaryId, since: Timestamp) -> Result<Vec<Complaint>> {
    tx.rows(
        "select id, notary_id, item_id, text, created_at from complaints
         where notary_id = ?1 and created_at >= ?2 order by created_at desc, id desc",
        params![notary, since],
        |row| {
            Ok(Complaint {
                id: row.next()?,
                notary_id: row.next()?,
                item_id: row.next()?,
                text: row.next()?,
                created_at: row.next()?,
            })
        },
    )
}
