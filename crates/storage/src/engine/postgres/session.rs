//! One connection to PostgreSQL and its prepared statements.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use postgres::error::{DbError, Severity, SqlState};
use postgres::types::ToSql;
use postgres::{Client, SimpleQueryMessage, Statement};

use super::translate;
use crate::engine::access::Access;
use crate::engine::error::{Result, StorageError};
use crate::engine::row::Row;
use crate::engine::value::Value;

/// The number of statements kept prepared; more than this crate has.
const PREPARED_STATEMENTS: usize = 512;

/// Whether the server has warned during a commit. It does when somebody cancels the wait for the synchronous standby (`pg_cancel_backend`): the
/// transaction is committed on this server alone, everybody reads it, and it is lost with the server. The text is in the server's language,
/// and the code is that of warnings without one of their own.
#[derive(Clone, Default)]
pub(super) struct Warned(Arc<AtomicBool>);

impl Warned {
    /// Takes what the server says beside its answers.
    pub(super) fn hear(&self, notice: &DbError) {
        let is_warning = notice.parsed_severity() == Some(Severity::Warning);
        if is_warning && *notice.code() == SqlState::WARNING {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    fn forget(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    fn take(&self) -> bool {
        self.0.swap(false, Ordering::SeqCst)
    }
}

pub(crate) struct Session {
    client: Client,
    prepared: HashMap<Box<str>, Statement>,
    warned: Warned,
}

impl Session {
    /// `warned` hears the notices of the client.
    pub(super) fn new(client: Client, warned: Warned) -> Session {
        Session {
            client,
            prepared: HashMap::new(),
            warned,
        }
    }

    pub(super) fn is_broken(&self) -> bool {
        self.client.is_closed()
    }

    pub(super) fn begin(&mut self, access: Access) -> Result<()> {
        self.batch(match access {
            Access::Read => "begin isolation level repeatable read, read only",
            Access::ReadLong => {
                "begin isolation level repeatable read, read only; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0"
            }
            // Planning a search takes as long as the search.
            Access::Search => {
                "begin isolation level repeatable read, read only; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local plan_cache_mode = force_generic_plan"
            }
            Access::Write => "begin isolation level read committed, read write",
            Access::Alone => "set statement_timeout = 0",
        })
    }

    /// Commits. After an error the commit may have happened: see [`StorageError::OutcomeUnknown`].
    pub(super) fn commit(&mut self) -> Result<()> {
        self.warned.forget();
        self.batch("commit").map_err(|error| match error {
            StorageError::Unavailable(_) => StorageError::OutcomeUnknown,
            other => other,
        })?;
        self.require_wait()
    }

    /// Runs a statement and commits, in one exchange. Returns the number of rows that the statement has changed. Errors as of [`Session::commit`].
    pub(super) fn commit_after(&mut self, sql: &str) -> Result<u64> {
        self.warned.forget();
        let answers = self.client.simple_query(&format!("{sql}; commit"));
        let answers = answers.map_err(|error| match translate(&error) {
            StorageError::Unavailable(_) => StorageError::OutcomeUnknown,
            other => other,
        })?;
        let changed = answers.iter().find_map(|answer| match answer {
            SimpleQueryMessage::CommandComplete(changed) => Some(*changed),
            _ => None,
        });
        self.require_wait()?;
        Ok(changed.unwrap_or_default())
    }

    /// Tells a commit that nobody has waited for: whether it will last is not known.
    fn require_wait(&self) -> Result<()> {
        if !self.warned.take() {
            return Ok(());
        }
        tracing::error!(
            "The wait of a commit for the synchronous standby was cancelled: it is answered as unknown, because it is on the leader alone until a later commit is answered"
        );
        Err(StorageError::OutcomeUnknown)
    }

    pub(super) fn rollback(&mut self) -> Result<()> {
        self.batch("rollback")
    }

    pub(crate) fn batch(&mut self, sql: &str) -> Result<()> {
        self.client
            .batch_execute(sql)
            .map_err(|error| translate(&error))
    }

    pub(crate) fn execute(&mut self, sql: &str, params: &[Value<'_>]) -> Result<u64> {
        let was_prepared = self.prepared.contains_key(sql);
        let statement = self.statement(sql, params)?;
        let outcome = self.client.execute(&statement, &references(params));
        self.checked(sql, was_prepared, outcome)
    }

    pub(crate) fn each(
        &mut self,
        sql: &str,
        params: &[Value<'_>],
        mut read: impl FnMut(&mut Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let was_prepared = self.prepared.contains_key(sql);
        let statement = self.statement(sql, params)?;
        let outcome = self.client.query(&statement, &references(params));
        for row in &self.checked(sql, was_prepared, outcome)? {
            read(&mut Row::postgres(row, sql))?;
        }
        Ok(())
    }

    fn statement(&mut self, sql: &str, params: &[Value<'_>]) -> Result<Statement> {
        let statement = match self.prepared.get(sql) {
            Some(statement) => statement.clone(),
            None => {
                let statement = self
                    .client
                    .prepare(&in_the_words_of_postgres(sql))
                    .map_err(|error| translate(&error))?;
                if self.prepared.len() >= PREPARED_STATEMENTS {
                    self.prepared.clear();
                }
                self.prepared.insert(sql.into(), statement.clone());
                statement
            }
        };
        // The driver panics on a wrong number of parameters.
        let wanted = statement.params().len();
        if wanted != params.len() {
            return Err(StorageError::Statement(format!(
                "{} parameters are given, {wanted} are needed",
                params.len()
            )));
        }
        Ok(statement)
    }

    /// Removes a failed statement from the cache: after a migration it may have to be prepared again. One that was prepared before, and is not
    /// supported now, is such a one: its table was changed. The server's text says so, too, but in its own language.
    fn checked<T>(
        &mut self,
        sql: &str,
        was_prepared: bool,
        outcome: std::result::Result<T, postgres::Error>,
    ) -> Result<T> {
        outcome.map_err(|error| {
            self.prepared.remove(sql);
            if was_prepared && error.code() == Some(&SqlState::FEATURE_NOT_SUPPORTED) {
                StorageError::Contention { attempts: 1 }
            } else {
                translate(&error)
            }
        })
    }
}

/// Replaces `?n`, which SQLite understands, by the `$n` of PostgreSQL. No statement contains a literal question mark.
pub(super) fn in_the_words_of_postgres(sql: &str) -> String {
    sql.replace('?', "$")
}

fn references<'v>(params: &'v [Value<'v>]) -> Vec<&'v (dyn ToSql + Sync)> {
    params
        .iter()
        .map(|value| value as &(dyn ToSql + Sync))
        .collect()
}
