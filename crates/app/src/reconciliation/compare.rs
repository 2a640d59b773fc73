//! Comparing our payments with the acquirer's own statement. It finds what neither a report nor an inquiry has told, also after
//! an older copy of the database was restored.

use cabinet_storage::attempts;
use jiff::{SignedDuration, Timestamp};

use super::comparison::Comparison;
use super::days::bounds;
use super::{CLOCK_MARGIN, DAYS_BACK, Reconciliation};
use crate::refusal::Result;

/// A charge made so shortly before may be missing from a statement without anything being wrong.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// So much of the statement is asked for and compared at once, so that memory stays bounded.
const PIECE: SignedDuration = SignedDuration::from_hours(6);
/// After so many failed days the others wait for the next time: the acquirer does not answer.
const FAILING_DAYS_MAX: usize = 3;

impl Reconciliation {
    /// Compares the days of the last month that were not compared yet, or whose next look has come, the newest first. Each
    /// leaves a row. A day that can't be had is left for the next time, and the older ones are compared. `None`: another
    /// process is at it.
    ///
    /// # Errors
    /// Fails where the statement of a day can't be had or the database can't be used. Days that were compared stay so.
    pub async fn compare_due_days(&self) -> Result<Option<Comparison>> {
        let mut all = Comparison::default();
        let mut failures = Vec::new();
        for day in self.due_days().await? {
            if !self.take_lease().await? {
                return Ok(None);
            }
            let (begin, end) = bounds(day)?;
            match self.compare_period(begin, end).await {
                Ok(comparison) => {
                    if comparison.unasked == 0 {
                        self.record_day(day, comparison).await?;
                    }
                    all.add(comparison);
                }
                Err(error) => failures.push(error),
            }
            if failures.len() >= FAILING_DAYS_MAX {
                break;
            }
        }
        failures.into_iter().next().map_or(Ok(Some(all)), Err)
    }

    /// Looks for what a restored copy of the database has forgotten: the charges of the last month, up to now, and whether
    /// what stands prepared in the copy was sent.
    ///
    /// # Errors
    /// Fails where the statement can't be had or the database can't be used.
    pub async fn recover_after_restore(&self) -> Result<Comparison> {
        self.store.write(attempts::doubt_prepared).await?;
        let month = SignedDuration::from_hours(24 * DAYS_BACK);
        self.compare_since(self.clock.now() - month).await
    }

    /// Compares the charges since a moment with the acquirer's statement, the newest first, so that a time that can't be
    /// had keeps nothing newer from being compared. What was missed is settled like a report; what contradicts raises an
    /// alarm and changes nothing.
    ///
    /// # Errors
    /// Fails where the statement can't be had or the database can't be used.
    pub async fn compare_since(&self, since: Timestamp) -> Result<Comparison> {
        // The acquirer's clock may be ahead of ours, or behind.
        self.compare_period(since - CLOCK_MARGIN, self.clock.now() + CLOCK_MARGIN)
            .await
    }

    async fn compare_period(&self, begin: Timestamp, end: Timestamp) -> Result<Comparison> {
        let fresh = self.clock.now() - FRESH;
        let (mut all, mut until) = (Comparison::default(), end);
        while until > begin {
            let from = begin.max(until - PIECE);
            all.add(self.compare_piece(from, until, fresh).await?);
            until = from;
        }
        all.log();
        Ok(all)
    }
}
