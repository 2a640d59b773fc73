//! The time that passes, for pauses, limits and ages.

#![expect(
    clippy::disallowed_methods,
    reason = "this is the one place where what can be advanced waits for the machine's time"
)]

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// By how much a clock can be advanced in all: ten years. Beyond that no rule of the cabinet waits for anything.
pub const ADVANCE_SECONDS_MAX: u64 = 3_652 * 24 * 60 * 60;

/// The machine's time since some moment, and by how much it was advanced. It only goes forward, also where somebody sets the machine's
/// clock. Clones are one: what advances one of them advances all, and wakes whoever waits.
#[derive(Clone, Debug, Default)]
pub struct PassingTime {
    advanced: watch::Sender<Duration>,
}

/// A moment of a [`PassingTime`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Instant);

impl Moment {
    /// The moment `span` later.
    #[must_use]
    pub fn after(self, span: Duration) -> Moment {
        Moment(self.0 + span)
    }
}

/// Together with the advances before it would go beyond [`ADVANCE_SECONDS_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdvanceError;

impl PassingTime {
    /// The present moment.
    pub fn now(&self) -> Moment {
        Moment(Instant::now() + self.advanced())
    }

    /// How much time has passed since a moment; zero if it is still to come.
    pub fn since(&self, moment: Moment) -> Duration {
        self.now().0.saturating_duration_since(moment.0)
    }

    /// By how much it was advanced in all.
    pub fn advanced(&self) -> Duration {
        *self.advanced.borrow()
    }

    /// Goes forward at once.
    ///
    /// # Errors
    /// Changes nothing when it would be too far.
    pub fn advance(&self, by: Duration) -> Result<(), AdvanceError> {
        let further = |advanced: &Duration| {
            let sum = advanced.checked_add(by)?;
            (sum <= Duration::from_secs(ADVANCE_SECONDS_MAX)).then_some(sum)
        };
        let mut outcome = Err(AdvanceError);
        self.advanced.send_if_modified(|advanced| {
            let Some(sum) = further(advanced) else {
                return false;
            };
            *advanced = sum;
            outcome = Ok(());
            true
        });
        outcome
    }

    /// Waits for a span.
    pub async fn sleep(&self, span: Duration) {
        self.sleep_since_advance(self.advanced(), span).await;
    }

    /// Waits for a span, of which counts as passed what the time was advanced beyond `advanced`: by that whoever works between two waits
    /// misses no advance.
    pub async fn sleep_since_advance(&self, advanced: Duration, span: Duration) {
        let began = Instant::now();
        let mut advances = self.advanced.subscribe();
        loop {
            let ahead = advances.borrow_and_update().saturating_sub(advanced);
            let end = began + span.saturating_sub(ahead);
            tokio::select! {
                () = sleep_until(end) => return,
                // It can't fail: this value holds a sender.
                _ = advances.changed() => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[tokio::test(start_paused = true)]
    async fn an_advance_counts_as_time_that_passed() {
        let time = PassingTime::default();
        let (clone, began) = (time.clone(), time.now());
        tokio::time::advance(seconds(2)).await;
        clone.advance(seconds(40)).unwrap();
        assert_eq!(time.since(began), seconds(42));
        assert_eq!(time.now(), began.after(seconds(42)));
        assert_eq!(time.since(began.after(seconds(50))), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_is_woken_when_the_time_is_over_and_not_before() {
        let time = PassingTime::default();
        let mut waits = Box::pin(time.sleep(seconds(60)));
        assert_eq!((&mut waits).now_or_never(), None);
        time.advance(seconds(30)).unwrap();
        assert_eq!((&mut waits).now_or_never(), None);
        tokio::time::advance(seconds(29)).await;
        assert_eq!((&mut waits).now_or_never(), None);
        time.advance(seconds(1)).unwrap();
        assert_eq!((&mut waits).now_or_never(), Some(()));
    }

    #[tokio::test(start_paused = true)]
    async fn an_advance_between_two_waits_is_not_missed() {
        let time = PassingTime::default();
        let before = time.advanced();
        time.advance(seconds(45)).unwrap();
        let began = Instant::now();
        time.sleep_since_advance(before, seconds(60)).await;
        assert_eq!(began.elapsed(), seconds(15));
        time.sleep(seconds(60)).await;
        assert_eq!(began.elapsed(), seconds(75));
    }

    #[test]
    fn it_goes_ten_years_forward_in_all() {
        let time = PassingTime::default();
        let most = seconds(ADVANCE_SECONDS_MAX);
        time.advance(most - seconds(1)).unwrap();
        for too_far in [seconds(2), Duration::MAX] {
            assert_eq!(time.advance(too_far), Err(AdvanceError));
        }
        assert_eq!(time.advanced(), most - seconds(1));
        time.advance(seconds(1)).unwrap();
        assert_eq!(time.advanced(), most);
    }
}
