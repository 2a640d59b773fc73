//! Applies migrations.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::engine::error::{Result, SchemaError, StorageError};
use crate::engine::store::Store;
use crate::engine::tx::Tx;
use crate::engine::value::params;

use super::fit::{VERSION, applied, compare, pending, warn_of};
use super::{
    APPLIED_TABLE, Kind, MIGRATIONS, Migration, NewerSchema, SAYS_OLDEST_PROGRAM, checksum, text,
};

/// The advisory lock of migrating a PostgreSQL database: one program migrates at a time. The number is arbitrary. Programs before
/// migration 34 take the same one.
pub(super) const LOCK: i64 = 5_642_117_320_963;
/// How long a program waits for another one that migrates.
const WAIT_MAX: Duration = Duration::from_secs(60);
const WAIT_PAUSE: Duration = Duration::from_millis(200);
/// How often a migration tries to get its locks of tables. Each try lasts as long as the store's lock timeout: while it waits, whatever
/// needs the same table waits behind it.
const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_secs(1);

impl Store {
    /// Applies all missing migrations. Returns the numbers of those applied now. Migrations in one transaction are applied together or not
    /// at all; a longer step stands by itself, and what a killed program has left of it is finished by the next call.
    ///
    /// # Errors
    /// [`SchemaError::Newer`], [`SchemaError::Changed`] and [`SchemaError::Missing`] where the database is not an
    /// earlier form of what this program knows, [`SchemaError::Busy`] while another program migrates it.
    pub async fn migrate(&self, now: Timestamp) -> Result<Vec<u32>> {
        self.migrate_by(MIGRATIONS, now, WAIT_MAX).await
    }

    /// Makes the schema of an earlier program, whose newest migration is `last`, for tests.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) async fn migrate_up_to(&self, last: u32, now: Timestamp) -> Result<Vec<u32>> {
        let count = MIGRATIONS.partition_point(|step| step.number <= last);
        let (earlier, _) = MIGRATIONS.split_at(count);
        self.migrate_by(earlier, now, WAIT_MAX).await
    }

    pub(super) async fn migrate_by(
        &self,
        list: &'static [Migration],
        now: Timestamp,
        wait_max: Duration,
    ) -> Result<Vec<u32>> {
        let (newer, is_done) = self.read(move |tx| look(tx, list)).await?;
        warn_of(newer.as_ref());
        if is_done {
            return Ok(Vec::new());
        }
        if !self.is_sqlite() {
            return self
                .alone(move |tx| on_postgres(tx, list, now, wait_max))
                .await;
        }
        let mut fresh = Vec::new();
        loop {
            let turn = move |tx: &mut Tx| {
                let group = next_group(tx, list)?;
                let done = run_group(tx, &group, now)?;
                Ok::<_, StorageError>((group.is_empty(), done))
            };
            let (is_end, done) = self.write(turn).await?;
            fresh.extend(done);
            if is_end {
                return Ok(fresh);
            }
        }
    }
}

/// Returns whether a newer program has migrated the database, and whether there is nothing to do.
fn look(tx: &mut Tx, list: &'static [Migration]) -> Result<(Option<NewerSchema>, bool)> {
    let applied = applied(tx)?;
    let newer = compare(tx, list, &applied)?;
    Ok((newer, pending(list, &applied).is_empty()))
}

