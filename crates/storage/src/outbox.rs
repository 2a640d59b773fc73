//! The outbox: what must follow from something that was committed.
//!
//! A row is written in the unit of work that makes it necessary, so it exists exactly if that was committed. A worker
//! takes it, does it, and then says so; should it die in between, the row comes up again. A row says "to be done", never
//! "done": whoever does it must bear doing it twice.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// Clocks of several processes differ less. A try that was set further in what is now the future was set before the clock was
/// set back.
const CLOCKS_APART: SignedDuration = SignedDuration::from_mins(5);

/// Something to be done. The payload may hold personal data: it is not shown by `Debug` and is emptied once delivered.
#[derive(Clone, PartialEq, Eq)]
pub struct OutboxRow {
    /// Names the row.
    pub id: Uuid,
    /// What is to be done.
    pub kind: String,
    /// With what.
    pub payload: String,
    /// Since when.
    pub created_at: Timestamp,
    /// How often it was tried, this time included.
    pub tries: i64,
}

impl fmt::Debug for OutboxRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutboxRow")
            .field("id", &self.id)
            .field("kind", &self.kind)
            .field("created_at", &self.created_at)
            .field("tries", &self.tries)
            .finish_non_exhaustive()
    }
}

/// How much waits, for metrics and alarms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutboxCounts {
    /// To be delivered.
    pub waiting: i64,
    /// Given up until somebody looks.
    pub parked: i64,
}

/// Adds a row, to be done from a moment on.
///
/// # Errors
/// Those of the database.
pub fn add(
    tx: &mut Tx,
    id: Uuid,
    kind: &str,
    payload: &str,
    now: Timestamp,
    from: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into outbox (id, kind, payload, created_at, scheduled_at, next_try_at, tries) values (?1, ?2, ?3, ?4, ?4, ?5, 0)",
        params![id, kind, payload, now, from],
    )
    .map(|_| ())
}

/// Takes rows whose time has come, the longest waiting first, and puts them off to `until`, so that no other worker takes
/// them meanwhile. The try is counted. A row that was put off in what is now the future is due, too: the clock was set back.
///
/// # Errors
/// Those of the database.
pub fn claim_due(
    tx: &mut Tx,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<OutboxRow>> {
    let sql = format!(
        "update outbox set next_try_at = ?2, scheduled_at = ?1, tries = tries + 1
         where id in (select id from outbox where delivered_at is null and parked_at is null
                          and (next_try_at <= ?1 or scheduled_at > ?4)
                      order by next_try_at limit ?3{})
         returning id, kind, payload, created_at, tries",
        tx.skip_locked_clause()
    );
    let mut rows = tx.rows(
        &sql,
        params![now, until, limit, now + CLOCKS_APART],
        |row| {
            Ok(OutboxRow {
                id: row.next()?,
                kind: row.next()?,
                payload: row.next()?,
                created_at: row.next()?,
                tries: row.next()?,
            })
        },
    )?;
    // `returning` promises no order.
    rows.sort_by_key(|row| (row.created_at, row.id));
    Ok(rows)
}

/// Writes down that a row is done, and forgets with what.
///
/// # Errors
/// Those of the database.
pub fn delivered(tx: &mut Tx, id: Uuid, now: Timestamp) -> Result<()> {
    let sql = "update outbox set delivered_at = ?2, parked_at = null, payload = '', last_error = null where id = ?1";
    tx.execute(sql, params![id, now]).map(|_| ())
}

/// Puts a row off after a failure.
///
/// # Errors
/// Those of the database.
pub fn retry(
    tx: &mut Tx,
    id: Uuid,
    now: Timestamp,
    next_try_at: Timestamp,
    error: &str,
) -> Result<()> {
    let sql = "update outbox set next_try_at = ?3, scheduled_at = ?2, last_error = ?4 where id = ?1 and delivered_at is null";
    tx.execute(sql, params![id, now, next_try_at, error])
        .map(|_| ())
}

/// Gives a row up until somebody looks, so that it holds up nothing else.
///
/// # Errors
/// Those of the database.
pub fn park(tx: &mut Tx, id: Uuid, now: Timestamp, error: &str) -> Result<()> {
    let sql =
        "update outbox set parked_at = ?2, last_error = ?3 where id = ?1 and delivered_at is null";
    tx.execute(sql, params![id, now, error]).map(|_| ())
}

/// Lets all parked rows be tried again. Answers how many there were.
///
/// # Errors
/// Those of the database.
pub fn unpark_all(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    let sql = "update outbox set parked_at = null, next_try_at = ?1, scheduled_at = ?1 where parked_at is not null and delivered_at is null";
    tx.execute(sql, params![now])
}

/// How much waits.
///
/// # Errors
/// Those of the database.
pub fn counts(tx: &mut Tx) -> Result<OutboxCounts> {
    tx.row(
        "select (select count(*) from outbox where delivered_at is null and parked_at is null) as waiting,
             (select count(*) from outbox where parked_at is not null) as parked",
        params![],
        |row| Ok(OutboxCounts { waiting: row.next()?, parked: row.next()? }),
    )
}

/// Deletes rows delivered before a moment.
///
/// # Errors
/// Those of the database.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from outbox where delivered_at < ?1",
        params![before],
    )
}
