//! The handle of a unit of work: runs statements on either database.

use std::sync::Arc;

use jiff::SignedDuration;

use crate::engine::access::Access;
use crate::engine::changes::Change;
use crate::engine::error::{Result, StorageError};
use crate::engine::numbers::{ReservedNumbers, Series};
use crate::engine::postgres::Session;
use crate::engine::row::{Row, table_of};
use crate::engine::sqlite;
use crate::engine::value::{Value, params};

/// Clocks of two processes differ by less than this. A row that is due later than that was scheduled before a clock was set back, so that
/// whoever claims rows takes it too.
pub(crate) const CLOCKS_APART: SignedDuration = SignedDuration::from_mins(5);

/// The database inside a unit of work. Every function of this crate that runs statements takes one.
///
/// Only this crate sends statements; other crates pass the handle on. After a failed statement the unit of work is
/// undone even if its closure returns `Ok`, because PostgreSQL would undo it silently.
pub struct Tx {
    engine: Engine,
    access: Access,
    fault: Option<StorageError>,
    batches: u64,
    /// Changes of the units of work that are not committed yet.
    announced: Vec<Change>,
    /// PostgreSQL: the numbers that this process has reserved.
    reserved: Option<Arc<ReservedNumbers>>,
    /// What the unit of work needs more numbers of than were reserved.
    short_of: Option<Series>,
}

pub(crate) enum Engine {
    Sqlite(rusqlite::Connection),
    Postgres(Box<Session>),
}

impl Tx {
    pub(crate) fn new(engine: Engine) -> Tx {
        Tx {
            engine,
            access: Access::Read,
            fault: None,
            batches: 0,
            announced: Vec::new(),
            reserved: None,
            short_of: None,
        }
    }

    /// The same, with numbers that are given out without a statement.
    pub(crate) fn with_numbers(self, reserved: Arc<ReservedNumbers>) -> Tx {
        Tx {
            reserved: Some(reserved),
            ..self
        }
    }

    /// Returns a number that this process has reserved; `None` where numbers are drawn from their counter.
    ///
    /// # Errors
    /// There is none left. The unit of work is undone, and runs again when more are reserved.
    pub(crate) fn reserved_number(&mut self, series: Series) -> Result<Option<i64>> {
        let Some(reserved) = &self.reserved else {
            return Ok(None);
        };
        let number = reserved.take(series);
        if number.is_none() {
            self.short_of = Some(series);
            return self.record_fault(Err(StorageError::Contention { attempts: 1 }));
        }
        Ok(number)
    }

    /// Returns what the last unit of work needs more numbers of.
    pub(crate) fn take_short_of(&mut self) -> Option<Series> {
        self.short_of.take()
    }

    /// Returns the first failed statement since the last call.
    pub(crate) fn take_fault(&mut self) -> Option<StorageError> {
        self.fault.take()
    }

    /// Returns what could be read; `None` also where it is damaged. The unit of work goes on without it: the database itself has failed nothing.
    ///
    /// # Errors
    /// Every other error.
    pub fn readable<T>(&mut self, found: Result<Option<T>>) -> Result<Option<T>> {
        match found {
            Err(StorageError::Inconsistent { .. }) => {
                self.fault
                    .take_if(|fault| matches!(fault, StorageError::Inconsistent { .. }));
                Ok(None)
            }
            found => found,
        }
    }

    /// Tells the servers of this database of a change once the unit of work is committed.
    pub fn announce(&mut self, change: Change) {
        if !self.announced.contains(&change) {
            self.announced.push(change);
        }
    }

    /// The changes of the units of work that are not committed yet.
    pub(crate) fn announced_mut(&mut self) -> &mut Vec<Change> {
        &mut self.announced
    }

    /// Returns a pair that grows with every change on this SQLite connection: changed rows, and batches, because SQLite
    /// does not count changes of the schema.
    pub(crate) fn changes(&self) -> (u64, u64) {
        let rows = self.sqlite().map_or(0, rusqlite::Connection::total_changes);
        (rows, self.batches)
    }

    pub(crate) fn sqlite(&self) -> Option<&rusqlite::Connection> {
        match &self.engine {
            Engine::Sqlite(connection) => Some(connection),
            Engine::Postgres(_) => None,
        }
    }

    pub(crate) fn postgres(&mut self) -> Option<&mut Session> {
        match &mut self.engine {
            Engine::Sqlite(_) => None,
            Engine::Postgres(session) => Some(session),
        }
    }

    pub(crate) fn into_sqlite(self) -> Option<rusqlite::Connection> {
        match self.engine {
            Engine::Sqlite(connection) => Some(connection),
            Engine::Postgres(_) => None,
        }
    }

    /// Sets the kind of the next unit of work. Only units that write take locks.
    pub(crate) fn set_access(&mut self, access: Access) {
        self.access = access;
    }

