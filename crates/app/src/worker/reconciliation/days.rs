//! The days of the comparison: which are due, the lease of the process that compares, and the stored rows.

use cabinet_domain::payment::StatementDay;
use cabinet_storage::Tx;
use cabinet_storage::payment::statement_days;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::comparison::Comparison;
use super::{CLOCK_MARGIN, DAYS_BACK, Reconciliation};
use crate::kernel::refusal::{AppError, Result};

/// A day is compared again so long after its end, because later refunds appear on the day of the payment.
const COMPARED_AGAIN_AFTER: [SignedDuration; 2] = [
    SignedDuration::from_hours(3 * 24),
    SignedDuration::from_hours(27 * 24),
];

/// Returns whether a day with this end, which was compared at a moment, is to be compared. It is compared first when statements that are
/// `late` have all of it.
pub(super) fn is_due(
    end: Timestamp,
    compared_at: Option<Timestamp>,
    late: SignedDuration,
    now: Timestamp,
) -> bool {
    let [second, third] = COMPARED_AGAIN_AFTER;
    [late + CLOCK_MARGIN, second, third]
        .into_iter()
        .any(|after| now >= end + after && compared_at.is_none_or(|at| at < end + after))
}

impl Reconciliation {
    /// Returns the days that are due, the newest first.
    pub(super) async fn due_days(&self) -> Result<Vec<Date>> {
        let (now, late) = (self.clock.now(), self.settler.delays.latest_statement());
        let today = day_of(now);
        let oldest = (0..DAYS_BACK).try_fold(today, |day, _| day.yesterday());
        let oldest =
            oldest.map_err(|_| AppError::Broken("the clock is out of range".to_owned()))?;
        let compared = self
            .store
            .read(move |tx| statement_days::since(tx, oldest))
            .await?;
        let mut due = Vec::new();
        let mut day = today;
        while day > oldest {
            day = day
                .yesterday()
                .map_err(|_| AppError::Broken("the clock is out of range".to_owned()))?;
            let (_, end) = bounds(day)?;
            // A row of the future was stored while the clock was ahead.
            let known = compared
                .iter()
                .find(|known| known.day == day && known.compared_at <= now + CLOCK_MARGIN);
            if is_due(end, known.map(|known| known.compared_at), late, now) {
                due.push(day);
            }
        }
        Ok(due)
    }

    /// Stores that a day was compared.
    pub(super) async fn record_day(&self, day: Date, found: Comparison) -> Result<()> {
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let row = StatementDay {
            day,
            compared_at: self.clock.now(),
            compared_by: self.leases.process_name.to_string(),
            agreeing: count(found.agreeing),
            made_good: count(found.made_good),
            unknown: count(found.unknown),
            different: count(found.different),
            lacking: count(found.lacking),
        };
        let write = move |tx: &mut Tx| statement_days::record(tx, &row);
        Ok(self.store.write(write).await?)
    }
}

/// Returns the day (UTC) of a moment.
pub(super) fn day_of(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// Returns the moments at which a day (UTC) begins and ends.
pub(super) fn bounds(day: Date) -> Result<(Timestamp, Timestamp)> {
    let begin = day
        .to_zoned(TimeZone::UTC)
        .map_err(|_| AppError::Broken("a day is out of range".to_owned()))?
        .timestamp();
    Ok((begin, begin + SignedDuration::from_hours(24)))
}
