//! Single numbers: counters, and marks of progress.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use jiff::Timestamp;
use uuid::Uuid;

use crate::engine::error::Result;
use crate::engine::numbers::Series;
use crate::engine::row::FromColumn;
use crate::engine::tx::Tx;
use crate::engine::value::{Bind, Value, params};

/// Returns the next order number. It is never given again; some are never given.
pub(crate) fn next_order_number(tx: &mut Tx) -> Result<i64> {
    next_in(tx, Series::Orders)
}

/// Returns the next number of a transfer's document, in the same way.
pub(crate) fn next_document_number(tx: &mut Tx) -> Result<i64> {
    next_in(tx, Series::Documents)
}

/// SQLite has one writer, which draws from the counter itself.
fn next_in(tx: &mut Tx, series: Series) -> Result<i64> {
    match tx.reserved_number(series)? {
        Some(number) => Ok(number),
        None => next_number(tx, series.counter(), series.first()),
    }
}

/// Draws many numbers at once, for a process of PostgreSQL. A program of the releases before draws from the same row, one by one.
pub(crate) fn reserve_numbers(
    tx: &mut Tx,
    series: Series,
    count: i64,
) -> Result<RangeInclusive<i64>> {
    let last: i64 = tx.row(
        "insert into counters (name, value) values (?1, ?2)
         on conflict (name) do update set value = counters.value + ?3
         returning value",
        params![series.counter(), series.first() - 1 + count, count],
        |row| row.next(),
    )?;
    Ok(last - count + 1..=last)
}

/// The number of the first complaint. It cannot be taken for the number of an order.
const FIRST_COMPLAINT_NUMBER: i64 = 1_001;

/// Returns the next number of a complaint.
pub(crate) fn next_complaint_number(tx: &mut Tx) -> Result<i64> {
    next_number(tx, "complaint_number", FIRST_COMPLAINT_NUMBER)
}

fn next_number(tx: &mut Tx, name: &str, first: i64) -> Result<i64> {
    tx.row(
        "insert into counters (name, value) values (?1, ?2)
         on conflict (name) do update set value = counters.value + 1
         returning value",
        params![name, first],
        |row| row.next(),
    )
}

/// Counts a trial whether the database can be written.
pub(crate) fn count_trial(tx: &mut Tx) -> Result<()> {
    next_number(tx, "trials_of_writing", 1).map(|_| ())
}

/// The mark up to which `cabinet doctor` need not check orders again.
const CHECKED_ORDERS: &str = "orders_checked_until";

/// Returns the moment up to which orders were checked; `None` before the first check.
pub(crate) fn orders_checked_until(tx: &mut Tx) -> Result<Option<Timestamp>> {
    read(tx, CHECKED_ORDERS)
}

/// Records the moment up to which orders were checked.
pub(crate) fn set_orders_checked_until(tx: &mut Tx, until: Timestamp) -> Result<()> {
    write(tx, CHECKED_ORDERS, until.value())
}

/// The number of the last sealed event of the audit trail.
const AUDIT_SEALED: &str = "audit_sealed_until";

/// Returns the number of the last event that was ever sealed.
pub(crate) fn audit_sealed_until(tx: &mut Tx) -> Result<Option<i64>> {
    read(tx, AUDIT_SEALED)
}

/// Records the number of the last sealed event.
pub(crate) fn set_audit_sealed_until(tx: &mut Tx, sequence: i64) -> Result<()> {
    write(tx, AUDIT_SEALED, sequence.value())
}

/// Identifies this database, in contrast to its copies.
const IDENTITY: &str = "database_identity";

/// Returns the identity that was stored when the database was last in use.
pub(crate) fn database_identity(tx: &mut Tx) -> Result<Option<i64>> {
    read(tx, IDENTITY)
}

/// Gives a copy an identity that no database has. A database that no server has started on yet has none, and gets none.
pub(crate) const MARK_COPY: &str = "update counters set value = 0 where name = 'database_identity'";

/// Stores the identity of the database.
pub(crate) fn set_database_identity(tx: &mut Tx, identity: i64) -> Result<()> {
    write(tx, IDENTITY, identity.value())
}

/// Begins the names of the last commits of connections to PostgreSQL, followed by process and connection.
const LAST_COMMIT: &str = "last_commit";

/// Returns the last commit of each connection of a process, in microseconds.
pub(crate) fn last_commits(tx: &mut Tx, process: Uuid) -> Result<BTreeMap<usize, i64>> {
    let beginning = format!("{LAST_COMMIT}/{}/", process.simple());
    let names = format!("{beginning}%");
    let rows = tx.rows(
        "select name, value from counters where name like ?1",
        params![names.as_str()],
        |row| Ok((row.next::<String>()?, row.next::<i64>()?)),
    )?;
    let numbered = |(name, at): (String, i64)| {
        let connection = name.strip_prefix(&beginning)?;
        Some((connection.parse().ok()?, at))
    };
    Ok(rows.into_iter().filter_map(numbered).collect())
}

