//! Complaints of notaries about items.

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;
use cabinet_domain::Complaint;

/// Stores a complaint.
pub fn insert(tx: &mut Tx, complaint: &Complaint) -> Result<()> {
    tx.execute(
        "insert into complaints (id, notary_id, item_id, text, created_at) values (?1, ?2, ?3, ?4, ?5)",
        params![complaint.id, complaint.notary_id, complaint.item_id, complaint.text, complaint.created_at],
    )
    .map(|_| ())
}