    /// Returns the clause of a `select` that locks its row. The key of a locked row never changes, so rows that refer to it can still be
    /// written. It is empty on SQLite, which has one writer at a time; PostgreSQL refuses it in a unit that only reads.
    pub(crate) fn row_lock(&self) -> &'static str {
        match self.engine {
            Engine::Sqlite(_) => "",
            Engine::Postgres(_) => " for no key update",
        }
    }

    /// Like [`Tx::row_lock`], for one table of a join, given by its alias.
    pub(crate) fn row_lock_of(&self, alias: &str) -> String {
        match self.engine {
            Engine::Sqlite(_) => String::new(),
            Engine::Postgres(_) => format!(" for no key update of {alias}"),
        }
    }

    /// Like [`Tx::row_lock`], for one table of a join, given by its alias. Rows of another one, which are locked after it, may not change.
    pub(crate) fn row_lock_with(&self, locked: &str, kept: &str) -> String {
        match self.engine {
            Engine::Sqlite(_) => String::new(),
            Engine::Postgres(_) => format!(" for no key update of {locked} for share of {kept}"),
        }
    }

    /// Returns a clause to append to a `select` of the row that is the root of a change, so that parallel units of work
    /// run one after another. It is empty in units that only read and on SQLite, which has one writer at a time. The
    /// key of a locked row never changes, so rows that refer to it can still be written.
    pub(crate) fn lock_clause(&self) -> &'static str {
        if self.takes_locks() {
            " for no key update"
        } else {
            ""
        }
    }

    /// Returns a clause for rows that any of several workers may take: locked rows are skipped.
    pub(crate) fn skip_locked_clause(&self) -> &'static str {
        if self.takes_locks() {
            " for update skip locked"
        } else {
            ""
        }
    }

    /// Takes an advisory lock until the end of the unit of work. Units with the same subject run one after another,
    /// also where there is no row to lock.
    pub(crate) fn advisory_lock(&mut self, subject: &[u8]) -> Result<()> {
        if !self.takes_locks() {
            return Ok(());
        }
        let digest = blake3::hash(subject);
        let (first, _) = digest.as_bytes().split_at(8);
        let number = i64::from_be_bytes(first.try_into().unwrap_or_default());
        self.rows(
            "select 1 from pg_advisory_xact_lock(?1)",
            params![number],
            |_| Ok(()),
        )
        .map(|_| ())
    }

    /// Lets the commit wait until a synchronous standby has what this unit of work has read, as if it had written it. For an answer that
    /// was given before, or was to be: everybody reads a commit whose wait was cancelled, though one server alone has it.
    ///
    /// # Errors
    /// The database failed.
    pub fn answer_again(&mut self) -> Result<()> {
        if !self.takes_locks() {
            return Ok(());
        }
        // A transaction with a number has written, so its last commit is kept. That commit stands behind what was read.
        self.batch("select pg_current_xact_id()")
    }

    fn takes_locks(&self) -> bool {
        matches!(self.engine, Engine::Postgres(_)) && self.access == Access::Write
    }

    /// Runs a statement and returns the number of changed rows.
    pub(crate) fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<u64> {
        trace(sql);
        let outcome = match &mut self.engine {
            Engine::Sqlite(connection) => sqlite::execute(connection, sql, params),
            Engine::Postgres(session) => session.execute(sql, params),
        };
        self.record_fault(outcome)
    }

    /// Returns all rows of a result, each mapped by `read`.
    pub(crate) fn rows<T>(
        &mut self,
        sql: &str,
        params: &[Value<'_>],
        mut read: impl FnMut(&mut Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        self.each(sql, params, |row| {
            found.push(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Returns the row of a result that has at most one.
    pub(crate) fn row_optional<T>(
        &mut self,
        sql: &str,
        params: &[Value<'_>],
        mut read: impl FnMut(&mut Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let mut found = None;
        self.each(sql, params, |row| {
            if found.is_some() {
                return Err(StorageError::RowCount {
                    table: table_of(sql),
                    got: "more",
                });
            }
            found = Some(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Returns the row of a result that always has exactly one.
    pub(crate) fn row<T>(
        &mut self,
        sql: &str,
        params: &[Value<'_>],
        read: impl FnMut(&mut Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.row_optional(sql, params, read)?
            .ok_or_else(|| StorageError::RowCount {
                table: table_of(sql),
                got: "none",
            })
    }

    fn each(
        &mut self,
        sql: &str,
        params: &[Value<'_>],
        read: impl FnMut(&mut Row<'_>) -> Result<()>,
    ) -> Result<()> {
        trace(sql);
        let outcome = match &mut self.engine {
            Engine::Sqlite(connection) => sqlite::each(connection, sql, params, read),
            Engine::Postgres(session) => session.each(sql, params, read),
        };
        self.record_fault(outcome)
    }

    /// Runs several statements without parameters, as in migrations.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<()> {
        trace(sql);
        self.batches += 1;
        let outcome = match &mut self.engine {
            Engine::Sqlite(connection) => connection
                .execute_batch(sql)
                .map_err(|error| sqlite::translate(&error)),
            Engine::Postgres(session) => session.batch(sql),
        };
        self.record_fault(outcome)
    }

    fn record_fault<T>(&mut self, outcome: Result<T>) -> Result<T> {
        if let Err(error) = &outcome
            && self.fault.is_none()
        {
            self.fault = Some(error.clone());
        }
        outcome
    }
}

/// Tells of a statement at the finest level of the log, never of its values.
fn trace(sql: &str) {
    tracing::trace!(target: "cabinet_storage::statement", "{sql}");
}
