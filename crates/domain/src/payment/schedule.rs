//! Time limits of payments, and when the acquirer is asked.

use jiff::SignedDuration;

/// The time until the first check of an attempt.
pub const FIRST_CHECK: SignedDuration = SignedDuration::from_secs(60);
/// An attempt that is still prepared after this time was abandoned by its process: only one commit lies between the two
/// states.
pub(super) const PREPARED_WITHIN: SignedDuration = SignedDuration::from_secs(10);
/// The time within which a charge appears at the acquirer, by the acquirer's clock.
pub(super) const CHARGE_APPEARS_WITHIN: SignedDuration = SignedDuration::from_mins(15);
/// The same if the acquirer's clock is not known: our own may be wrong by hours.
pub(super) const CHARGE_APPEARS_WITHIN_UNTIMED: SignedDuration = SignedDuration::from_hours(24);
/// An acquirer that names no refunds may queue one until the shop has the money. After so long without it in the sum of what was given back,
/// it was not taken.
pub(super) const IN_SUM_WITHIN: SignedDuration = SignedDuration::from_hours(24);
/// Returns the pause before the next check after `checks` checks: short at first, then longer.
#[must_use]
pub const fn next_check(checks: i64) -> SignedDuration {
    match checks {
        ..=2 => SignedDuration::from_secs(60),
        3..=5 => SignedDuration::from_mins(3),
        6..=10 => SignedDuration::from_mins(10),
        11..=30 => SignedDuration::from_mins(30),
        _ => SignedDuration::from_hours(2),
    }
}
