//! Lines of the log that anybody can cause: one a minute, with the number of those that were left out.

use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

/// Time between two lines.
const PAUSE: SignedDuration = SignedDuration::from_mins(1);

/// Decides which lines are written.
#[derive(Debug, Default)]
pub(crate) struct SparseLog {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    last: Option<Timestamp>,
    left_out: u64,
}

impl SparseLog {
    /// Counts a line. Returns how many were left out before it, where it is to be written.
    pub(crate) fn take(&self, now: Timestamp) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = state.last.is_none_or(|last| {
            // A clock that was set back silences nothing.
            let passed = now.duration_since(last);
            passed >= PAUSE || passed < SignedDuration::ZERO
        });
        if !is_due {
            state.left_out += 1;
            return None;
        }
        state.last = Some(now);
        Some(std::mem::take(&mut state.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_a_minute_tells_how_many_were_left_out() {
        let log = SparseLog::default();
        let at = |seconds| Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds);
        assert_eq!(log.take(at(0)), Some(0));
        assert_eq!(log.take(at(0)), None);
        assert_eq!(log.take(at(59)), None);
        assert_eq!(log.take(at(60)), Some(2));
        assert_eq!(log.take(at(61)), None);
        assert_eq!(log.take(at(10)), Some(1));
    }
}
