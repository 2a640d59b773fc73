//! The limits of what an account may order and pay (decision 26).

use std::time::Duration;

use cabinet_domain::{AccountLimits, Key, Money, Notary, OrderId};
use cabinet_storage::{StorageError, Tx, attempts, orders};
use jiff::{SignedDuration, Timestamp};

use crate::refusal::{Refusal, RefusalKind};

/// Sums are added up over so long.
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// Declined cards are counted for so long.
const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// Returns why a payment of an order may not be begun now. `None`: it may.
pub(crate) fn refusal_by_limits(
    tx: &mut Tx,
    notary: &Notary,
    limits: &AccountLimits,
    (order, sum): (OrderId, Money),
    now: Timestamp,
) -> Result<Option<Refusal>, StorageError> {
    let most = limits.declines_max(notary.created_at, now);
    let declines = attempts::declines_since(tx, notary.id, now - HOUR, most)?;
    if let Some(first) = declines.last()
        && i64::try_from(declines.len()).is_ok_and(|count| count >= most)
    {
        // Whole seconds, the last one begun counts.
        let wait = (*first + HOUR).duration_since(now).as_secs() + 1;
        let wait = Duration::from_secs(u64::try_from(wait).unwrap_or(1));
        let kind = RefusalKind::TooMany(wait);
        return Ok(Some(Refusal::new(kind, Key::TooManyDeclines)));
    }
    if limits.is_young(notary.created_at, now) {
        let before = orders::sum_begun_since(tx, notary.id, now - DAY, order)?;
        let fits = before
            .plus(sum)
            .is_ok_and(|sum| sum <= limits.young_daily_sum_max);
        if !fits {
            return Ok(Some(Refusal::conflict(Key::DailySumExceeded)));
        }
    }
    Ok(None)
}
