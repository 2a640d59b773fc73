//! A circuit breaker: after repeated failures a service is not called for a while.
//!
//! Without it everybody who pays while the acquirer is down would wait for the time limit, and the calls would pile up. With it
//! the calls fail at once, and one trial call per period finds out whether the service works again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cabinet_clock::{Moment, PassingTime};

/// When the breaker opens, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BreakerSettings {
    /// The number of consecutive failures that open it.
    pub failures_to_open: u32,
    /// How long it stays open. Then one trial call is allowed.
    pub open_for: Duration,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self {
            failures_to_open: 8,
            open_for: Duration::from_secs(5),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum State {
    Closed {
        failures: u32,
    },
    Open {
        until: Moment,
    },
    /// A trial call is running.
    Trial,
}

/// The breaker of one service.
#[derive(Debug)]
pub(super) struct CircuitBreaker {
    settings: BreakerSettings,
    time: PassingTime,
    state: Mutex<State>,
}

impl CircuitBreaker {
    /// Makes a closed breaker, which allows every call.
    pub(super) fn new(settings: BreakerSettings, time: PassingTime) -> Self {
        Self {
            settings,
            time,
            state: Mutex::new(State::Closed { failures: 0 }),
        }
    }

    /// Returns a permit if a call is allowed. The caller must report the result to the permit. A permit that is dropped without a
    /// result, because its caller is gone, counts as neither success nor failure.
    pub(super) fn admit(&self) -> Option<Permit<'_>> {
        let mut state = self.state();
        match *state {
            State::Closed { .. } => Some(Permit {
                breaker: self,
                trial: false,
                told: false,
            }),
            State::Open { until } if self.time.now() >= until => {
                *state = State::Trial;
                Some(Permit {
                    breaker: self,
                    trial: true,
                    told: false,
                })
            }
            State::Open { .. } | State::Trial => None,
        }
    }

    /// Returns whether calls are refused at the moment.
    pub(super) fn is_open(&self) -> bool {
        !matches!(*self.state(), State::Closed { .. })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        *self.state() = State::Closed { failures: 0 };
    }

    fn count_failure(&self, trial: bool) {
        let mut state = self.state();
        let open = State::Open {
            until: self.time.now().after(self.settings.open_for),
        };
        match *state {
            State::Closed { failures } if failures + 1 >= self.settings.failures_to_open => {
                *state = open
            }
            State::Closed { failures } => {
                *state = State::Closed {
                    failures: failures + 1,
                }
            }
            State::Trial if trial => *state = open,
            // A call that began before the breaker opened has failed late. This changes nothing.
            State::Open { .. } | State::Trial => {}
        }
    }

    fn give_trial_back(&self) {
        let mut state = self.state();
        if matches!(*state, State::Trial) {
            *state = State::Open {
                until: self.time.now(),
            };
        }
    }
}

/// The permission for one call.
#[derive(Debug)]
#[must_use = "tell the permit how the call went"]
pub(super) struct Permit<'a> {
    breaker: &'a CircuitBreaker,
    trial: bool,
    told: bool,
}

impl Permit<'_> {
    /// The service answered.
    pub(super) fn succeeded(mut self) {
        self.told = true;
        self.breaker.close();
    }

    /// The service did not answer, or answered with a server error.
    pub(super) fn failed(mut self) {
        self.told = true;
        self.breaker.count_failure(self.trial);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if self.trial && !self.told {
            self.breaker.give_trial_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaker_of(time: PassingTime) -> CircuitBreaker {
        let settings = BreakerSettings {
            failures_to_open: 3,
            open_for: Duration::from_secs(5),
        };
        CircuitBreaker::new(settings, time)
    }

    fn breaker() -> CircuitBreaker {
        breaker_of(PassingTime::default())
    }

    fn fail(breaker: &CircuitBreaker, times: u32) {
        for _ in 0..times {
            breaker.admit().unwrap().failed();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn failures_in_a_row_open_it_and_a_success_between_them_does_not() {
        let breaker = breaker();
        fail(&breaker, 2);
        breaker.admit().unwrap().succeeded();
        fail(&breaker, 2);
        assert!(!breaker.is_open());
        fail(&breaker, 1);
        assert!(breaker.is_open());
        assert!(breaker.admit().is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn after_the_pause_one_trial_decides() {
        let breaker = breaker();
        fail(&breaker, 3);
        tokio::time::advance(Duration::from_millis(4_999)).await;
        assert!(breaker.admit().is_none());
        tokio::time::advance(Duration::from_millis(1)).await;
        let trial = breaker.admit().unwrap();
        assert!(breaker.admit().is_none(), "only one trial at a time");
        trial.failed();
        assert!(breaker.admit().is_none(), "a failed trial opens it again");
        tokio::time::advance(Duration::from_secs(5)).await;
        breaker.admit().unwrap().succeeded();
        assert!(!breaker.is_open());
        assert!(breaker.admit().is_some());
    }

    #[test]
    fn an_advance_of_the_clock_ends_the_pause() {
        let time = PassingTime::default();
        let breaker = breaker_of(time.clone());
        fail(&breaker, 3);
        assert!(breaker.admit().is_none());
        time.advance(Duration::from_secs(5)).unwrap();
        breaker.admit().unwrap().succeeded();
        assert!(!breaker.is_open());
    }

    #[tokio::test(start_paused = true)]
    async fn a_trial_whose_caller_went_away_does_not_block_the_next() {
        let breaker = breaker();
        fail(&breaker, 3);
        tokio::time::advance(Duration::from_secs(5)).await;
        drop(breaker.admit().unwrap());
        assert!(breaker.admit().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_from_before_the_opening_does_not_spoil_a_trial() {
        let breaker = breaker();
        let early = breaker.admit().unwrap();
        fail(&breaker, 3);
        tokio::time::advance(Duration::from_secs(5)).await;
        let trial = breaker.admit().unwrap();
        early.failed();
        trial.succeeded();
        assert!(!breaker.is_open());
    }
}
