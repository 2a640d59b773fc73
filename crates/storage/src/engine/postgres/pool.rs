//! The threads that run units of work on PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use cabinet_metrics::{STORAGE_CONNECTIONS_IN_USE, STORAGE_REPEATS};
use postgres::NoTls;
use tokio::sync::{oneshot, watch};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::announcer::{Announcements, Announcer};
use super::last_commits::{LastCommits, Witness};
use super::session::Warned;
use super::{PoolSettings, Session, prepared, translate};
use crate::engine::access::Access;
use crate::engine::counters;
use crate::engine::error::{Result, StorageError};
use crate::engine::numbers::{ReservedNumbers, Series};
use crate::engine::tx::{Engine, Tx};
use crate::engine::unit::{Queue, Unit};

/// The most runs of a unit of work that conflicts with parallel ones.
const ATTEMPTS_MAX: u32 = 8;
/// The longest pause between two statements of a unit of work. A process that stands still, or whose machine has lost its power, holds its
/// locks no longer than that. Units of work wait for nothing in between.
const IDLE_TIME_MAX: Duration = Duration::from_secs(10);
/// The pause before the second run; it doubles for each further run. It needs no random part: the locks that the units
/// waited for have ordered them already.
const FIRST_PAUSE: Duration = Duration::from_millis(2);

/// How many numbers a process reserves at once. So many at most are never given when it ends.
const NUMBERS_RESERVED: u32 = 100;

/// Starts the threads. They end when the queue is closed and empty, and drop their copy of `alive`.
pub(crate) struct Pool;

impl Pool {
    /// Connects once, so that a wrong address is refused now, and starts the threads.
    pub(crate) async fn start(
        config: &tokio_postgres::Config,
        settings: &PoolSettings,
        queue: &Arc<Queue>,
        alive: &watch::Receiver<()>,
        (last_commits, numbers): (&Arc<LastCommits>, &Arc<ReservedNumbers>),
    ) -> Result<()> {
        let announcements = Announcer::start(config, settings, alive.clone())?;
        let mut first_connection = Some(oneshot::channel());
        let mut connected = None;
        for number in 0..settings.connections.max(1) {
            let worker = Worker::new(
                config,
                settings,
                Arc::clone(queue),
                last_commits.witness(number),
                (Arc::clone(numbers), announcements.clone()),
            )?;
            let alive = alive.clone();
            let report = first_connection.take().map(|(sender, receiver)| {
                connected = Some(receiver);
                sender
            });
            std::thread::Builder::new()
                .name(format!("storage-{number}"))
                .spawn(move || {
                    let _alive = alive;
                    let queue = Arc::clone(&worker.queue);
                    let _on_panic = queue.close_on_panic();
                    worker.run(report);
                })
                .map_err(|error| {
                    StorageError::Unavailable(format!("a thread cannot be started: {error}"))
                })?;
        }
        let outcome = match connected {
            Some(receiver) => receiver.await.unwrap_or(Err(StorageError::Closed)),
            None => Ok(()),
        };
        if let Err(error) = &outcome {
            queue.close(error.clone());
        }
        outcome
    }
}

struct Worker {
    config: postgres::Config,
    warned: Warned,
    tls: Option<MakeRustlsConnect>,
    set_up: String,
    tx: Option<Tx>,
    queue: Arc<Queue>,
    witness: Witness,
    numbers: Arc<ReservedNumbers>,
    announcements: Announcements,
}

impl Worker {
    fn new(
        config: &tokio_postgres::Config,
        settings: &PoolSettings,
        queue: Arc<Queue>,
        witness: Witness,
        (numbers, announcements): (Arc<ReservedNumbers>, Announcements),
    ) -> Result<Worker> {
        let (config, tls) = prepared(config, settings)?;
        let mut config = postgres::Config::from(config);
        let warned = Warned::default();
        let hears = warned.clone();
        config.notice_callback(move |notice| hears.hear(&notice));
        // A statement is neither compiled nor shared among processes: those of the cabinet are short, and the planner, who can't know how often
        // a word occurs, would do both for a search. Warnings are heard whatever the server's own choice is.
        let set_up = format!(
            "set statement_timeout = {}; set lock_timeout = {}; set idle_in_transaction_session_timeout = {};
             set jit = off; set max_parallel_workers_per_gather = 0; set client_min_messages = warning",
            settings.statement_timeout.as_millis(),
            settings.lock_timeout.as_millis(),
            IDLE_TIME_MAX.as_millis(),
        );
        Ok(Worker {
            config,
            warned,
            tls,
            set_up,
            tx: None,
            queue,
            witness,
            numbers,
            announcements,
        })
    }

    fn run(mut self, first_connection: Option<oneshot::Sender<Result<()>>>) {
        if let Some(report) = first_connection {
            let outcome = self.connected().map(|_| ());
            // The caller may have stopped waiting.
            let _ = report.send(outcome);
        }
        while let Some(unit) = self.queue.next() {
            if unit.begins() {
                let _in_use = STORAGE_CONNECTIONS_IN_USE.hold(());
                self.serve(unit);
            }
        }
    }

