//! The seals of transfers. Their keys are not in the database.

use cabinet_domain::{PlannedTransfer, Transfer, TransferId, TransferStatus};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedTransfer;
use crate::transfer::transfers::{COLUMNS, is_undecided, read};

/// Stores the seal of a transfer, in place of what it had.
pub fn put(tx: &mut Tx, transfer: TransferId, seal: &[u8; 32]) -> Result<()> {
    let sql = "update transfers set seal = ?2 where id = ?1";
    tx.execute(sql, params![transfer, seal]).map(|_| ())
}

/// Returns the seal of a transfer. Does not lock.
pub fn of(tx: &mut Tx, transfer: TransferId) -> Result<Option<[u8; 32]>> {
    let sql = "select seal from transfers where id = ?1";
    let found = tx.row_optional(sql, params![transfer], |row| row.next::<Option<_>>())?;
    Ok(found.flatten())
}

/// Returns a transfer by id. Does not lock.
pub fn transfer(tx: &mut Tx, transfer: TransferId) -> Result<Option<Transfer>> {
    let sql = format!("select {COLUMNS} from transfers where id = ?1");
    tx.row_optional(&sql, params![transfer], read)
}

/// Returns transfers that may still be given to a bank: those that are not sent, those that came back and about which nobody has decided, and
/// those of which something has changed since a moment, by id, at most `limit`. `after` is the last one of the previous page. Does not lock.
pub fn alive(
    tx: &mut Tx,
    after: Option<TransferId>,
    since: Timestamp,
    limit: u32,
) -> Result<Vec<TransferId>> {
    let after = after.map(TransferId::uuid).unwrap_or_default();
    let sql = concat!(
        "select t.id from transfers t where (t.status in ('planned', 'called_off') or t.updated_at > ?2 or ",
        is_undecided!(),
        ") and t.id > ?1 order by t.id limit ?3"
    );
    tx.rows(sql, params![after, since, limit], |row| row.next())
}

/// Returns the transfers that are given to a bank next, or that may be sent to another account, by id, as [`alive`] does. Of an order without
/// names nothing is sent again.
pub fn next_to_leave(
    tx: &mut Tx,
    after: Option<TransferId>,
    limit: u32,
) -> Result<Vec<TransferId>> {
    let after = after.map(TransferId::uuid).unwrap_or_default();
    let sql = concat!(
        "select t.id from transfers t
         where (t.status = ?2 or ",
        is_undecided!(),
        " and not exists (select 1 from orders a where a.id = t.order_id and a.anonymised_at is not null))
             and t.id > ?1 order by t.id limit ?3"
    );
    let planned = TransferStatus::Planned;
    tx.rows(sql, params![after, planned, limit], |row| row.next())
}

/// Has a planned transfer wait for the operator. Returns false if it does, or is not planned.
pub fn hold(tx: &mut Tx, transfer: TransferId, now: Timestamp) -> Result<bool> {
    let sql = "update transfers set held_at = ?2 where id = ?1 and held_at is null and status = ?3";
    let planned = TransferStatus::Planned;
    Ok(tx.execute(sql, params![transfer, now, planned])? == 1)
}

/// Writes into a planned transfer what its payment says: payee and amount. Returns false if it is not planned.
pub fn put_back(
    tx: &mut Tx,
    transfer: &LockedTransfer<'_>,
    planned: &PlannedTransfer,
) -> Result<bool> {
    let payee = &planned.payee;
    let sql = "update transfers set amount = ?2, recipient_name = ?3, recipient_iban = ?4, recipient_code = ?5, purpose = ?6
               where id = ?1 and status = ?7";
    let status = TransferStatus::Planned;
    let values = params![
        transfer,
        planned.amount,
        payee.name,
        payee.iban,
        payee.okpo,
        payee.purpose,
        status
    ];
    Ok(tx.execute(sql, values)? == 1)
}
