//! Comparing our payments with the acquirer's statement. This finds payments of which neither a report nor an inquiry told, also
//! after an older copy of the database was restored.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use cabinet_domain::payment::{AcquirerName, Clocks};
use cabinet_gateways::acquirer::Statements;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use super::comparison::Comparison;
use super::days::{bounds, is_due};
use super::{CLOCK_MARGIN, Reconciliation};
use crate::kernel::refusal::Result;
use crate::worker::leases::LeasedWork;

/// The statement is read and compared in pieces of this length, so that memory stays bounded.
const PIECE: SignedDuration = SignedDuration::from_hours(6);
/// After so many failed days an acquirer is left out until the next time, because it does not answer.
const FAILING_DAYS_MAX: usize = 3;

impl Reconciliation {
    /// Compares the days of the last month that are due, the newest first, and stores a row for each. If a statement of a day can't be
    /// read, that day is left for the next time, and older days are compared. `None`: another process compares now.
    ///
    /// # Errors
    /// Fails if a statement of a day can't be read. Rows of compared days are kept.
    pub async fn compare_due_days(&self) -> Result<Option<Comparison>> {
        let mut all = Comparison::default();
        let mut answering: Vec<Answering<'_>> = self.acquirers.iter().map(Answering::new).collect();
        let mut first_failure = None;
        for day in self.due_days().await? {
            answering.retain(|acquirer| acquirer.failed_days < FAILING_DAYS_MAX);
            if answering.is_empty() {
                break;
            }
            if !self.leases.take(LeasedWork::Statement).await? {
                return Ok(None);
            }
            let mut of_day = Comparison::default();
            let mut is_whole = answering.len() == self.acquirers.len();
            for acquirer in &mut answering {
                match self.compare_day(acquirer.statements, day).await {
                    Ok(found) => of_day.add(found),
                    Err(error) => {
                        is_whole = false;
                        acquirer.failed_days += 1;
                        first_failure.get_or_insert(error);
                    }
                }
            }
            of_day.log();
            if is_whole && of_day.unasked == 0 {
                self.record_day(day, of_day).await?;
            }
            all.add(of_day);
        }
        first_failure.map_or(Ok(Some(all)), Err)
    }

    /// Compares a day with the statement of one acquirer, unless this process has done so since it was due.
    async fn compare_day(&self, acquirer: &dyn Statements, day: Date) -> Result<Comparison> {
        let mut found = Comparison::default();
        let (bounds, now) = (bounds(day)?, self.clock.now());
        let key = (acquirer.name(), day);
        let known = self.compared().get(&key).copied();
        let late = self.settler.delays.latest_statement();
        if !is_due(bounds.1, known, late, now) {
            return Ok(found);
        }
        self.compare_period(acquirer, bounds, &mut found).await?;
        if found.unasked == 0 {
            self.compared().insert(key, now);
        }
        Ok(found)
    }

    fn compared(&self) -> MutexGuard<'_, HashMap<(AcquirerName, Date), Timestamp>> {
        self.compared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compares the charges since a moment with the acquirer's statement, the newest first. A missed charge is settled like a
    /// report. A contradiction opens an alarm and changes nothing.
    ///
    /// # Errors
    /// Fails if a statement can't be read. What is newer was compared, and the statements of other acquirers.
    pub async fn compare_since(&self, since: Timestamp) -> Result<Comparison> {
        // The acquirer's clock may be ahead of ours, or behind.
        let bounds = (since - CLOCK_MARGIN, self.clock.now() + CLOCK_MARGIN);
        let (mut all, mut failed) = (Comparison::default(), None);
        // Each acquirer for itself: that the statement of one can't be had keeps no other one from being compared.
        for acquirer in &self.acquirers {
            if let Err(error) = self
                .compare_period(acquirer.as_ref(), bounds, &mut all)
                .await
            {
                failed.get_or_insert(error);
            }
        }
        all.log();
        failed.map_or(Ok(all), Err)
    }

    /// Adds what the comparison with the statement of one acquirer finds, the newest piece first.
    async fn compare_period(
        &self,
        acquirer: &dyn Statements,
        (begin, end): (Timestamp, Timestamp),
        found: &mut Comparison,
    ) -> Result<()> {
        let mut until = end;
        while until > begin {
            let from = begin.max(until - PIECE);
            found.add(self.compare_piece(acquirer, (from, until)).await?);
            until = from;
        }
        Ok(())
    }
}

impl Reconciliation {
    /// Returns this moment by our clock and by an acquirer's.
    pub(super) fn clocks_of(&self, acquirer: AcquirerName) -> Clocks {
        Clocks {
            ours: self.clock.now(),
            theirs: self.callable.of(acquirer).time(),
        }
    }

    /// Returns the moment, by the acquirer's clock, from which on a charge may be missing from its statement.
    pub(super) fn may_be_missing_since(&self, acquirer: AcquirerName) -> Timestamp {
        let now = self.clocks_of(acquirer);
        let within = now.within(self.settler.delays.of(acquirer).statement);
        now.theirs.map_or(now.ours, |theirs| theirs.min(now.ours)) - within
    }
}

/// An acquirer while it answers.
struct Answering<'a> {
    statements: &'a dyn Statements,
    /// The days whose statement could not be read.
    failed_days: usize,
}

impl<'a> Answering<'a> {
    fn new(statements: &'a Arc<dyn Statements>) -> Answering<'a> {
        Answering {
            statements: statements.as_ref(),
            failed_days: 0,
        }
    }
}