/// Migrates on one connection that nobody else uses. Its lock ends with it, also when the program is killed.
fn on_postgres(
    tx: &mut Tx,
    list: &'static [Migration],
    now: Timestamp,
    wait_max: Duration,
) -> Result<Vec<u32>> {
    take_lock(tx, wait_max)?;
    let mut fresh = Vec::new();
    let mut tries = 0;
    loop {
        let group = next_group(tx, list)?;
        let done = match group.first().map(|step| (step.kind, step)) {
            None => return Ok(fresh),
            Some((Kind::Index(name), step)) => {
                build_index(tx, step, name)?;
                record(tx, step, now)?;
                Ok(vec![step.number])
            }
            Some(_) => in_transaction(tx, |tx| run_group(tx, &group, now)),
        };
        match done {
            Ok(done) => {
                fresh.extend(done);
                tries = 0;
            }
            Err(StorageError::TimedOut | StorageError::Contention { .. }) if tries < LOCK_TRIES => {
                tries += 1;
                tracing::info!("A migration waits for tables that are in use");
                std::thread::sleep(LOCK_PAUSE);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Waits for other programs that migrate. It asks again and again: a session that waits inside of a statement would hold up an index that
/// is being built.
fn take_lock(tx: &mut Tx, wait_max: Duration) -> Result<()> {
    let began = Instant::now();
    loop {
        let sql = "select pg_try_advisory_lock(?1) as taken";
        if tx.row(sql, params![LOCK], |row| row.next::<bool>())? {
            return Ok(());
        }
        if began.elapsed() >= wait_max {
            return Err(SchemaError::Busy.into());
        }
        std::thread::sleep(WAIT_PAUSE);
    }
}

fn in_transaction<T>(tx: &mut Tx, work: impl FnOnce(&mut Tx) -> Result<T>) -> Result<T> {
    tx.batch("begin")?;
    let outcome = work(tx);
    if outcome.is_ok() {
        tx.batch("commit")?;
    } else {
        let _ = tx.batch("rollback");
        // Said by the outcome.
        tx.take_fault();
    }
    outcome
}

/// Returns the migrations to be run next: one that is long, or all up to the next such one. None once all are applied.
fn next_group(tx: &mut Tx, list: &'static [Migration]) -> Result<Vec<&'static Migration>> {
    let applied = applied(tx)?;
    if applied.is_empty() {
        tx.batch(APPLIED_TABLE)?;
    }
    compare(tx, list, &applied)?;
    let mut group = pending(list, &applied);
    let short = group
        .iter()
        .take_while(|step| step.kind == Kind::Transaction)
        .count();
    group.truncate(short.max(1));
    Ok(group)
}

/// Runs a group in the present transaction. Returns the numbers of the migrations that are applied by that.
fn run_group(tx: &mut Tx, group: &[&'static Migration], now: Timestamp) -> Result<Vec<u32>> {
    let mut done = Vec::new();
    for step in group {
        match step.kind {
            Kind::Batches if tx.execute(text(tx, step), params![])? > 0 => return Ok(done),
            Kind::Batches => {}
            Kind::Transaction | Kind::Index(_) => tx.batch(text(tx, step))?,
        }
        record(tx, step, now)?;
        done.push(step.number);
    }
    Ok(done)
}

/// Builds an index of PostgreSQL while the table is in use.
fn build_index(tx: &mut Tx, step: &Migration, name: &str) -> Result<()> {
    let built = tx.row_optional(
        "select indisvalid from pg_index where indexrelid = to_regclass(?1)",
        params![name],
        |row| row.next::<bool>(),
    )?;
    if built == Some(true) {
        return Ok(());
    }
    let limit: String = tx.row(
        "select current_setting('lock_timeout') as lock_timeout",
        params![],
        |row| row.next(),
    )?;
    // It waits for every transaction that has begun before, and holds up nobody meanwhile.
    tx.batch("set lock_timeout = 0")?;
    if built == Some(false) {
        tx.batch(&format!("drop index concurrently if exists {name}"))?;
    }
    tx.batch(text(tx, step))?;
    tx.batch(&format!("set lock_timeout = '{limit}'"))
}

fn record(tx: &mut Tx, step: &Migration, now: Timestamp) -> Result<()> {
    let checksum = checksum(text(tx, step));
    tx.execute(
        "insert into schema_migrations (number, name, checksum, applied_at) values (?1, ?2, ?3, ?4)",
        params![step.number, step.name, checksum, now],
    )?;
    if step.number >= SAYS_OLDEST_PROGRAM {
        tx.execute(
            "update schema_migrations set oldest_program = ?2, applied_by = ?3 where number = ?1",
            params![step.number, step.oldest_program, VERSION],
        )?;
    }
    Ok(())
}
