//! Reads from the SQLite file on the thread of the caller.
//!
//! A point read of a cached page takes about three microseconds; passing it to another thread and back takes several
//! times that, and in WAL mode a reader never waits for the writer. So reads run on the calling thread, on a small set
//! of connections that cannot write. Long scans would block other tasks of that thread, so they go through
//! `Store::read_long`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Role, StatisticsVersion, connect, translate};
use crate::engine::access::Access;
use crate::engine::error::{Result, StorageError};
use crate::engine::tx::{Engine, Tx};
use crate::engine::unit::{record, run_closure};

/// The reading connections. More than `kept` are opened when needed and closed after use.
pub(crate) struct Readers {
    path: PathBuf,
    lock_timeout: Duration,
    idle: Mutex<Vec<Reader>>,
    kept: usize,
    closed: AtomicBool,
    statistics: StatisticsVersion,
}

/// A connection, and the statistics of the planner with which it was opened: it never reads newer ones.
struct Reader {
    tx: Tx,
    statistics: u64,
}

impl Readers {
    pub(crate) fn new(
        path: PathBuf,
        kept: usize,
        lock_timeout: Duration,
        statistics: StatisticsVersion,
    ) -> Readers {
        Readers {
            path,
            lock_timeout,
            idle: Mutex::new(Vec::new()),
            kept,
            closed: AtomicBool::new(false),
            statistics,
        }
    }

    /// Runs a closure on one snapshot of the database.
    pub(crate) fn run<T, E: From<StorageError>>(
        &self,
        mut work: impl FnMut(&mut Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        let asked = Instant::now();
        let outcome = self.run_once(&mut work);
        record(Access::Read, outcome.is_ok(), asked);
        outcome
    }

    fn run_once<T, E: From<StorageError>>(
        &self,
        work: &mut impl FnMut(&mut Tx) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut reader = self.take()?;
        statement(&reader.tx, "begin")?;
        let outcome = run_closure(work, &mut reader.tx);
        // If ending the transaction fails, the connection is dropped and not used again.
        if statement(&reader.tx, "rollback").is_ok() {
            self.put_back(reader);
        }
        outcome?
    }

    fn take(&self) -> Result<Reader> {
        if self.closed.load(Ordering::Acquire) {
            return Err(StorageError::Closed);
        }
        // Before the connection is opened: it may read newer ones, never older ones.
        let statistics = self.statistics.load(Ordering::Acquire);
        let idle = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.retain(|reader| reader.statistics == statistics);
            idle.pop()
        };
        match idle {
            Some(reader) => Ok(reader),
            None => connect(&self.path, Role::Reader, false, self.lock_timeout).map(|connection| {
                Reader {
                    tx: Tx::new(Engine::Sqlite(connection)),
                    statistics,
                }
            }),
        }
    }

    fn put_back(&self, reader: Reader) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.kept && !self.closed.load(Ordering::Acquire) {
            idle.push(reader);
        }
    }

    /// Closes the idle connections and opens no more.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}

fn statement(tx: &Tx, sql: &str) -> Result<()> {
    match tx.sqlite() {
        Some(connection) => connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.raw_execute())
            .map(|_| ())
            .map_err(|error| translate(&error)),
        None => Ok(()),
    }
}
