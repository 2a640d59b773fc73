//! The clock of the machine.

use cabinet_domain::Clock;
use jiff::Timestamp;

use crate::passing_time::PassingTime;

/// Shows the machine's time and by how much it was advanced.
#[derive(Clone, Debug, Default)]
pub struct SystemClock(PassingTime);

impl SystemClock {
    /// The clock that is advanced with `time`.
    pub fn of(time: &PassingTime) -> SystemClock {
        SystemClock(time.clone())
    }
}

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the machine's clock"
    )]
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        now.checked_add(self.0.advanced()).unwrap_or(Timestamp::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn it_is_advanced_with_the_time_that_passes() {
        let time = PassingTime::default();
        let (clock, other) = (SystemClock::of(&time), SystemClock::default());
        time.advance(Duration::from_secs(3_600)).unwrap();
        let ahead = clock.now().duration_since(other.now());
        assert!((3_590..=3_600).contains(&ahead.as_secs()), "{ahead}");
    }
}