/// Returns the statement that keeps the last commit of a connection, if its transaction has written anything.
pub(crate) fn keep_last_commit(process: Uuid, connection: usize, at: i64) -> String {
    format!(
        "insert into counters (name, value)
         select '{LAST_COMMIT}/{}/{connection}', {at} where pg_current_xact_id_if_assigned() is not null
         on conflict (name) do update set value = excluded.value",
        process.simple()
    )
}

/// Removes the last commits of processes that have ended long since.
pub(crate) fn forget_commits_before(tx: &mut Tx, moment: Timestamp) -> Result<()> {
    let sql = "delete from counters where name like ?1 and value < ?2";
    let names = format!("{LAST_COMMIT}/%");
    tx.execute(sql, params![names.as_str(), moment]).map(|_| ())
}

/// Since when no transfer is exported, because the database is a restored copy.
const TRANSFERS_STOPPED: &str = "transfers_stopped_since";

/// Returns since when no transfer is exported.
pub(crate) fn transfers_stopped_since(tx: &mut Tx) -> Result<Option<Timestamp>> {
    read(tx, TRANSFERS_STOPPED)
}

/// Stops the export of transfers.
pub(crate) fn stop_transfers(tx: &mut Tx, now: Timestamp) -> Result<()> {
    write(tx, TRANSFERS_STOPPED, now.value())
}

const RECOVERING: &str = "recovering_since";

/// Returns since when what a restored copy lacks is looked for.
pub(crate) fn recovering_since(tx: &mut Tx) -> Result<Option<Timestamp>> {
    read(tx, RECOVERING)
}

/// Records that what a restored copy lacks has to be looked for.
pub(crate) fn begin_recovery(tx: &mut Tx, now: Timestamp) -> Result<()> {
    write(tx, RECOVERING, now.value())
}

/// Records that what the copy lacks was looked for since `since`. A recovery that began at another moment goes on.
pub(crate) fn end_recovery(tx: &mut Tx, since: Timestamp) -> Result<()> {
    let sql = "delete from counters where name = ?1 and value = ?2";
    tx.execute(sql, params![RECOVERING, since]).map(|_| ())
}

/// When a server first started on the copy that was restored last. It stays.
const RESTORED: &str = "restored_at";

/// Returns when a server first started on the copy that was restored last; `None` if none ever was.
pub(crate) fn restored_at(tx: &mut Tx) -> Result<Option<Timestamp>> {
    read(tx, RESTORED)
}

/// Records that a server starts on a restored copy.
pub(crate) fn set_restored_at(tx: &mut Tx, now: Timestamp) -> Result<()> {
    write(tx, RESTORED, now.value())
}

/// Lets transfers be exported. Returns false if they were not stopped.
pub(crate) fn resume_transfers(tx: &mut Tx) -> Result<bool> {
    let sql = "delete from counters where name = ?1";
    Ok(tx.execute(sql, params![TRANSFERS_STOPPED])? == 1)
}

/// Skips numbers of complaints, also where the copy has none yet.
pub(crate) fn leave_out_complaint_numbers(tx: &mut Tx, count: i64) -> Result<()> {
    tx.execute(
        "insert into counters (name, value) values ('complaint_number', ?1)
         on conflict (name) do update set value = counters.value + ?2",
        params![FIRST_COMPLAINT_NUMBER - 1 + count, count],
    )
    .map(|_| ())
}

/// Skips order numbers, and as many numbers of transfers' documents. Returns the last skipped order number; `None` if no order was
/// ever made.
pub(crate) fn leave_out_order_numbers(tx: &mut Tx, count: i64) -> Result<Option<i64>> {
    tx.execute(
        "insert into counters (name, value) values ('document_number', ?1)
         on conflict (name) do update set value = counters.value + excluded.value",
        params![count],
    )?;
    tx.row_optional(
        "update counters set value = value + ?1 where name = 'order_number' returning value",
        params![count],
        |row| row.next(),
    )
}

fn write(tx: &mut Tx, name: &str, value: Value<'_>) -> Result<()> {
    tx.execute(
        "insert into counters (name, value) values (?1, ?2) on conflict (name) do update set value = excluded.value",
        &[name.value(), value],
    )
    .map(|_| ())
}

fn read<T: FromColumn>(tx: &mut Tx, name: &str) -> Result<Option<T>> {
    tx.row_optional(
        "select value from counters where name = ?1",
        params![name],
        |row| row.next(),
    )
}
