//! The store: opening, units of work, health, backup, closing.

use std::fs::File;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cabinet_metrics::{STORAGE_CONNECTIONS_MAX, STORAGE_WAITING, STORAGE_WAITING_MAX};
use jiff::Timestamp;
use tokio::sync::{broadcast, oneshot, watch};
use tracing::Span;

use crate::engine::access::Access;
use crate::engine::address::{Address, DatabaseUrl};
use crate::engine::caller::{Caller, Shares};
use crate::engine::change_feed::ChangeFeed;
use crate::engine::changes::{BACKLOG, Change};
use crate::engine::counters;
use crate::engine::error::{Result, StorageError};
use crate::engine::numbers::ReservedNumbers;
use crate::engine::postgres::{LastCommits, Listener, Pool, PoolSettings, keeps_sessions};
use crate::engine::sqlite::{self, Readers, Role, StatisticsVersion};
use crate::engine::tx::Tx;
use crate::engine::unit::{Beginning, Queue, TypedUnit};
use crate::engine::value::params;

const SHARED_SESSIONS: &str = "the address leads to a pooler that gives each transaction another session of PostgreSQL (PgBouncer with pool_mode = transaction or statement), where the cabinet would not hear of changes. Name the server or its proxy, such as HAProxy, or give this database pool_mode = session";

/// Options for opening a store. The defaults suit a server.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// SQLite: whether a missing file is created. Commands that only inspect a database set it to false.
    pub create: bool,
    /// SQLite: whether to lock the database for this program, as a server does. A database that another program has
    /// locked is refused. PostgreSQL is shared.
    pub exclusive: bool,
    /// SQLite: reading connections kept open. More are opened when more threads read at once.
    pub readers: usize,
    /// PostgreSQL: connections, each with a thread.
    pub connections: usize,
    /// The most units of work that may wait; a further one is refused with [`StorageError::Overloaded`].
    pub waiting_max: usize,
    /// The longest wait for a lock that another unit of work or process holds.
    pub lock_timeout: Duration,
    /// PostgreSQL: the longest time of one statement.
    pub statement_timeout: Duration,
    /// PostgreSQL with `sslmode=require`: a PEM file of the only certificate authorities to trust, in place of the
    /// public ones.
    pub root_certificates: Option<PathBuf>,
}

impl Default for StoreOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(4, NonZero::get);
        StoreOptions {
            create: true,
            exclusive: false,
            readers: threads * 2,
            connections: 8,
            waiting_max: 4096,
            lock_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(15),
            root_certificates: None,
        }
    }
}

impl StoreOptions {
    /// Options for commands that need an existing database.
    #[must_use]
    pub fn existing() -> Self {
        StoreOptions {
            create: false,
            ..StoreOptions::default()
        }
    }
}

/// An open database. Clones share it; it stays open until [`Store::close`] or until the last clone is dropped.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    engine: Engine,
    /// SQLite: units that write. PostgreSQL: all units.
    queue: Arc<Queue>,
    /// Every thread of the store holds a receiver. All threads have ended once no receiver is left.
    threads: watch::Sender<()>,
    lock_timeout: Duration,
    waiting_max: usize,
    connections_max: usize,
    last_commits: Arc<LastCommits>,
    /// PostgreSQL: numbers of orders and documents that only this store gives out.
    numbers: Arc<ReservedNumbers>,
}

enum Engine {
    Sqlite {
        path: PathBuf,
        readers: Arc<Readers>,
        changes: broadcast::WeakSender<Change>,
        /// Held until the store is dropped.
        _lock: Option<File>,
    },
    Postgres {
        config: Box<tokio_postgres::Config>,
        settings: PoolSettings,
        shares: Shares,
    },
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Accepted units are still run; the threads end after them.
        self.queue.close(StorageError::Closed);
    }
}

