//! A clock that is moved by hand.

use std::sync::{Mutex, PoisonError};

use cabinet_domain::Clock;
use jiff::{SignedDuration, Timestamp};

/// A clock that is moved by hand. Each reading is a microsecond later than the one before, so that no two events have the same
/// time.
#[derive(Debug)]
pub struct HandClock(Mutex<Timestamp>);

impl HandClock {
    /// Makes a clock with a time in RFC 3339.
    pub fn at(text: &str) -> HandClock {
        HandClock(Mutex::new(moment(text)))
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
        *self.hand()
    }

    fn hand(&self) -> std::sync::MutexGuard<'_, Timestamp> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        now
    }
}
