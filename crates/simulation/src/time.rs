//! The true time, and the cabinet's clock, which may be wrong.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;

use cabinet_domain::Clock;
use jiff::{SignedDuration, Timestamp};

/// By how much a clock is ahead that is wrong by days: longer than any wait of the cabinet in doubt.
pub(crate) const DAYS_AHEAD: SignedDuration = SignedDuration::from_hours(49);

/// Both clocks. Time passes only when the driver says so, and by a microsecond with each reading.
pub(crate) struct Time {
    driver: ThreadId,
    hands: Mutex<Hands>,
}

struct Hands {
    truth: Timestamp,
    /// How far the cabinet's clock is ahead of the true time.
    ahead: SignedDuration,
    /// The true time at the last step. The threads of the store see this time, so that it does not depend on their speed.
    of_step: Timestamp,
}

impl Time {
    pub(crate) fn at(truth: Timestamp) -> Arc<Time> {
        Arc::new(Time {
            driver: std::thread::current().id(),
            hands: Mutex::new(Hands {
                truth,
                ahead: SignedDuration::ZERO,
                of_step: truth,
            }),
        })
    }

    /// Returns the true time.
    pub(crate) fn truth(&self) -> Timestamp {
        self.hands().truth
    }

    /// Returns the time of the cabinet's clock.
    pub(crate) fn of_cabinet(&self) -> Timestamp {
        let hands = self.hands();
        hands.truth + hands.ahead
    }

    pub(crate) fn pass(&self, span: SignedDuration) {
        let mut hands = self.hands();
        hands.truth += span;
        hands.of_step = hands.truth;
    }

    /// Returns how far the cabinet's clock is ahead of the true time.
    pub(crate) fn ahead(&self) -> SignedDuration {
        self.hands().ahead
    }

    /// Sets how far the cabinet's clock is ahead of the true time.
    pub(crate) fn set_ahead(&self, ahead: SignedDuration) {
        self.hands().ahead = ahead;
    }

    fn look(&self) -> (Timestamp, SignedDuration) {
        let mut hands = self.hands();
        if std::thread::current().id() == self.driver {
            hands.truth += SignedDuration::from_micros(1);
            (hands.truth, hands.ahead)
        } else {
            (hands.of_step, hands.ahead)
        }
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.hands.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The cabinet's clock.
pub(crate) struct CabinetClock(pub(crate) Arc<Time>);

impl Clock for CabinetClock {
    fn now(&self) -> Timestamp {
        let (truth, ahead) = self.0.look();
        truth + ahead
    }
}

/// The acquirer's clock, which is right.
pub(crate) struct AcquirerClock(pub(crate) Arc<Time>);

impl Clock for AcquirerClock {
    fn now(&self) -> Timestamp {
        self.0.look().0
    }
}
