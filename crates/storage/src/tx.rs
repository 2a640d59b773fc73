//! The handle of a unit of work: statements on either database.

use crate::error::{Result, StorageError};
use crate::postgres::Session;
use crate::row::{Row, table_of};
use crate::sqlite;
use crate::value::Value;

/// The database as a unit of work sees it: every function of the repositories takes one.
///
/// Statements are sent by this crate alone; other crates pass the handle on. A failed statement spoils the unit of
/// work: it is undone even if its closure answers `Ok`, because PostgreSQL would undo it silently.
pub struct Tx {
    engine: Engine,
    fault: Option<StorageError>,
}

pub(crate) enum Engine {
    Sqlite(rusqlite::Connection),
    Postgres(Session),
}

impl Tx {
    pub(crate) fn new(engine: Engine) -> Tx {
        Tx {
            engine,
            fault: None,
        }
    }

    /// The first failed statement since the last call.
    pub(crate) fn take_fault(&mut self) -> Option<StorageError> {
        self.fault.take()
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

    /// Appended to a `select` whose rows are going to be changed by what is read. SQLite has one writer at a time and
    /// needs nothing.
    pub(crate) fn lock_clause(&self) -> &'static str {
        match self.engine {
            Engine::Sqlite(_) => "",
            Engine::Postgres(_) => " for update",
        }
    }

    /// Like [`Tx::lock_clause`], passing over rows that another unit of work holds.
    pub(crate) fn skip_locked_clause(&self) -> &'static str {
        match self.engine {
            Engine::Sqlite(_) => "",
            Engine::Postgres(_) => " for update skip locked",
        }
    }

    /// Runs a statement and counts the rows it changed.
    pub(crate) fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<u64> {
        let outcome = match &mut self.engine {
            Engine::Sqlite(connection) => sqlite::execute(connection, sql, params),
            Engine::Postgres(session) => session.execute(sql, params),
        };
        self.note(outcome)
    }

    /// All rows of an answer, each through `read`.
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

    /// The row of an answer that has one or none.
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

    /// The row of an answer that always has exactly one.
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
        let outcome = match &mut self.engine {
            Engine::Sqlite(connection) => sqlite::each(connection, sql, params, read),
            Engine::Postgres(session) => session.each(sql, params, read),
        };
        self.note(outcome)
    }

    /// Runs several statements without parameters, as migrations have them.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<()> {
        let outcome = match &mut self.engine {
            Engine::Sqlite(connection) => connection
                .execute_batch(sql)
                .map_err(|error| sqlite::translate(&error)),
            Engine::Postgres(session) => session.batch(sql),
        };
        self.note(outcome)
    }

    fn note<T>(&mut self, outcome: Result<T>) -> Result<T> {
        if let Err(error) = &outcome
            && self.fault.is_none()
        {
            self.fault = Some(error.clone());
        }
        outcome
    }
}
