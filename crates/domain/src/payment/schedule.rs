//! When the acquirer is asked, and for which time its statement is read.

use jiff::{SignedDuration, Timestamp};

use super::{Attempt, AttemptKind};

/// The lifetime of an invoice.
pub const INVOICE_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// The time until the first check of an attempt.
pub const FIRST_CHECK: SignedDuration = SignedDuration::from_secs(60);
/// An attempt that is still prepared after this time was abandoned by its process: only one commit lies between the two
/// states.
pub(super) const PREPARED_WITHIN: SignedDuration = SignedDuration::from_secs(10);
/// The time within which a charge appears at the acquirer, by the acquirer's clock.
pub(super) const CHARGE_APPEARS_WITHIN: SignedDuration = SignedDuration::from_mins(15);
/// The same if the acquirer's clock is not known: our own may be wrong by hours.
pub(super) const CHARGE_APPEARS_WITHIN_UNTIMED: SignedDuration = SignedDuration::from_hours(24);
/// The statement is read from this time before the request, by the acquirer's clock.
const MARGIN: SignedDuration = SignedDuration::from_mins(5);
/// The same if the moment is known by our clock only.
const MARGIN_UNTIMED: SignedDuration = SignedDuration::from_hours(24);
/// A charge of a saved card appears on the statement within this time after its request. Later entries are not read:
/// one that cannot be read would leave the result unknown.
const CHARGE_STANDS_WITHIN: SignedDuration = SignedDuration::from_hours(1);

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

/// Returns the part of the statement that shows whether an attempt was charged. `now` is the acquirer's time if it is
/// known, else ours.
#[must_use]
pub fn statement_window(attempt: &Attempt, now: Timestamp) -> (Timestamp, Timestamp) {
    match (attempt.submitted_at, attempt.kind) {
        (Some(sent), AttemptKind::CardToken) => {
            let until = now.min(sent + CHARGE_STANDS_WITHIN).max(sent);
            (sent - MARGIN, until + MARGIN)
        }
        // It may have been requested again since, so its page may be paid until now.
        (Some(sent), AttemptKind::Invoice) => (sent - MARGIN, now.max(sent) + MARGIN),
        (None, _) => (
            attempt.created_at.min(now) - MARGIN_UNTIMED,
            now.max(attempt.created_at) + MARGIN_UNTIMED,
        ),
    }
}
