//! What banks' files have told of each transfer.

use cabinet_domain::{BankFact, BankFactKind, TransferId, TransferStatus};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Where a fact stands: SHA-256 of the file in hexadecimal digits, and the line of the entry.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file.
    pub file: &'a str,
    /// The line.
    pub line: usize,
}

/// Lets imports run one after another until the end of the unit of work: what a file says of a transfer is decided by what earlier files said.
pub fn lock(tx: &mut Tx) -> Result<()> {
    tx.advisory_lock(b"bank_facts")
}

fn read(row: &mut Row<'_>) -> Result<BankFact> {
    Ok(BankFact {
        kind: row.next()?,
        day: row.next()?,
        bank_reference: row.next()?,
        booking_reference: row.next()?,
        fee: row.next()?,
    })
}

/// Returns the facts of a transfer that nobody has decided against, in the order in which they were told.
pub fn of_transfer(tx: &mut Tx, transfer: TransferId) -> Result<Vec<BankFact>> {
    let sql = "select kind, day, bank_reference, booking_reference, fee from bank_facts
               where transfer_id = ?1 and settled_at is null order by number";
    tx.rows(sql, params![transfer], read)
}

/// Returns when a fact of a kind was told first.
pub fn first_told_at(
    tx: &mut Tx,
    transfer: TransferId,
    kind: BankFactKind,
) -> Result<Option<Timestamp>> {
    tx.row(
        "select min(told_at) as told_at from bank_facts where transfer_id = ?1 and kind = ?2",
        params![transfer, kind],
        |row| row.next(),
    )
}

/// Keeps a fact, unless it was told before. Returns false then. The transfer is locked, or all imports are ([`lock`]). `source`: `None` for
/// what was known before facts were kept.
pub fn keep(
    tx: &mut Tx,
    transfer: TransferId,
    fact: &BankFact,
    source: Option<Source<'_>>,
    now: Timestamp,
) -> Result<bool> {
    let told = "select kind, day, bank_reference, booking_reference, fee from bank_facts where transfer_id = ?1";
    let told = tx.rows(told, params![transfer], read)?;
    if told.contains(fact) {
        return Ok(false);
    }
    let number = i64::try_from(told.len())
        .unwrap_or(i64::MAX)
        .saturating_add(1);
    let line = source.map(|source| i64::try_from(source.line).unwrap_or(i64::MAX));
    let sql = "insert into bank_facts (transfer_id, number, kind, day, bank_reference, booking_reference, fee, file, line, told_at)
               values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    let day = fact.day.map(|day| day.to_string());
    let file = source.map(|source| source.file.to_owned());
    let values = params![
        transfer,
        number,
        fact.kind,
        day,
        fact.bank_reference,
        fact.booking_reference,
        fact.fee,
        file,
        line,
        now
    ];
    tx.execute(sql, values).map(|_| true)
}

/// Records what a person found out at the bank about a transfer whose facts contradict each other: the money is with the payer
/// ([`TransferStatus::Returned`]), so it was not debited or credited, or it is not, so the instruction was not refused.
pub fn settle(
    tx: &mut Tx,
    transfer: TransferId,
    status: TransferStatus,
    now: Timestamp,
) -> Result<()> {
    let (first, second) = match status {
        TransferStatus::Returned => (BankFactKind::Debited, BankFactKind::Credited),
        _ => (BankFactKind::Refused, BankFactKind::Refused),
    };
    let sql = "update bank_facts set settled_at = ?4 where transfer_id = ?1 and kind in (?2, ?3) and settled_at is null";
    tx.execute(sql, params![transfer, first, second, now])
        .map(|_| ())
}
