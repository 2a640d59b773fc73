//! The part of the acquirer's statement that is read for an attempt.

use jiff::{SignedDuration, Timestamp};

use super::Clocks;
use super::attempt::{Attempt, AttemptKind};

/// The statement is read from this time before the request.
const MARGIN: SignedDuration = SignedDuration::from_mins(5);
/// The same if the clocks don't agree: either may be wrong by hours.
const MARGIN_IN_DOUBT: SignedDuration = SignedDuration::from_hours(24);
/// A charge of a saved card is dated within this time after its request. Later entries are not read: one that cannot be read would leave the
/// result unknown.
const CHARGE_DATED_WITHIN: SignedDuration = SignedDuration::from_hours(1);

/// Returns the part of the statement that shows whether an attempt was charged.
#[must_use]
pub fn statement_window(attempt: &Attempt, now: Clocks) -> (Timestamp, Timestamp) {
    let (sent, theirs) = (attempt.sent(), attempt.submitted_at);
    let first = theirs.map_or(sent.ours, |theirs| theirs.min(sent.ours));
    let last = theirs.map_or(sent.ours, |theirs| theirs.max(sent.ours));
    let latest_now = now.theirs.map_or(now.ours, |theirs| theirs.max(now.ours));
    let earliest_now = now.theirs.map_or(now.ours, |theirs| theirs.min(now.ours));
    match attempt.kind {
        _ if !sent.agree() => (
            first.min(earliest_now) - MARGIN_IN_DOUBT,
            last.max(latest_now) + MARGIN_IN_DOUBT,
        ),
        AttemptKind::CardToken => {
            let until = latest_now.min(last + CHARGE_DATED_WITHIN).max(last);
            (first - MARGIN, until + MARGIN)
        }
        // It may have been requested again since, so its page may be paid until now.
        AttemptKind::Invoice => (first - MARGIN, latest_now.max(last) + MARGIN),
    }
}
