//! The one thread that writes to the SQLite file, committing many units of work together.
//!
//! A durable commit costs a flush of the disk, whatever is in it. So the thread runs every unit of work that is waiting
//! inside one transaction, commits once, and only then answers all of them: nobody hears "done" before the flush.
//!
//! A unit of work that refuses undoes nothing but itself. A savepoint for each would see to that, but costs as much as a
//! statement that writes; and whoever refuses mostly does so before changing anything. So units are run without, and only when
//! one refuses after a change is the whole group undone and run again, with savepoints. Units can be repeated: on PostgreSQL
//! they are, too, when parallel ones stand in the way.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::translate;
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
            let _on_panic = queue.close_on_panic();
            serve(Tx::new(Engine::Sqlite(connection)), &queue);
        })
        .map(|_| ())
        .map_err(|error| {
            StorageError::Unavailable(format!("the writer cannot be started: {error}"))
        })
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
    fn into_unit(self) -> Box<dyn Unit> {
        match self {
            Finished::Answered(unit) | Finished::Refused(unit, _) => unit,
        }
    }

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
        return match told {
            StorageError::Damaged(_) => Err(told),
            _ => Ok(()),
        };
    }
    let mut group = Group::default();
    let mut next = Some(first);
    while let Some(unit) = next {
        if !unit.is_withdrawn()
            && let Err(lost) = group.run(tx, unit)
        {
            group.finished.push(lost.finished);
            return abandon(tx, group.finished, translate(&lost.error));
        }
        next = if group.finished.len() < GROUP_MAX && began.elapsed() < GROUP_TIME_MAX {
            queue.next_now()
        } else {
            None
        };
    }
    if let Some(damage) = group.damage() {
        return abandon(tx, group.finished, damage);
    }
    if let Err(error) = statement(tx, "commit") {
        return abandon(tx, group.finished, translate(&error));
    }
    metrics::histogram!("cabinet_storage_group_units").record(group.finished.len() as f64);
    group.finished.into_iter().for_each(Finished::tell);
    Ok(())
}

/// The units of work of one transaction.
#[derive(Default)]
struct Group {
    finished: Vec<Finished>,
    /// Each runs in a savepoint of its own.
    guarded: bool,
}

impl Group {
    /// Why nothing of the group may be committed: one of its statements met a damaged file.
    fn damage(&self) -> Option<StorageError> {
        self.finished.iter().find_map(|finished| match finished {
            Finished::Refused(_, damage @ StorageError::Damaged(_)) => Some(damage.clone()),
            _ => None,
        })
    }

    /// Runs one more. `Err` where the whole transaction is lost with it.
    fn run(&mut self, tx: &mut Tx, unit: Box<dyn Unit>) -> Result<(), Box<Lost>> {
        if self.guarded {
            self.finished.push(run_guarded(tx, unit)?);
            return Ok(());
        }
        match run_bare(tx, unit)? {
            Bare::Stands(finished) => {
                self.finished.push(finished);
                Ok(())
            }
            Bare::Spoils(unit) => self.run_again(tx, unit),
        }
    }

    /// Undoes everything and runs it again, the last unit too, each in a savepoint.
    fn run_again(&mut self, tx: &mut Tx, last: Box<dyn Unit>) -> Result<(), Box<Lost>> {
        self.guarded = true;
        if let Err(error) =
            statement(tx, "rollback").and_then(|()| statement(tx, "begin immediate"))
        {
            return Err(Lost::with(Finished::Answered(last), error));
        }
        let mut again = VecDeque::from(std::mem::take(&mut self.finished));
        again.push_back(Finished::Answered(last));
        while let Some(finished) = again.pop_front() {
            match run_guarded(tx, finished.into_unit()) {
                Ok(finished) => self.finished.push(finished),
                Err(lost) => {
                    // Whoever has not been run again yet is told with the others.
                    self.finished.extend(again);
                    return Err(lost);
                }
            }
        }
        Ok(())
    }
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

/// What became of a unit of work that was run without a savepoint.
enum Bare {
    /// Its changes stand, or it made none.
    Stands(Finished),
    /// It refused, or failed, after changes that cannot be undone alone.
    Spoils(Box<dyn Unit>),
}

fn run_bare(tx: &mut Tx, mut unit: Box<dyn Unit>) -> Result<Bare, Box<Lost>> {
    let before = tx.changes();
    let outcome = unit.run(tx);
    if is_rolled_back(tx) {
        return Err(lost_with(unit, outcome));
    }
    let unchanged = tx.changes() == before;
    Ok(match outcome {
        Ok(true) => Bare::Stands(Finished::Answered(unit)),
        Ok(false) if unchanged => Bare::Stands(Finished::Answered(unit)),
        Err(refusal) if unchanged => Bare::Stands(Finished::Refused(unit, refusal)),
        Ok(false) | Err(_) => Bare::Spoils(unit),
    })
}

/// Runs one unit of work in its savepoint. `Err` where the whole transaction is lost with it.
fn run_guarded(tx: &mut Tx, mut unit: Box<dyn Unit>) -> Result<Finished, Box<Lost>> {
    if let Err(error) = statement(tx, "savepoint unit") {
        return Err(Lost::with(Finished::Answered(unit), error));
    }
    let outcome = unit.run(tx);
    if is_rolled_back(tx) {
        return Err(lost_with(unit, outcome));
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

/// A full disk or a read error makes SQLite roll back by itself, the others of the group included.
fn is_rolled_back(tx: &Tx) -> bool {
    tx.sqlite().is_none_or(rusqlite::Connection::is_autocommit)
}

fn lost_with(unit: Box<dyn Unit>, outcome: Result<bool>) -> Box<Lost> {
    let told = outcome.err().unwrap_or(StorageError::Full);
    let lost = rusqlite::Error::SqliteFailure(
        rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_ABORT_ROLLBACK),
        None,
    );
    Lost::with(Finished::Refused(unit, told), lost)
}

fn undo_unit(tx: &Tx) -> rusqlite::Result<()> {
    statement(tx, "rollback to unit")?;
    statement(tx, "release unit")
}

/// Undoes a group that cannot be committed and tells everyone in it. `Err` where no further write may be tried.
fn abandon(tx: &Tx, group: Vec<Finished>, error: StorageError) -> Result<()> {
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
                cause @ (StorageError::Full
                | StorageError::ReadOnly
                | StorageError::Unavailable(_)
                | StorageError::Damaged(_)),
            ) => Some(cause.clone()),
            _ => None,
        })
        .unwrap_or(error);
    for finished in group {
        finished.refuse(&told);
    }
    if matches!(told, StorageError::Damaged(_)) || rolled_back.is_err() {
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
