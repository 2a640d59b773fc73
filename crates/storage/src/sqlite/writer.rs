//! The one thread that writes to the SQLite file, committing many units of work together.
//!
//! A durable commit costs a flush of the disk, whatever is in it. So the thread runs every unit of work that is waiting
//! inside one transaction, each in a savepoint of its own, commits once, and only then answers all of them: nobody
//! hears "done" before the flush, and a unit of work that refuses undoes nothing but itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::{is_beyond_repair, translate};
use crate::error::{Result, StorageError};
use crate::tx::{Engine, Tx};
use crate::unit::{Queue, Unit};

/// Units of work in one commit at most.
const GROUP_MAX: usize = 256;
/// A group that has worked this long is committed, so that the first in it need not wait for slow ones.
const GROUP_TIME_MAX: Duration = Duration::from_millis(25);

/// Starts the writer. The thread ends, dropping `alive`, when the queue is closed and empty.
pub(crate) fn spawn_writer(
    connection: rusqlite::Connection,
    queue: Arc<Queue>,
    alive: watch::Receiver<()>,
) -> Result<()> {
    std::thread::Builder::new()
        .name("storage-writer".to_owned())
        .spawn(move || {
            let _alive = alive;
            let on_exit = CloseOnExit(queue);
            serve(Tx::new(Engine::Sqlite(connection)), &on_exit.0);
        })
        .map(|_| ())
        .map_err(|error| {
            StorageError::Unavailable(format!("the writer cannot be started: {error}"))
        })
}

/// However the thread ends, nobody is left waiting.
struct CloseOnExit(Arc<Queue>);

impl Drop for CloseOnExit {
    fn drop(&mut self) {
        let stopped = StorageError::Unavailable("the writer has stopped".to_owned());
        self.0.close(stopped.clone());
        self.0.refuse_waiting(&stopped);
    }
}

fn serve(mut tx: Tx, queue: &Queue) {
    while let Some(first) = queue.next() {
        if let Err(fatal) = serve_group(&mut tx, queue, first) {
            tracing::error!(error = %fatal, "The database takes no more writes: {fatal}");
            queue.close(fatal.clone());
            queue.refuse_waiting(&fatal);
            return;
        }
    }
    if let Some(connection) = tx.into_sqlite() {
        // Keeps the planner's statistics fresh; a failure costs nothing but that.
        let _ = connection.execute_batch("pragma analysis_limit = 400; pragma optimize;");
    }
}

/// A unit of work that was run, and what its caller will hear once the group is committed.
enum Finished {
    Answered(Box<dyn Unit>),
    Refused(Box<dyn Unit>, StorageError),
}

impl Finished {
    fn tell(self) {
        match self {
            Finished::Answered(unit) => unit.answer(),
            Finished::Refused(unit, error) => unit.refuse(error),
        }
    }

    fn refuse(self, error: &StorageError) {
        match self {
            Finished::Answered(unit) | Finished::Refused(unit, _) => unit.refuse(error.clone()),
        }
    }
}

/// Runs what is waiting as one transaction. `Err` only where no further write may be tried.
fn serve_group(tx: &mut Tx, queue: &Queue, first: Box<dyn Unit>) -> Result<()> {
    let began = Instant::now();
    metrics::gauge!("cabinet_storage_queue_depth").set(queue.depth() as f64);
    if let Err(error) = statement(tx, "begin immediate") {
        let told = translate(&error);
        first.refuse(told.clone());
        // The others would each wait for the same lock, one after another.
        queue.refuse_waiting(&told);
        return if is_beyond_repair(&error) {
            Err(told)
        } else {
            Ok(())
        };
    }
    let mut group = Vec::new();
    let mut next = Some(first);
    while let Some(unit) = next {
        if !unit.is_withdrawn() {
            match run_unit(tx, unit) {
                Ok(finished) => group.push(finished),
                Err(lost) => {
                    group.push(lost.finished);
                    return abandon(tx, group, &lost.error);
                }
            }
        }
        next = if group.len() < GROUP_MAX && began.elapsed() < GROUP_TIME_MAX {
            queue.next_now()
        } else {
            None
        };
    }
    if let Err(error) = statement(tx, "commit") {
        return abandon(tx, group, &error);
    }
    metrics::histogram!("cabinet_storage_group_units").record(group.len() as f64);
    group.into_iter().for_each(Finished::tell);
    Ok(())
}

/// A unit of work with which the whole transaction was lost.
struct Lost {
    finished: Finished,
    error: rusqlite::Error,
}

impl Lost {
    fn with(finished: Finished, error: rusqlite::Error) -> Box<Lost> {
        Box::new(Lost { finished, error })
    }
}

/// Runs one unit of work in its savepoint. `Err` where the whole transaction is lost with it.
fn run_unit(tx: &mut Tx, mut unit: Box<dyn Unit>) -> Result<Finished, Box<Lost>> {
    if let Err(error) = statement(tx, "savepoint unit") {
        return Err(Lost::with(Finished::Answered(unit), error));
    }
    let outcome = unit.run(tx);
    // A full disk or a read error makes SQLite roll back by itself, the others of the group included.
    if tx.sqlite().is_none_or(rusqlite::Connection::is_autocommit) {
        let told = outcome
            .as_ref()
            .err()
            .cloned()
            .unwrap_or(StorageError::Full);
        let lost = rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_ABORT_ROLLBACK),
            None,
        );
        return Err(Lost::with(Finished::Refused(unit, told), lost));
    }
    let end = if matches!(outcome, Ok(true)) {
        statement(tx, "release unit")
    } else {
        undo_unit(tx)
    };
    match (outcome, end) {
        (_, Err(error)) => Err(Lost::with(Finished::Answered(unit), error)),
        (Ok(_), Ok(())) => Ok(Finished::Answered(unit)),
        (Err(refusal), Ok(())) => Ok(Finished::Refused(unit, refusal)),
    }
}

fn undo_unit(tx: &Tx) -> rusqlite::Result<()> {
    statement(tx, "rollback to unit")?;
    statement(tx, "release unit")
}

/// Undoes a group that cannot be committed and tells everyone in it. `Err` where no further write may be tried.
fn abandon(tx: &Tx, group: Vec<Finished>, error: &rusqlite::Error) -> Result<()> {
    let in_transaction = tx
        .sqlite()
        .is_some_and(|connection| !connection.is_autocommit());
    let rolled_back = if in_transaction {
        statement(tx, "rollback")
    } else {
        Ok(())
    };
    // The unit of work that hit the obstacle knows best what it was.
    let told = group
        .iter()
        .find_map(|finished| match finished {
            Finished::Refused(
                _,
                cause
                @ (StorageError::Full | StorageError::ReadOnly | StorageError::Unavailable(_)),
            ) => Some(cause.clone()),
            _ => None,
        })
        .unwrap_or_else(|| translate(error));
    for finished in group {
        finished.refuse(&told);
    }
    if is_beyond_repair(error) || rolled_back.is_err() {
        Err(told)
    } else {
        Ok(())
    }
}

fn statement(tx: &Tx, sql: &str) -> rusqlite::Result<()> {
    match tx.sqlite() {
        Some(connection) => connection.prepare_cached(sql)?.raw_execute().map(|_| ()),
        None => Ok(()),
    }
}
