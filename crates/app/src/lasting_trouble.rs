//! A trouble that lasts is told in the log once a second, however often it is met.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two lines about one trouble.
const APART: Duration = Duration::from_secs(1);

/// The database does not serve, as [`crate::refusal::AppError::is_passing`] says: every call and every round of the worker meets it.
pub static DATABASE_AWAY: LastingTrouble = LastingTrouble::new();

/// A trouble that many meet at once.
#[derive(Debug)]
pub struct LastingTrouble(Mutex<Met>);

#[derive(Debug)]
struct Met {
    told_at: Option<Instant>,
    untold: u64,
}

impl LastingTrouble {
    /// A trouble that nobody has met yet.
    #[must_use]
    pub const fn new() -> LastingTrouble {
        LastingTrouble(Mutex::new(Met {
            told_at: None,
            untold: 0,
        }))
    }

    /// Counts that it was met. Returns how often since it was last told, this time included, if a second has passed since then: whoever gets
    /// a number tells it.
    pub fn met(&self, now: Instant) -> Option<u64> {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        met.untold += 1;
        let is_due = met
            .told_at
            .is_none_or(|told_at| now.saturating_duration_since(told_at) >= APART);
        if !is_due {
            return None;
        }
        met.told_at = Some(now);
        Some(std::mem::take(&mut met.untold))
    }
}

impl Default for LastingTrouble {
    fn default() -> LastingTrouble {
        LastingTrouble::new()
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
        assert_eq!(trouble.met(after(60_000)), Some(2));
        assert_eq!(
            trouble.met(first),
            None,
            "an earlier moment of another thread"
        );
    }
}
