//! The one thread that writes to the SQLite file. It commits many units of work together.
//!
//! A durable commit costs a flush of the disk, whatever it contains. So the thread runs all waiting units of work in
//! one transaction, commits once, and only then answers them: nobody gets a result before the flush.
//!
//! A unit of work that fails undoes only itself. A savepoint for each unit would ensure that, but costs as much as a
//! statement that writes, and most units that fail do so before they change anything. So units run without savepoints.
//! Only when one fails after a change, the whole group is undone and run again with savepoints. Units are repeatable:
//! on PostgreSQL they are repeated after conflicts.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cabinet_metrics::{STORAGE_CONNECTIONS_IN_USE, STORAGE_GROUP_UNITS};
use tokio::sync::{broadcast, watch};

use super::planner_statistics::{PlannerStatistics, StatisticsVersion, renew_all};
use super::translate;
use crate::engine::changes::Change;
use crate::engine::error::{Result, StorageError};
use crate::engine::tx::{Engine, Tx};
use crate::engine::unit::{Queue, Unit};

/// The most units of work in one commit.
const GROUP_MAX: usize = 256;
/// A group is committed after this time, so that its first unit need not wait for slow ones.
const GROUP_TIME_MAX: Duration = Duration::from_millis(25);

/// Starts the writer. The thread ends when the queue is closed and empty, and drops `alive` and `changes`. `statistics` counts how often it
/// has renewed those of the planner.
pub(crate) fn spawn_writer(
    connection: rusqlite::Connection,
    queue: Arc<Queue>,
    alive: watch::Receiver<()>,
    changes: broadcast::Sender<Change>,
    statistics: StatisticsVersion,
) -> Result<()> {
    std::thread::Builder::new()
        .name("storage-writer".to_owned())
        .spawn(move || {
            let _alive = alive;
            let _on_panic = queue.close_on_panic();
            let tx = Tx::new(Engine::Sqlite(connection));
            serve(tx, &queue, &changes, PlannerStatistics::new(statistics));
        })
        .map(|_| ())
        .map_err(|error| {
            StorageError::Unavailable(format!("the writer cannot be started: {error}"))
        })
}

fn serve(
    mut tx: Tx,
    queue: &Queue,
    changes: &broadcast::Sender<Change>,
    mut statistics: PlannerStatistics,
) {
    loop {
        let next = if statistics.has_work() {
            queue.next_now()
        } else {
            match queue.next() {
                None => break,
                waited_for => waited_for,
            }
        };
        if let Some(first) = next
            && let Err(fatal) = serve_group(&mut tx, queue, changes, first)
        {
            tracing::error!(error = %fatal, "The database takes no more writes: {fatal}");
            queue.close(fatal.clone());
            queue.refuse_waiting(&fatal);
            return;
        }
        if let Some(connection) = tx.sqlite() {
            statistics.take_step(connection);
        }
    }
    if let Some(connection) = tx.into_sqlite() {
        renew_all(&connection);
    }
}

/// A unit of work that was run, and the result for its caller once the group is committed.
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

/// Runs all waiting units as one transaction. Returns `Err` only if no further write may be tried.
fn serve_group(
    tx: &mut Tx,
    queue: &Queue,
    changes: &broadcast::Sender<Change>,
    first: Box<dyn Unit>,
) -> Result<()> {
    let began = Instant::now();
    // Those of a group that could not be committed.
    tx.announced_mut().clear();
    let _in_use = STORAGE_CONNECTIONS_IN_USE.hold(());
    if let Err(error) = statement(tx, "begin immediate") {
        let told = translate(&error);
        first.refuse(told.clone());
        // The others would wait for the same lock, one after another.
        queue.refuse_waiting(&told);
        return match told {
            StorageError::Damaged(_) => Err(told),
            _ => Ok(()),
        };
    }
    let mut group = Group::default();
    let mut next = Some(first);
    while let Some(unit) = next {
        if unit.begins()
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
    STORAGE_GROUP_UNITS.record((), group.finished.len() as f64);
    for told in tx.announced_mut().drain(..) {
        // Having no follower is no error.
        let _ = changes.send(told);
    }
    group.finished.into_iter().for_each(Finished::tell);
    Ok(())
}

/// The units of work of one transaction.
#[derive(Default)]
struct Group {
    finished: Vec<Finished>,
    /// Whether each unit runs in a savepoint of its own.
    guarded: bool,
}

impl Group {
    /// Why the group must not be committed: one of its statements met a damaged file.
    fn damage(&self) -> Option<StorageError> {
        self.finished.iter().find_map(|finished| match finished {
            Finished::Refused(_, damage @ StorageError::Damaged(_)) => Some(damage.clone()),
            _ => None,
        })
    }

    /// Runs one more unit. Returns `Err` if the whole transaction is lost.
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

    /// Undoes the group and runs it again, the last unit included, each in a savepoint.
    fn run_again(&mut self, tx: &mut Tx, last: Box<dyn Unit>) -> Result<(), Box<Lost>> {
        self.guarded = true;
        tx.announced_mut().clear();
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
                    // Units that were not run again yet are answered with the others.
                    self.finished.extend(again);
                    return Err(lost);
                }
            }
        }
        Ok(())
    }
}

/// The unit of work that lost the whole transaction.
struct Lost {
    finished: Finished,
    error: rusqlite::Error,
}

impl Lost {
    fn with(finished: Finished, error: rusqlite::Error) -> Box<Lost> {
        Box::new(Lost { finished, error })
    }
}

/// The result of running a unit without a savepoint.
enum Bare {
    /// Its changes remain, or it made none.
    Stands(Finished),
    /// It failed after changes that cannot be undone alone.
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

/// Runs one unit of work in its savepoint. Returns `Err` if the whole transaction is lost.
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

/// On a full disk or a read error SQLite rolls back by itself, including the other units of the group.
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

/// Undoes a group that cannot be committed and answers all its units. Returns `Err` if no further write may be tried.
fn abandon(tx: &Tx, group: Vec<Finished>, error: StorageError) -> Result<()> {
    let in_transaction = tx
        .sqlite()
        .is_some_and(|connection| !connection.is_autocommit());
    let rolled_back = if in_transaction {
        statement(tx, "rollback")
    } else {
        Ok(())
    };
    // The unit of work that met the obstacle knows best what it was.
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
