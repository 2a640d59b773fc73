//! What an acquirer lacks, and when that proves something.

use jiff::{SignedDuration, Timestamp};

use crate::kernel::words::words;

/// The code of an attempt or a refund of which the acquirer has no trace.
pub(super) const NO_TRACE: &str = "no_trace";
/// Clocks that differ by more than this don't agree: one of them is wrong.
const APART_MAX: SignedDuration = SignedDuration::from_mins(5);
/// The shortest wait where the clocks don't agree, or where the acquirer's is not known: either may be wrong by hours.
const WAIT_IN_DOUBT: SignedDuration = SignedDuration::from_hours(24);
/// What is read again sooner may come from the same copy of the acquirer's data, so it is the same reading.
pub(super) const BETWEEN_READINGS: SignedDuration = SignedDuration::from_mins(1);

/// One moment by both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// By ours.
    pub ours: Timestamp,
    /// By the acquirer's, where it is known.
    pub theirs: Option<Timestamp>,
}

impl Clocks {
    /// Returns whether both clocks are known and differ by five minutes at most.
    #[must_use]
    pub fn agree(self) -> bool {
        self.theirs
            .is_some_and(|theirs| theirs.duration_since(self.ours).abs() <= APART_MAX)
    }

    /// Returns whether `span` has passed since another moment. Every clock that is known must say so, and where they don't agree at one of
    /// the moments, they must say it of a whole day at least.
    #[must_use]
    pub fn is_after(self, since: Clocks, span: SignedDuration) -> bool {
        self.shows_after(since, self.within(since.within(span)))
    }

    /// Returns a delay, or a whole day at least where the clocks don't agree.
    #[must_use]
    pub fn within(self, delay: SignedDuration) -> SignedDuration {
        if self.agree() {
            delay
        } else {
            delay.max(WAIT_IN_DOUBT)
        }
    }

    /// Returns whether `span` has passed since another moment by every clock that is known, right or wrong. Where theirs was not known then,
    /// ours stands for it: a jump of ours alone shows nothing.
    fn shows_after(self, since: Clocks, span: SignedDuration) -> bool {
        let since_by_theirs = since.theirs.unwrap_or(since.ours);
        self.ours.duration_since(since.ours) >= span
            && self
                .theirs
                .is_none_or(|theirs| theirs.duration_since(since_by_theirs) >= span)
    }
}

words! {
    /// What an acquirer lacks.
    Missing {
        /// The charge, on its statement.
        Charge = "charge",
        /// The invoice, or the payment on a page of which it knows nothing before.
        Invoice = "invoice",
        /// The refund, in the state of its invoice.
        Refund = "refund",
    }
}

/// That an acquirer does not have something of which we asked it. Anything it tells ends the absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absence {
    /// What is missing.
    pub missing: Missing,
    /// When that was read first.
    pub first: Clocks,
    /// When it was read last.
    pub last: Clocks,
    /// How often it was read, with a minute between two readings at least.
    pub readings: i64,
}

/// The event of which a trace is missing, and how soon the acquirer shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The event.
    pub since: Clocks,
    /// The longest delay that is known of the acquirer.
    pub within: SignedDuration,
}

/// What one more reading is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The trace may still come.
    TooEarly,
    /// The trace should be there. One more reading decides.
    ReadAgain,
    /// It does not come any more: what was expected has not happened.
    Proof,
}

impl Expected {
    /// Returns by when, by our clock, two readings prove that the event has not happened: the first is made a minute after the delay is over, so
    /// that both clocks say so. `in_doubt`: the clocks were seen to differ, or the acquirer's is not known.
    #[must_use]
    pub fn proved_at(self, in_doubt: bool) -> Timestamp {
        let within = self.since.within(self.within);
        let within = if in_doubt {
            within.max(WAIT_IN_DOUBT)
        } else {
            within
        };
        self.since.ours + within + BETWEEN_READINGS * 2
    }
}

impl Absence {
    /// Adds a reading, and says what it proves. Absence is a proof only where both clocks say at two readings, at least a minute apart, that
    /// the longest known delay has passed: one wrong clock, one stale answer or one wrong `Date` proves nothing.
    #[must_use]
    pub fn read(
        known: Option<Absence>,
        missing: Missing,
        at: Clocks,
        expected: Expected,
    ) -> (Absence, Evidence) {
        let is_due = |at: Clocks| at.is_after(expected.since, expected.within);
        let Some(known) = known.filter(|known| known.missing == missing) else {
            let absence = Absence {
                missing,
                first: at,
                last: at,
                readings: 1,
            };
            return (absence, Evidence::of(is_due(at), false));
        };
        let since_last = at.ours.duration_since(known.last.ours);
        if (SignedDuration::ZERO..BETWEEN_READINGS).contains(&since_last) {
            return (known, Evidence::of(is_due(at), false));
        }
        let absence = Absence {
            last: at,
            readings: known.readings + 1,
            ..known
        };
        let is_second = is_due(known.last) && at.shows_after(known.last, BETWEEN_READINGS);
        (absence, Evidence::of(is_due(at), is_second))
    }
}

impl Evidence {
    const fn of(is_due: bool, is_second: bool) -> Evidence {
        match (is_due, is_second) {
            (false, _) => Evidence::TooEarly,
            (true, false) => Evidence::ReadAgain,
            (true, true) => Evidence::Proof,
        }
    }

    /// Returns whether it is a proof.
    #[must_use]
    pub const fn is_proof(self) -> bool {
        matches!(self, Evidence::Proof)
    }

    /// Returns the pause before the next reading, where it would otherwise be `usual`.
    #[must_use]
    pub fn pause(self, usual: SignedDuration) -> SignedDuration {
        match self {
            Evidence::ReadAgain => usual.min(BETWEEN_READINGS),
            Evidence::TooEarly | Evidence::Proof => usual,
        }
    }
}
