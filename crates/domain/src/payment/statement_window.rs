//! The part of the acquirer's statement that is read for an attempt.

use jiff::{SignedDuration, Timestamp};

use super::attempt::{Attempt, AttemptKind};

/// The statement is read from this time before the request, by the acquirer's clock.
const MARGIN: SignedDuration = SignedDuration::from_mins(5);
/// The same if the moment is known by our clock only.
const MARGIN_UNTIMED: SignedDuration = SignedDuration::from_hours(24);
/// A charge of a saved card appears on the statement within this time after its request. Later entries are not read:
/// one that cannot be read would leave the result unknown.
const CHARGE_STANDS_WITHIN: SignedDuration = SignedDuration::from_hours(1);

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
