//! How long a request may be sent after it was stored as submitted.

use std::time::Instant;

use cabinet_domain::Clock;
use jiff::{SignedDuration, Timestamp};

/// Far less than the time after which the worker rules out a request of which the acquirer has no trace.
const SENT_WITHIN: SignedDuration = SignedDuration::from_secs(60);

/// The time since a request was about to be stored as submitted. A process that stood still must not send it any more: the others may
/// have ruled it out, and the same money may be on its way by another request.
pub(super) struct SendingTime {
    /// By the clock, which goes on while the machine sleeps.
    began_at: Timestamp,
    /// By a clock that nobody sets.
    began: Instant,
}

impl SendingTime {
    pub(super) fn begin(clock: &dyn Clock) -> SendingTime {
        SendingTime {
            began_at: clock.now(),
            began: Instant::now(),
        }
    }

    /// Returns whether it is too late to send the request.
    pub(super) fn is_over(&self, clock: &dyn Clock) -> bool {
        let by_clock = clock.now().duration_since(self.began_at);
        by_clock > SENT_WITHIN || self.began.elapsed() > SENT_WITHIN.unsigned_abs()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    struct HandSet(AtomicI64);

    impl Clock for HandSet {
        fn now(&self) -> Timestamp {
            Timestamp::UNIX_EPOCH + SignedDuration::from_secs(self.0.load(Ordering::Relaxed))
        }
    }

    #[test]
    fn a_request_is_sent_within_a_minute_or_not_at_all() {
        let clock = HandSet(AtomicI64::new(1_000));
        let began = SendingTime::begin(&clock);
        assert!(!began.is_over(&clock));
        clock.0.store(1_060, Ordering::Relaxed);
        assert!(!began.is_over(&clock));
        clock.0.store(1_061, Ordering::Relaxed);
        assert!(began.is_over(&clock));
    }
}