impl Store {
    /// Opens a database. Its schema is not touched: see [`Store::migrate`] and [`Store::require_schema`].
    ///
    /// # Errors
    /// [`StorageError::Address`] for a database that is not there, belongs to another program, or is locked by another server,
    /// [`StorageError::Unavailable`] for one that does not answer, [`StorageError::Damaged`] for one whose journal has lost commits.
    pub async fn open(url: &DatabaseUrl, options: StoreOptions) -> Result<Store> {
        let queue = Arc::new(Queue::new(options.waiting_max));
        let (threads, alive) = watch::channel(());
        let connections_max = match &url.0 {
            // The one that writes.
            Address::Sqlite(_) => 1,
            Address::Postgres(_) => options.connections.max(1),
        };
        let last_commits = Arc::<LastCommits>::default();
        let numbers = Arc::<ReservedNumbers>::default();
        let engine = match &url.0 {
            Address::Sqlite(path) => {
                sqlite::check_journal(path)?;
                let writer =
                    sqlite::connect(path, Role::Writer, options.create, options.lock_timeout)?;
                let lock = options.exclusive.then(|| sqlite::lock(path)).transpose()?;
                // The writer holds the only sender: followers hear of its end.
                let (changes, _) = broadcast::channel(BACKLOG);
                let weak = changes.downgrade();
                let statistics = StatisticsVersion::default();
                let renewed = Arc::clone(&statistics);
                sqlite::spawn_writer(writer, Arc::clone(&queue), alive, changes, renewed)?;
                let readers = Readers::new(
                    path.clone(),
                    options.readers,
                    options.lock_timeout,
                    statistics,
                );
                Engine::Sqlite {
                    path: path.clone(),
                    readers: Arc::new(readers),
                    changes: weak,
                    _lock: lock,
                }
            }
            Address::Postgres(config) => {
                let settings = PoolSettings {
                    connections: options.connections,
                    lock_timeout: options.lock_timeout,
                    statement_timeout: options.statement_timeout,
                    root_certificates: options.root_certificates,
                };
                Pool::start(config, &settings, &queue, &alive, (&last_commits, &numbers)).await?;
                Engine::Postgres {
                    config: config.clone(),
                    shares: Shares::new(settings.connections),
                    settings,
                }
            }
        };
        Ok(Store {
            inner: Arc::new(Inner {
                engine,
                queue,
                threads,
                lock_timeout: options.lock_timeout,
                waiting_max: options.waiting_max,
                connections_max,
                last_commits,
                numbers,
            }),
        })
    }

