//! Lists of transfers that the operator compares with what the bank has. Of each row only what is listed is read, so that a damaged one keeps
//! no other from being listed.

use cabinet_domain::{Line, Money, Okpo, PartRole, TransferId};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::{Value, params};

/// A transfer of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferRow {
    /// The id.
    pub id: TransferId,
    /// The number of its document.
    pub document_number: i64,
    /// The short number of its order.
    pub order_number: i64,
    /// Which part of the price it is. `None`, here and below: it can't be read.
    pub role: Option<PartRole>,
    /// The sum.
    pub amount: Option<Money>,
    /// Name of the recipient.
    pub recipient: Option<Line>,
    /// Code of the recipient.
    pub recipient_code: Option<Okpo>,
    /// When it was planned first.
    pub planned_at: Timestamp,
    /// The value date of the list with which it was sent.
    pub value_date: Option<Date>,
    /// Since when it waits for the operator.
    pub held_at: Option<Timestamp>,
}

/// Returns the planned transfers, held ones too, or those of them that were planned from a moment to before another. By order and document.
pub fn planned(tx: &mut Tx, between: Option<(Timestamp, Timestamp)>) -> Result<Vec<TransferRow>> {
    match between {
        None => listed(tx, "t.status = 'planned'", params![]),
        Some((from, to)) => {
            let condition = "t.status = 'planned' and t.created_at >= ?1 and t.created_at < ?2";
            listed(tx, condition, params![from, to])
        }
    }
}

/// Returns the transfers that were marked as sent and are neither credited nor returned, or those of them with a value date. By order and
/// document.
pub fn sent(tx: &mut Tx, value_date: Option<Date>) -> Result<Vec<TransferRow>> {
    match value_date {
        None => listed(tx, "t.status = 'sent'", params![]),
        Some(day) => {
            let condition = "t.status = 'sent' and t.value_date = ?1";
            listed(tx, condition, params![day.to_string()])
        }
    }
}

fn listed(tx: &mut Tx, condition: &str, params: &[Value<'_>]) -> Result<Vec<TransferRow>> {
    let sql = format!(
        "select t.id, t.document_number, o.number, t.role, t.amount, t.recipient_name, t.recipient_code, t.created_at, t.value_date, t.held_at
         from transfers t join orders o on o.id = t.order_id where {condition} order by o.number, t.document_number"
    );
    tx.rows(&sql, params, read)
}

fn read(row: &mut Row<'_>) -> Result<TransferRow> {
    Ok(TransferRow {
        id: row.next()?,
        document_number: row.next()?,
        order_number: row.next()?,
        role: row.next_shown()?,
        amount: row.next_shown()?,
        recipient: row.next_shown()?,
        recipient_code: row.next_shown()?,
        planned_at: row.next()?,
        value_date: row.next()?,
        held_at: row.next()?,
    })
}
