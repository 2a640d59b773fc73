//! A clock that is moved by hand.

use std::sync::{Mutex, PoisonError};

use cabinet_clock::PassingTime;
use cabinet_domain::Clock;
use jiff::{SignedDuration, Timestamp};

/// A clock that is moved by hand. Each reading is a microsecond later than the one before, so that no two events have the same
/// time. The sandbox's interface for tests advances it, too, together with pauses and limits, which else follow the machine's time.
#[derive(Debug)]
pub struct HandClock {
    hand: Mutex<Timestamp>,
    time: PassingTime,
}

impl HandClock {
    /// Makes a clock with a time in RFC 3339.
    pub fn at(text: &str) -> HandClock {
        HandClock {
            hand: Mutex::new(moment(text)),
            time: PassingTime::default(),
        }
    }

    /// Sets the time, in RFC 3339.
    pub fn set(&self, text: &str) {
        *self.hand() = moment(text);
    }

    /// Advances the clock.
    pub fn advance(&self, by: SignedDuration) {
        let mut hand = self.hand();
        *hand = hand.checked_add(by).expect("the clock stays within time");
    }

    /// Advances the clock by seconds.
    pub fn advance_seconds(&self, seconds: i64) {
        self.advance(SignedDuration::from_secs(seconds));
    }

    /// Returns the time without advancing the clock.
    pub fn shows(&self) -> Timestamp {
        self.advanced(*self.hand())
    }

    /// Measures pauses and limits.
    pub fn time(&self) -> &PassingTime {
        &self.time
    }

    fn advanced(&self, hand: Timestamp) -> Timestamp {
        hand.checked_add(self.time.advanced())
            .expect("the clock stays within time")
    }

    fn hand(&self) -> std::sync::MutexGuard<'_, Timestamp> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn moment(text: &str) -> Timestamp {
    text.parse().expect("a moment in RFC 3339")
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        let mut hand = self.hand();
        let now = *hand;
        *hand = now
            .checked_add(SignedDuration::from_micros(1))
            .expect("the clock stays within time");
        self.advanced(now)
    }
}
