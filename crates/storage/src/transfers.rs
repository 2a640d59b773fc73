//! Transfers: what a paid item owes to whom, and the status of each.

use cabinet_domain::{
    ActualPayer, ItemId, Line, Money, OrderId, OrderStatus, PartRole, Payee, PlannedTransfer,
    Transfer, TransferId, TransferStatus,
};
use jiff::Timestamp;

use crate::counters;
use crate::error::Result;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::params;

const COLUMNS: &str = "id, order_id, item_id, role, amount, payer_code, payer_name, recipient_name, recipient_iban, \
    recipient_code, purpose, status, reason, held_at, created_at, updated_at";

fn read(row: &mut Row<'_>) -> Result<Transfer> {
    let (id, order_id, item_id) = (row.next()?, row.next()?, row.next()?);
    let (role, amount): (PartRole, Money) = (row.next()?, row.next()?);
    let actual_payer = ActualPayer {
        inn: row.next()?,
        name: row.next()?,
    };
    let payee = Payee {
        name: row.next()?,
        iban: row.next()?,
        okpo: row.next()?,
        purpose: row.next()?,
    };
    Ok(Transfer {
        id,
        order_id,
        item_id,
        planned: PlannedTransfer {
            role,
            payee,
            amount,
            actual_payer,
        },
        status: row.next()?,
        reason: row.next()?,
        held_at: row.next()?,
        created_at: row.next()?,
        updated_at: row.next()?,
    })
}

/// Stores a planned transfer, held or not. Returns false if the part of the item has a transfer already, so planning twice owes
/// nothing twice.
pub fn plan(
    tx: &mut Tx,
    id: TransferId,
    order: OrderId,
    item: ItemId,
    planned: &PlannedTransfer,
    held: bool,
    now: Timestamp,
) -> Result<bool> {
    let inserted = tx.execute(
        "insert into transfers (id, order_id, item_id, role, amount, payer_code, payer_name, recipient_name,
             recipient_iban, recipient_code, purpose, status, held_at, created_at, updated_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'planned', ?13, ?12, ?12)
         on conflict (item_id, role) do nothing",
        params![
            id,
            order,
            item,
            planned.role,
            planned.amount,
            planned.actual_payer.inn,
            planned.actual_payer.name,
            planned.payee.name,
            planned.payee.iban,
            planned.payee.okpo,
            planned.payee.purpose,
            now,
            held.then_some(now),
        ],
    )?;
    Ok(inserted == 1)
}

/// Returns the transfers of an order, by item.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<Transfer>> {
    let sql = format!("select {COLUMNS} from transfers where order_id = ?1 order by item_id, role");
    tx.rows(&sql, params![order], read)
}

/// Returns a transfer by id. Locks it in a unit of work that may write.
pub fn by_id(tx: &mut Tx, transfer: TransferId) -> Result<Option<Transfer>> {
    let sql = format!(
        "select {COLUMNS} from transfers where id = ?1{}",
        tx.lock_clause()
    );
    tx.row_optional(&sql, params![transfer], read)
}

/// Returns since when no transfer may be exported: since a server started on a restored copy.
pub fn stopped_since(tx: &mut Tx) -> Result<Option<Timestamp>> {
    counters::transfers_stopped_since(tx)
}

/// Lets transfers be exported. Returns false if they were not stopped.
pub fn resume(tx: &mut Tx) -> Result<bool> {
    counters::resume_transfers(tx)
}

/// Returns the planned transfers of paid orders that are not held, the earliest first, at most `limit`. `after` is the last transfer of the
/// previous page. Money of an order that is not paid must not be sent, whatever its transfers say.
pub fn to_send(tx: &mut Tx, after: Option<&Transfer>, limit: u32) -> Result<Vec<Transfer>> {
    let sql = |condition: &str| {
        format!(
            "select {COLUMNS} from transfers t where t.status = ?1 and t.held_at is null{condition}
                 and exists (select 1 from orders o where o.id = t.order_id and o.status = ?2)
             order by created_at, id limit ?3"
        )
    };
    let (planned, paid) = (TransferStatus::Planned, OrderStatus::Paid);
    match after {
        None => tx.rows(&sql(""), params![planned, paid, limit], read),
        Some(after) => {
            let sql = sql(" and (t.created_at, t.id) > (?4, ?5)");
            let values = params![planned, paid, limit, after.created_at, after.id];
            tx.rows(&sql, values, read)
        }
    }
}

/// The reason under which the cabinet cancels a transfer. Reasons of a bank are in its own words.
const ORDER_REFUNDED: &str = "order_refunded";

/// Cancels the planned transfers of an order that were not sent yet, because its money was given back. Returns their
/// number.
pub fn call_off(tx: &mut Tx, order: OrderId, now: Timestamp) -> Result<u64> {
    let (from, to) = (TransferStatus::Planned, TransferStatus::Returned);
    let sql = "update transfers set status = ?3, reason = ?4, updated_at = ?5 where order_id = ?1 and status = ?2";
    tx.execute(sql, params![order, from, to, ORDER_REFUNDED, now])
}

/// Plans the transfers again that [`call_off`] has cancelled, because another charge pays the order. What a bank
/// returned stays returned. Returns their number.
pub fn plan_called_off(tx: &mut Tx, order: OrderId, now: Timestamp) -> Result<u64> {
    let (from, to) = (TransferStatus::Returned, TransferStatus::Planned);
    let sql = "update transfers set status = ?3, reason = null, updated_at = ?5
               where order_id = ?1 and status = ?2 and reason = ?4";
    tx.execute(sql, params![order, from, to, ORDER_REFUNDED, now])
}

/// Changes the status of a transfer, with the reason of a return. Returns false if its status is not `from` any more,
/// if there is no such step ([`TransferStatus::may_become`]), or if it is held and would be sent.
pub fn step(
    tx: &mut Tx,
    transfer: TransferId,
    from: TransferStatus,
    to: TransferStatus,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<bool> {
    if !from.may_become(to) {
        return Ok(false);
    }
    let sql = "update transfers set status = ?3, reason = ?4, updated_at = ?5
               where id = ?1 and status = ?2 and (held_at is null or ?3 <> 'sent')";
    Ok(tx.execute(sql, params![transfer, from, to, reason, now])? == 1)
}

/// Returns the planned transfers of paid orders that wait for the operator, the earliest first.
pub fn held(tx: &mut Tx) -> Result<Vec<Transfer>> {
    let sql = format!(
        "select {COLUMNS} from transfers t where t.held_at is not null and t.status = ?1
             and exists (select 1 from orders o where o.id = t.order_id and o.status = ?2)
         order by held_at, id"
    );
    tx.rows(
        &sql,
        params![TransferStatus::Planned, OrderStatus::Paid],
        read,
    )
}

/// Releases a held transfer. Returns false if it is not held, or not planned.
pub fn release(tx: &mut Tx, transfer: TransferId, reason: &Line, now: Timestamp) -> Result<bool> {
    let sql = "update transfers set held_at = null, release_reason = ?3, updated_at = ?2
               where id = ?1 and held_at is not null and status = ?4";
    let values = params![transfer, now, reason, TransferStatus::Planned];
    Ok(tx.execute(sql, values)? == 1)
}
