//! What a connection is waiting for, and since when.

#![expect(
    clippy::disallowed_methods,
    reason = "the limits of connections are those of this machine"
)]

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cabinet_metrics::CutBy;
use tokio::time::{Instant, sleep_until};

use super::limits::ConnectionLimits;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// For the first byte of a request.
    Waiting,
    /// For the rest of the head of a request.
    Head,
    /// A request is being answered.
    Busy,
}

struct State {
    phase: Phase,
    since: Instant,
    /// Since when the client takes nothing of the answer.
    stuck_since: Option<Instant>,
}

/// What a connection is waiting for.
pub struct Activity {
    limits: ConnectionLimits,
    state: Mutex<State>,
}

impl Activity {
    /// A connection that was just accepted.
    pub fn new(limits: ConnectionLimits) -> Activity {
        Activity {
            limits,
            state: Mutex::new(State {
                phase: Phase::Waiting,
                since: Instant::now(),
                stuck_since: None,
            }),
        }
    }

    pub const fn limits(&self) -> ConnectionLimits {
        self.limits
    }

    /// Bytes have arrived.
    pub fn heard(&self) {
        let mut state = self.state();
        if state.phase == Phase::Waiting {
            state.phase = Phase::Head;
            state.since = Instant::now();
        }
    }

    /// The client takes nothing of the answer, or takes it again.
    pub fn stuck(&self, is_stuck: bool) {
        let mut state = self.state();
        if is_stuck {
            state.stuck_since.get_or_insert_with(Instant::now);
        } else {
            state.stuck_since = None;
        }
    }

    /// A request begins. It ends when the returned value is dropped.
    pub fn begin(activity: &Arc<Activity>) -> Busy {
        activity.enter(Phase::Busy);
        Busy(Arc::clone(activity))
    }

    fn enter(&self, phase: Phase) {
        let mut state = self.state();
        state.phase = phase;
        state.since = Instant::now();
    }

    /// Waits until a time limit is over. Returns its name.
    pub async fn overdue(&self) -> CutBy {
        let ConnectionLimits {
            head, idle, body, ..
        } = self.limits;
        // The state is looked at again after the shortest limit, because it may have changed to one that ends earlier.
        let shortest = head.min(idle).min(body);
        loop {
            let now = Instant::now();
            let due = self.due();
            if let Some((at, limit)) = due
                && at <= now
            {
                return limit;
            }
            let again = now + shortest;
            sleep_until(due.map_or(again, |(at, _)| at.min(again))).await;
        }
    }

    /// Returns when the present wait is over, with the name of its limit.
    fn due(&self) -> Option<(Instant, CutBy)> {
        let state = self.state();
        let after = |since: Instant, limit: Duration, name| Some((since + limit, name));
        let waits = match state.phase {
            Phase::Waiting => after(state.since, self.limits.idle, CutBy::Idle),
            Phase::Head => after(state.since, self.limits.head, CutBy::Head),
            Phase::Busy => None,
        };
        let stuck = state
            .stuck_since
            .and_then(|since| after(since, self.limits.body, CutBy::Answer));
        waits.into_iter().chain(stuck).min_by_key(|(at, _)| *at)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is being answered.
pub struct Busy(Arc<Activity>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.enter(Phase::Waiting);
    }
}
