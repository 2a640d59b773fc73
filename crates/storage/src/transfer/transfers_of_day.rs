//! The transfers of a day, and what banks told of them: for the daily report.

use cabinet_domain::{BankFactKind, Iban, Money};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::{Value, params};

/// The columns of a transfer `t` of an order `o`.
const COLUMNS: &str = "t.document_number, o.number, t.amount, t.recipient_iban";
/// What a bank told by the end of a day: of a day up to it, or where it named none, by then. ?1: the day, ?2: the moment after it.
const TOLD: &str = "f.transfer_id = t.id and f.settled_at is null and (f.day <= ?1 or f.day is null and f.told_at < ?2)";

/// A transfer of a day.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OfDay {
    /// The number of its document.
    pub document_number: i64,
    /// The short number of its order.
    pub order_number: i64,
    /// The sum.
    pub amount: Money,
    /// The recipient's account.
    pub recipient: Iban,
}

fn read(row: &mut Row<'_>) -> Result<OfDay> {
    Ok(OfDay {
        document_number: row.next()?,
        order_number: row.next()?,
        amount: row.next()?,
        recipient: row.next()?,
    })
}

fn of(tx: &mut Tx, condition: &str, params: &[Value<'_>]) -> Result<Vec<OfDay>> {
    let sql = format!(
        "select {COLUMNS} from transfers t join orders o on o.id = t.order_id where {condition} order by t.document_number"
    );
    tx.rows(&sql, params, read)
}

/// Returns the transfers that were sent with a day as their value date.
pub fn sent(tx: &mut Tx, day: Date) -> Result<Vec<OfDay>> {
    let condition = "t.value_date = ?1 and t.status in ('sent', 'credited', 'returned')";
    of(tx, condition, params![day.to_string()])
}

/// What a bank told of a transfer of a day.
#[derive(Clone, Debug)]
pub struct Told {
    /// The transfer.
    pub of: OfDay,
    /// What.
    pub kind: BankFactKind,
    /// What the bank kept of money that came back.
    pub fee: Option<Money>,
}

/// Returns what banks told of a day, and what they told on it without a day. `from` and `to` are where the day begins and ends.
pub fn told(tx: &mut Tx, day: Date, (from, to): (Timestamp, Timestamp)) -> Result<Vec<Told>> {
    let sql = format!(
        "select {COLUMNS}, f.kind, max(f.fee) from bank_facts f join transfers t on t.id = f.transfer_id join orders o on o.id = t.order_id
         where f.settled_at is null and (f.day = ?1 or f.day is null and f.told_at >= ?2 and f.told_at < ?3)
         group by {COLUMNS}, f.kind order by t.document_number, f.kind"
    );
    tx.rows(&sql, params![day.to_string(), from, to], |row| {
        Ok(Told {
            of: read(row)?,
            kind: row.next()?,
            fee: row.next()?,
        })
    })
}

/// Returns the transfers that were sent by the end of a day and of which no bank had told then that they were debited, credited or refused, or
/// came back. `to`: where the day ends.
pub fn not_debited(tx: &mut Tx, day: Date, to: Timestamp) -> Result<Vec<OfDay>> {
    let condition = format!(
        "t.value_date <= ?1 and t.status in ('sent', 'credited', 'returned') and not exists (select 1 from bank_facts f where {TOLD})
         and (t.status = 'sent' or exists (select 1 from bank_facts f where f.transfer_id = t.id))"
    );
    of(tx, &condition, params![day.to_string(), to])
}

/// Returns the transfers that were sent from a day to the end of another and debited by then, and of which no bank had told that they were
/// credited or came back. `to`: where the last day ends.
pub fn not_credited(tx: &mut Tx, since: Date, day: Date, to: Timestamp) -> Result<Vec<OfDay>> {
    let condition = format!(
        "t.value_date <= ?1 and t.value_date >= ?3 and exists (select 1 from bank_facts f where {TOLD} and f.kind = 'debited')
         and not exists (select 1 from bank_facts f where {TOLD} and f.kind in ('credited', 'returned'))"
    );
    of(
        tx,
        &condition,
        params![day.to_string(), to, since.to_string()],
    )
}
