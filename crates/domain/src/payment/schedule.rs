//! When the acquirer is asked, and about which time its statement is read.

use jiff::{SignedDuration, Timestamp};

use super::{Attempt, AttemptKind};

/// How long an invoice can be paid.
pub const INVOICE_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// When an attempt is first asked about.
pub const FIRST_CHECK: SignedDuration = SignedDuration::from_secs(60);
/// An attempt that is still prepared after so long was left by its process: only one commit lies between the two.
pub(super) const PREPARED_WITHIN: SignedDuration = SignedDuration::from_secs(10);
/// How long a charge may take to appear at the acquirer, by the acquirer's clock.
pub(super) const CHARGE_APPEARS_WITHIN: SignedDuration = SignedDuration::from_mins(15);
/// The same where the acquirer's clock is not known: our own may be wrong by hours.
pub(super) const CHARGE_APPEARS_WITHIN_UNTIMED: SignedDuration = SignedDuration::from_hours(24);
/// The statement is read from so long before the request, by the acquirer's clock.
const MARGIN: SignedDuration = SignedDuration::from_mins(5);
/// The same where the moment is known by our clock alone.
const MARGIN_UNTIMED: SignedDuration = SignedDuration::from_hours(24);
/// A charge of a saved card stands on the statement at most so long after its request. Later entries are not read: one
/// of them that cannot be read would leave the answer unknown.
const CHARGE_STANDS_WITHIN: SignedDuration = SignedDuration::from_hours(1);

/// How long after `checks` questions the acquirer is asked again: soon at first, then ever more rarely.
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

/// The part of the acquirer's statement that must be read to know whether an attempt was charged. `now` is the
/// acquirer's time where it is known, else ours.
#[must_use]
pub fn statement_window(attempt: &Attempt, now: Timestamp) -> (Timestamp, Timestamp) {
    match (attempt.submitted_at, attempt.kind) {
        (Some(sent), AttemptKind::CardToken) => {
            let until = now.min(sent + CHARGE_STANDS_WITHIN).max(sent);
            (sent - MARGIN, until + MARGIN)
        }
        // It may have been asked for again since, so its page may be paid until now.
        (Some(sent), AttemptKind::Invoice) => (sent - MARGIN, now.max(sent) + MARGIN),
        (None, _) => (
            attempt.created_at.min(now) - MARGIN_UNTIMED,
            now.max(attempt.created_at) + MARGIN_UNTIMED,
        ),
    }
}