    fn serve(&mut self, mut unit: Box<dyn Unit>) {
        let mut attempt = 0;
        let (mut short_of, mut shortages) = (None, 0);
        loop {
            attempt += 1;
            let freshly_connected = self.tx.is_none();
            let replenished = match short_of.take() {
                // A unit of work that needs many numbers is short of them again.
                Some(series) => {
                    shortages += 1;
                    self.reserve(series, NUMBERS_RESERVED << (shortages - 1))
                }
                None => Ok(()),
            };
            let error = match replenished.and_then(|()| self.attempt(&mut *unit)) {
                Ok(()) => break,
                Err(error) => error,
            };
            self.drop_if_broken(&error);
            short_of = self.tx.as_mut().and_then(Tx::take_short_of);
            if short_of.is_some() && attempt < ATTEMPTS_MAX {
                tracing::debug!("More numbers are reserved");
            } else if error.is_transient() && attempt < ATTEMPTS_MAX {
                STORAGE_REPEATS.count(());
                std::thread::sleep(FIRST_PAUSE * 2_u32.pow(attempt - 1));
            } else if !freshly_connected && matches!(error, StorageError::Unavailable(_)) {
                // An old connection was lost, for example by a restart of the server. Nothing was committed, so the
                // closure may run again on a new one.
                tracing::info!("A connection to PostgreSQL was lost and is made anew");
            } else {
                return unit.refuse(match error {
                    StorageError::Contention { .. } => {
                        StorageError::Contention { attempts: attempt }
                    }
                    other => other,
                });
            }
        }
        let access = unit.access();
        unit.answer();
        if access.is_read() {
            // A read transaction is ended after its result was sent.
            self.end_read();
        }
    }

    /// Runs the unit of work once. Returns `Ok` if its own result may be sent.
    fn attempt(&mut self, unit: &mut dyn Unit) -> Result<()> {
        let access = unit.access();
        let witness = self.witness.clone();
        let tx = self.connected()?;
        tx.set_access(access);
        tx.announced_mut().clear();
        session(tx)?.begin(access)?;
        let outcome = unit.run(tx);
        if access == Access::Alone {
            // Whatever it has set or locked ends with its connection.
            self.tx = None;
            return outcome.map(|_| ());
        }
        match (&outcome, access) {
            (Ok(_), _) if access.is_read() => return Ok(()),
            (Ok(true), _) => {
                let announced = std::mem::take(tx.announced_mut());
                let committed = witness.commit(session(tx)?);
                if committed.is_err() {
                    // PostgreSQL has ended the transaction; this clears what may be left.
                    let _ = session(tx)?.rollback();
                }
                let may_be_told = matches!(committed, Ok(()) | Err(StorageError::OutcomeUnknown));
                if may_be_told && !announced.is_empty() {
                    // Before the answer, so that what is done after it is told after it. Who hears of a change reads the facts.
                    let _ = self.announcements.send(announced);
                }
                return committed;
            }
            (Ok(false) | Err(_), _) => {
                let undone = session(tx)?.rollback();
                if undone.is_err() {
                    // Closing the connection undoes the open transaction.
                    self.tx = None;
                }
            }
        }
        outcome.map(|_| ())
    }

    /// Reserves numbers in a transaction of its own, whose commit is remembered like any other.
    fn reserve(&mut self, series: Series, count: u32) -> Result<()> {
        let (witness, numbers) = (self.witness.clone(), Arc::clone(&self.numbers));
        let tx = self.connected()?;
        let wanted = usize::try_from(count).unwrap_or(usize::MAX);
        numbers.replenish(series, wanted, || {
            tx.set_access(Access::Write);
            session(tx)?.begin(Access::Write)?;
            let reserved = counters::reserve_numbers(tx, series, count.into());
            // It is told here, and not taken for a fault of the unit of work that comes.
            let _ = tx.take_fault();
            match reserved {
                Ok(reserved) => match witness.commit(session(tx)?) {
                    Ok(()) => Ok(reserved),
                    // The unit of work has not begun: others are reserved for it on a new connection.
                    Err(StorageError::OutcomeUnknown) => Err(StorageError::Unavailable(
                        "the connection is lost".to_owned(),
                    )),
                    Err(error) => Err(error),
                },
                Err(error) => {
                    session(tx)?.rollback()?;
                    Err(error)
                }
            }
        })
    }

    fn end_read(&mut self) {
        let ended = self
            .tx
            .as_mut()
            .and_then(Tx::postgres)
            .is_some_and(|session| session.rollback().is_ok());
        if !ended {
            self.tx = None;
        }
    }

    fn drop_if_broken(&mut self, error: &StorageError) {
        let is_closed = |tx: &mut Tx| tx.postgres().is_none_or(|session| session.is_broken());
        if matches!(
            error,
            StorageError::Unavailable(_) | StorageError::OutcomeUnknown
        ) || self.tx.as_mut().is_some_and(is_closed)
        {
            self.tx = None;
        }
    }

    fn connected(&mut self) -> Result<&mut Tx> {
        let tx = match self.tx.take() {
            Some(tx) => tx,
            None => {
                let tx = Tx::new(Engine::Postgres(Box::new(self.connect()?)));
                let mut tx = tx.with_numbers(Arc::clone(&self.numbers));
                if self.witness.compare(&mut tx)? {
                    self.numbers.forget();
                }
                tx
            }
        };
        Ok(self.tx.insert(tx))
    }

    fn connect(&self) -> Result<Session> {
        let client = match &self.tls {
            Some(tls) => self.config.connect(tls.clone()),
            None => self.config.connect(NoTls),
        };
        let client = client.map_err(|error| match translate(&error) {
            StorageError::Statement(text) => StorageError::Unavailable(text),
            other => other,
        })?;
        let mut session = Session::new(client, self.warned.clone());
        session.batch(&self.set_up)?;
        Ok(session)
    }
}

fn session(tx: &mut Tx) -> Result<&mut Session> {
    tx.postgres().ok_or(StorageError::Closed)
}
