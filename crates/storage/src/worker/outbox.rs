//! The outbox: tasks that follow from something that was committed.
//!
//! A row is inserted in the unit of work that causes the task, so it exists exactly if that was committed. A worker
//! claims it, does the task, and then marks it as delivered; if the worker dies in between, the row becomes due again.
//! So a task may be done twice.

use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::{CLOCKS_APART, Tx};
use crate::engine::value::params;

/// A task. The payload may hold personal data: `Debug` does not show it, and it is emptied on delivery.
#[derive(Clone, PartialEq, Eq)]
pub struct OutboxRow {
    /// Names the row.
    pub id: Uuid,
    /// The kind of task.
    pub kind: String,
    /// The data of the task.
    pub payload: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// Number of tries, this one included.
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

fn read(row: &mut Row<'_>) -> Result<OutboxRow> {
    Ok(OutboxRow {
        id: row.next()?,
        kind: row.next()?,
        payload: row.next()?,
        created_at: row.next()?,
        tries: row.next()?,
    })
}

/// Adds a task that is due from a moment on.
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

/// The kind of a text message to a client. Those count with the messages of an hour (`login_operations::count_messages`), also once they
/// are delivered.
pub const CLIENT_MESSAGE: &str = "client_message";
/// The kind of any other text message.
pub const TEXT_MESSAGE: &str = "text_message";
/// The kinds of text messages. All other tasks are letters.
pub const TEXT_MESSAGES: [&str; 2] = [TEXT_MESSAGE, CLIENT_MESSAGE];

/// Which tasks are taken.
#[derive(Clone, Copy, Debug)]
pub enum Kinds {
    /// Those of these kinds.
    Only([&'static str; 2]),
    /// Those of all other kinds, also of unknown ones.
    Except([&'static str; 2]),
}

/// Returns tasks of some kinds that are due, the longest waiting first, and postpones them to `until`, so that no other worker takes
/// them meanwhile. Increases their number of tries. A task that was scheduled far in the future is due as well: the
/// clock was set back.
///
/// `materialized`: PostgreSQL may run a selection within the condition once for each row, and each time it would find the next one unlocked.
pub fn claim_due(
    tx: &mut Tx,
    kinds: Kinds,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<OutboxRow>> {
    let (comparison, [one, other]) = match kinds {
        Kinds::Only(kinds) => ("in", kinds),
        Kinds::Except(kinds) => ("not in", kinds),
    };
    let sql = format!(
        "with due as materialized (select id from outbox where delivered_at is null and parked_at is null and kind {comparison} (?5, ?6)
                          and (next_try_at <= ?1 or scheduled_at > ?4)
                      order by next_try_at, id limit ?3{})
         update outbox set next_try_at = ?2, scheduled_at = ?1, tries = tries + 1 where id in (select id from due)
         returning id, kind, payload, created_at, tries",
        tx.skip_locked_clause()
    );
    let mut rows = tx.rows(
        &sql,
        params![now, until, limit, now + CLOCKS_APART, one, other],
        read,
    )?;
    // `returning` guarantees no order.
    rows.sort_by_key(|row| (row.created_at, row.id));
    Ok(rows)
}

/// Marks a task as delivered and erases its data.
pub fn delivered(tx: &mut Tx, id: Uuid, now: Timestamp) -> Result<()> {
    let sql = "update outbox set delivered_at = ?2, parked_at = null, payload = '', last_error = null where id = ?1";
    tx.execute(sql, params![id, now]).map(|_| ())
}

/// Postpones a task after a failure.
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

/// Replaces what a task that is not delivered holds.
pub fn replace_payload(tx: &mut Tx, id: Uuid, payload: &str) -> Result<()> {
    let sql = "update outbox set payload = ?2 where id = ?1 and delivered_at is null";
    tx.execute(sql, params![id, payload]).map(|_| ())
}

/// Gives a task up until the operator acts, so that it delays no other.
pub fn park(tx: &mut Tx, id: Uuid, now: Timestamp, error: &str) -> Result<()> {
    let sql =
        "update outbox set parked_at = ?2, last_error = ?3 where id = ?1 and delivered_at is null";
    tx.execute(sql, params![id, now, error]).map(|_| ())
}

/// A task that was given up. It holds nothing of what the task would have sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParkedTask {
    /// Names the row.
    pub id: Uuid,
    /// The kind of task.
    pub kind: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was given up.
    pub parked_at: Timestamp,
    /// Number of tries.
    pub tries: i64,
    /// What went wrong at the last one, without personal data.
    pub last_error: Option<String>,
}

/// Returns the tasks that were given up, the earliest first.
pub fn parked(tx: &mut Tx) -> Result<Vec<ParkedTask>> {
    let sql = "select id, kind, created_at, parked_at, tries, last_error from outbox
               where parked_at is not null and delivered_at is null order by parked_at, id";
    tx.rows(sql, params![], |row| {
        Ok(ParkedTask {
            id: row.next()?,
            kind: row.next()?,
            created_at: row.next()?,
            parked_at: row.next()?,
            tries: row.next()?,
            last_error: row.next()?,
        })
    })
}

/// Makes a task that was given up due again. Returns false if there is none of this id.
pub fn unpark(tx: &mut Tx, id: Uuid, now: Timestamp) -> Result<bool> {
    let sql = "update outbox set parked_at = null, next_try_at = ?2, scheduled_at = ?2
               where id = ?1 and parked_at is not null and delivered_at is null";
    Ok(tx.execute(sql, params![id, now])? == 1)
}

/// Deletes a task that was given up. Returns false if there is none of this id.
pub fn delete_parked(tx: &mut Tx, id: Uuid) -> Result<bool> {
    let sql = "delete from outbox where id = ?1 and parked_at is not null and delivered_at is null";
    Ok(tx.execute(sql, params![id])? == 1)
}

/// Returns the tasks that are not delivered yet, those that were given up included.
pub fn open(tx: &mut Tx) -> Result<Vec<OutboxRow>> {
    tx.rows(
        "select id, kind, payload, created_at, tries from outbox where delivered_at is null order by created_at, id",
        params![],
        read,
    )
}

/// A task that is not delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undelivered {
    /// How often it was tried.
    pub tries: i64,
    /// When it was given up. `None`: it waits.
    pub parked_at: Option<Timestamp>,
}

/// Returns the tasks with this payload that are not delivered.
pub fn undelivered(tx: &mut Tx, kind: &str, payload: &str) -> Result<Vec<Undelivered>> {
    // Each half by an index of its own: what was delivered is most of the table.
    let sql = "select tries, parked_at from outbox
               where kind = ?1 and payload = ?2 and delivered_at is null and parked_at is null
               union all
               select tries, parked_at from outbox
               where kind = ?1 and payload = ?2 and delivered_at is null and parked_at is not null";
    tx.rows(sql, params![kind, payload], |row| {
        Ok(Undelivered {
            tries: row.next()?,
            parked_at: row.next()?,
        })
    })
}

/// Deletes a task.
pub fn delete(tx: &mut Tx, id: Uuid) -> Result<()> {
    tx.execute("delete from outbox where id = ?1", params![id])
        .map(|_| ())
}

/// Deletes tasks that were delivered before a moment, and messages to clients that were given up before it: their payload names an order.
/// Others that were given up wait for the operator.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    let delivered = tx.execute(
        "delete from outbox where delivered_at < ?1",
        params![before],
    )?;
    let given_up = tx.execute(
        "delete from outbox where parked_at < ?1 and payload like '%\"order\":\"%'",
        params![before],
    )?;
    Ok(delivered + given_up)
}
