//! Keeps the statistics of SQLite's planner fit for the size of the tables while a process runs.
//!
//! SQLite writes them only when it is told to, and a server runs for weeks. With the statistics of a first day on which a table had two
//! rows, a join reads all its rows for each row of another table. An index that a migration has just built has no statistics at all.
//! PostgreSQL needs nothing of the kind: its autovacuum analyses by itself.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// Changed rows after which the tables are looked at: those of about 140 orders. With fewer no plan is slow.
const LOOK_AFTER_ROWS: u64 = 10_000;
/// The longest time between two looks: changes of processes that were killed are not counted.
const LOOK_AFTER: Duration = Duration::from_secs(60 * 60);

/// Asks SQLite for the statements that would renew the statistics: of each table (0x10000) that has ten times the rows it had, or a tenth, or
/// an index without statistics, an ANALYZE (0x02), which is not carried out (0x01).
const LOOK: &str = "pragma optimize(0x10003)";
/// Carries them out at once.
const RENEW_ALL: &str = "pragma optimize(0x10002)";
/// Bounds the rows that are read of each index, so that a table is analysed within milliseconds whatever its size.
const LIMIT: &str = "pragma analysis_limit = 400";

/// Counts how often the statistics were renewed. A connection keeps those that it has read when it was opened.
pub(crate) type StatisticsVersion = Arc<AtomicU64>;

/// What the writer does for the planner between two groups of units.
pub(super) struct PlannerStatistics {
    /// Statements that are still to be run, each for one table.
    due: VecDeque<String>,
    looked_at: Instant,
    /// The rows that this connection had changed then.
    rows_then: u64,
    /// SQLite's number of the schema then: it changes with every table and index. None before the first look.
    schema_then: Option<i64>,
    version: StatisticsVersion,
}

impl PlannerStatistics {
    pub(super) fn new(version: StatisticsVersion) -> PlannerStatistics {
        PlannerStatistics {
            due: VecDeque::new(),
            looked_at: Instant::now(),
            rows_then: 0,
            schema_then: None,
            version,
        }
    }

    /// Whether a table is still to be analysed.
    pub(super) fn has_work(&self) -> bool {
        !self.due.is_empty()
    }

    /// Does one step if one is due: looks which tables have outgrown their statistics or have an index without, or analyses one of them. Whoever waits for the writer
    /// waits for one table at most.
    pub(super) fn take_step(&mut self, connection: &Connection) {
        if let Err(error) = self.try_step(connection) {
            // The next look finds the same tables.
            self.due.clear();
            tracing::warn!(%error, "The planner's statistics can't be renewed now: reports may be slow");
        }
    }

    fn try_step(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        if let Some(analysis) = self.due.pop_front() {
            connection.execute_batch(LIMIT)?;
            connection.execute_batch(&analysis)?;
            if self.due.is_empty() {
                self.version.fetch_add(1, Ordering::Release);
            }
            return Ok(());
        }
        let rows = connection.total_changes();
        // Also of another process: the first question after its change reads the new schema.
        let schema = Some(connection.query_row("pragma schema_version", (), |row| row.get(0))?);
        let is_due = rows.saturating_sub(self.rows_then) >= LOOK_AFTER_ROWS
            || schema != self.schema_then
            || self.looked_at.elapsed() >= LOOK_AFTER;
        if is_due {
            self.looked_at = Instant::now();
            (self.rows_then, self.schema_then) = (rows, schema);
            self.due = outgrown(connection)?;
        }
        Ok(())
    }
}

fn outgrown(connection: &Connection) -> rusqlite::Result<VecDeque<String>> {
    let mut look = connection.prepare(LOOK)?;
    let statements = look.query_map((), |row| row.get(0))?;
    statements.collect()
}

/// Renews what is due at the end of a process.
pub(super) fn renew_all(connection: &Connection) {
    // A failure costs nothing else.
    let _ = connection.execute_batch(LIMIT);
    let _ = connection.execute_batch(RENEW_ALL);
}
