//! A trouble that lasts is told in the log once a second, however often it is met.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two lines about one trouble.
const APART: Duration = Duration::from_secs(1);
/// A trouble that was not met for so long is over. What nobody told of it is forgotten.
const OVER_AFTER: Duration = Duration::from_secs(10);

/// The database can't be asked now: every call and every round of the worker meets it.
pub(crate) static DATABASE_AWAY: LastingTrouble = LastingTrouble::new();

/// A trouble that many meet at once.
#[derive(Debug)]
pub(crate) struct LastingTrouble(Mutex<Met>);

#[derive(Debug)]
struct Met {
    told_at: Option<Instant>,
    met_at: Option<Instant>,
    untold: u64,
}

impl LastingTrouble {
    /// A trouble that nobody has met yet.
    const fn new() -> LastingTrouble {
        LastingTrouble(Mutex::new(Met {
            told_at: None,
            met_at: None,
            untold: 0,
        }))
    }

    /// Counts that it was met. Returns how often since it was last told, this time included, if a second has passed since then: whoever gets
    /// a number tells it.
    pub(crate) fn met(&self, now: Instant) -> Option<u64> {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let since =
            |moment: Option<Instant>| moment.map(|moment| now.saturating_duration_since(moment));
        if since(met.met_at).is_some_and(|pause| pause >= OVER_AFTER) {
            met.untold = 0;
        }
        met.met_at = Some(now);
        met.untold += 1;
        if since(met.told_at).is_some_and(|pause| pause < APART) {
            return None;
        }
        met.told_at = Some(now);
        Some(std::mem::take(&mut met.untold))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trouble_is_told_at_once_and_then_once_a_second_with_how_often_it_was_met() {
        let trouble = LastingTrouble::new();
        let first = Instant::now();
        let after = |milliseconds| first + Duration::from_millis(milliseconds);
        assert_eq!(trouble.met(first), Some(1));
        for milliseconds in [1, 500, 999] {
            assert_eq!(trouble.met(after(milliseconds)), None);
        }
        assert_eq!(trouble.met(after(1_000)), Some(4));
        assert_eq!(trouble.met(after(1_001)), None);
        assert_eq!(trouble.met(after(5_000)), Some(2));
        assert_eq!(trouble.met(after(5_001)), None);
        let earlier = trouble.met(first);
        assert_eq!(earlier, None, "an earlier moment of another thread");
        assert_eq!(trouble.met(after(60_000)), Some(1), "another trouble");
    }
}