    /// Runs a unit of work that may write. It is committed durably before its result is returned. An `Err` of the
    /// closure, a failed statement or a panic undoes all of it.
    ///
    /// The closure is synchronous, so nothing can be awaited while it holds the database. It may run more than once (on
    /// PostgreSQL, after a conflict with parallel units), so it changes nothing but the database and its result. If the
    /// caller stops waiting before the closure has begun, it is not run; later it is run to the end.
    ///
    /// # Errors
    /// Returns the error of the closure, or a [`StorageError`]. Only [`StorageError::OutcomeUnknown`] leaves open
    /// whether the work was committed.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        self.queued(Access::Write, work).await
    }

    /// Runs a unit of work that only reads, on one snapshot of the database.
    ///
    /// On SQLite it runs on the calling thread, because a point read takes microseconds and a change of threads takes
    /// longer. Use [`Store::read_long`] for anything that may take more than a millisecond.
    ///
    /// # Errors
    /// Returns the error of the closure, or a [`StorageError`].
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        match &self.inner.engine {
            Engine::Sqlite { readers, .. } => readers.run(work),
            Engine::Postgres { .. } => self.queued(Access::Read, work).await,
        }
    }

    /// Like [`Store::read`], for scans: never on the calling thread, and without a time limit for statements. Needs a
    /// tokio runtime.
    ///
    /// # Errors
    /// Returns the error of the closure, or a [`StorageError`].
    pub async fn read_long<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        self.read_aside(Access::ReadLong, work).await
    }

    /// Like [`Store::read_long`], for searches among the rows of a notary. PostgreSQL plans each statement once for all values, so none may
    /// have different best plans for different values.
    ///
    /// # Errors
    /// Returns the error of the closure, or a [`StorageError`].
    pub async fn search<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        self.read_aside(Access::Search, work).await
    }

    async fn read_aside<T, E, F>(&self, access: Access, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        match &self.inner.engine {
            Engine::Sqlite { readers, .. } => {
                let (readers, span) = (Arc::clone(readers), Span::current());
                let running =
                    tokio::task::spawn_blocking(move || span.in_scope(|| readers.run(work)));
                running
                    .await
                    .unwrap_or_else(|_| Err(E::from(StorageError::Closed)))
            }
            Engine::Postgres { .. } => self.queued(access, work).await,
        }
    }

    /// Runs work on PostgreSQL outside of a transaction, on a connection that is closed afterwards. What it has done stays when it fails
    /// later.
    pub(crate) async fn alone<T, F>(&self, work: F) -> Result<T>
    where
        F: FnMut(&mut Tx) -> Result<T> + Send + 'static,
        T: Send + 'static,
    {
        self.queued(Access::Alone, work).await
    }

    async fn queued<T, E, F>(&self, access: Access, work: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let caller = Caller::current();
        let beginning = Arc::new(Beginning::default());
        let asked = Instant::now();
        let answering = async {
            let place = match (&self.inner.engine, caller.notary) {
                (Engine::Postgres { shares, .. }, Some(notary)) => shares.take(notary).await,
                _ => None,
            };
            let (reply, answer) = oneshot::channel();
            self.inner.queue.push(Box::new(TypedUnit {
                access,
                work,
                outcome: None,
                reply,
                asked,
                beginning: Arc::clone(&beginning),
                place,
                span: Span::current(),
            }));
            answer
                .await
                .unwrap_or_else(|_| Err(E::from(StorageError::Closed)))
        };
        let Some(longest) = caller.waits_at_most else {
            return answering.await;
        };
        let mut answering = pin!(answering);
        match tokio::time::timeout(longest, &mut answering).await {
            Ok(outcome) => outcome,
            Err(_) if beginning.withdraw() => Err(E::from(StorageError::TimedOut)),
            Err(_) => match access {
                Access::Read => Err(E::from(StorageError::TimedOut)),
                Access::Write => Err(E::from(StorageError::OutcomeUnknown)),
                // They have no limit of time.
                Access::ReadLong | Access::Search | Access::Alone => answering.await,
            },
        }
    }

    /// Follows the changes of the database from now on: those of this store, and on PostgreSQL those of every other store on the same
    /// database. Who follows them already hears of a gap, because a process that was here before may have died before it told everything.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] if PostgreSQL can't be connected to, [`StorageError::Closed`].
    pub async fn changes(&self) -> Result<ChangeFeed> {
        match &self.inner.engine {
            Engine::Sqlite { changes, .. } => {
                let sender = changes.upgrade().ok_or(StorageError::Closed)?;
                Ok(ChangeFeed::local(sender.subscribe()))
            }
            Engine::Postgres {
                config, settings, ..
            } => Ok(ChangeFeed::postgres(
                Listener::start(config, settings).await?,
            )),
        }
    }

    /// Refuses a PostgreSQL behind a pooler that gives each transaction another session: what the cabinet needs of a session, above all
    /// the changes that it listens to, is not kept there.
    ///
    /// # Errors
    /// [`StorageError::Address`] with what to do, [`StorageError::Unavailable`].
    pub async fn require_sessions(&self) -> Result<()> {
        match &self.inner.engine {
            Engine::Postgres {
                config, settings, ..
            } if !keeps_sessions(config, settings).await? => {
                Err(StorageError::Address(SHARED_SESSIONS.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Returns the path of a SQLite database.
    pub(crate) fn sqlite_path(&self) -> Option<&Path> {
        match &self.inner.engine {
            Engine::Sqlite { path, .. } => Some(path),
            Engine::Postgres { .. } => None,
        }
    }

    pub(crate) fn last_commits(&self) -> &LastCommits {
        &self.inner.last_commits
    }

    pub(crate) fn numbers(&self) -> &ReservedNumbers {
        &self.inner.numbers
    }

    /// Whether this is a SQLite file.
    #[must_use]
    pub fn is_sqlite(&self) -> bool {
        matches!(self.inner.engine, Engine::Sqlite { .. })
    }

    /// Checks that the database answers and is writable, without writing.
    ///
    /// # Errors
    /// Returns what is wrong. The call may take as long as the lock timeout.
    pub async fn health(&self) -> Result<()> {
        self.write(|tx| {
            tx.row("select cast(1 as bigint) as alive", params![], |row| {
                row.next::<i64>()
            })
            .map(|_| ())
        })
        .await
    }

    /// Checks that the database can be written, by writing a row of its own. Needs the schema.
    ///
    /// # Errors
    /// Returns what is wrong. The call may take as long as the lock timeout, or longer where the database says nothing.
    pub async fn try_writing(&self) -> Result<()> {
        self.write(counters::count_trial).await
    }

    /// Returns the time of the PostgreSQL server. `None` on SQLite, which has no clock of its own.
    ///
    /// # Errors
    /// The database failed.
    pub async fn server_time(&self) -> Result<Option<Timestamp>> {
        if self.is_sqlite() {
            return Ok(None);
        }
        self.read(|tx| {
            tx.row(
                "select cast(floor(extract(epoch from clock_timestamp()) * 1000000) as bigint) as now",
                params![],
                |row| row.next::<Timestamp>(),
            )
        })
        .await
        .map(Some)
    }

    /// Sets the metrics of the queue and of its limits.
    pub fn measure(&self) {
        let inner = &self.inner;
        STORAGE_WAITING.set((), inner.queue.depth() as f64);
        STORAGE_WAITING_MAX.set((), inner.waiting_max as f64);
        STORAGE_CONNECTIONS_MAX.set((), inner.connections_max as f64);
    }

    /// Waits until the store has ended and returns the reason: it was closed, or no further write may be tried. The
    /// latter follows a failed flush, a damaged file, or a panic of one of the store's threads; a server should then
    /// exit, so that its supervisor restarts it.
    pub async fn stopped(&self) -> StorageError {
        self.inner.threads.closed().await;
        self.end().unwrap_or(StorageError::Closed)
    }

    /// Returns why the store takes no more units of work, if it has ended or is about to.
    #[must_use]
    pub fn end(&self) -> Option<StorageError> {
        self.inner.queue.closed()
    }

    /// Copies a SQLite database into the new file `target` while it stays in use.
    ///
    /// # Errors
    /// [`StorageError::Unsupported`] on PostgreSQL, [`StorageError::Address`] for a target that is there already or
    /// cannot be written.
    pub async fn backup(&self, target: &Path) -> Result<()> {
        match &self.inner.engine {
            Engine::Sqlite { path, .. } => {
                let (source, target, lock_timeout) =
                    (path.clone(), target.to_owned(), self.inner.lock_timeout);
                let copying = tokio::task::spawn_blocking(move || {
                    sqlite::backup(&source, &target, lock_timeout)
                });
                copying.await.unwrap_or(Err(StorageError::Closed))
            }
            Engine::Postgres { .. } => Err(StorageError::Unsupported(
                "a PostgreSQL database is copied by pg_dump, or continuously by its own means: see the page on operations",
            )),
        }
    }

    /// Empties the journal of a SQLite database, which holds earlier forms of changed rows. Others may use the database meanwhile.
    /// Returns false if it was in use for longer than the lock timeout. Does nothing on PostgreSQL, whose log belongs to its server.
    ///
    /// # Errors
    /// Returns a [`StorageError`] if the file can't be opened or written.
    pub async fn truncate_journal(&self) -> Result<bool> {
        let Engine::Sqlite { path, .. } = &self.inner.engine else {
            return Ok(true);
        };
        let (path, lock_timeout) = (path.clone(), self.inner.lock_timeout);
        let emptying =
            tokio::task::spawn_blocking(move || sqlite::truncate_journal(&path, lock_timeout));
        emptying.await.unwrap_or(Err(StorageError::Closed))
    }

    /// Accepts no more units, finishes those accepted, and waits until the files or connections are closed.
    pub async fn close(&self) {
        if let Engine::Sqlite { readers, .. } = &self.inner.engine {
            readers.close();
        }
        self.inner.queue.close(StorageError::Closed);
        self.inner.threads.closed().await;
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.is_sqlite() {
            "Store(sqlite)"
        } else {
            "Store(postgres)"
        })
    }
}
