//! Time limits of payments, and when the acquirer is asked.

use jiff::SignedDuration;

/// The time until the first check of an attempt.
pub const FIRST_CHECK: SignedDuration = SignedDuration::from_secs(60);
/// An attempt that is still prepared after this time was abandoned by its process: only one commit lies between the two
/// states.
pub(super) const PREPARED_WITHIN: SignedDuration = SignedDuration::from_secs(10);
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
