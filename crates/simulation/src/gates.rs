//! Gates before and after each call to the acquirer. The driver decides when a gate opens and what passes.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use jiff::Timestamp;

use crate::trace::Trace;

/// The id of an operation.
pub(crate) type OperationId = u32;

/// The position of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Before the acquirer: the request waits.
    Before,
    /// After the acquirer: the request was handled, and the answer waits.
    After,
}

/// What happens to a request or an answer at a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    /// It passes.
    Through,
    /// It is lost.
    Lost,
    /// The adapter gives it up, but it arrives at this moment.
    Late(Timestamp),
    /// No connection could be made.
    NotSent,
    /// The acquirer answers 429 and does nothing.
    TooMany,
    /// The acquirer answers 500.
    Broken,
    /// The acquirer refuses.
    Refused,
    /// The answer can't be read.
    Garbage,
    /// The acquirer says that it does not know an invoice that it knows, and does nothing.
    Forgotten,
    /// A statement is told from a copy that is a day old.
    Stale,
    /// It passes, and its `Date` is wrong by so many seconds.
    WrongTime(i64),
}

/// A gate that is closed.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    pub(crate) id: u64,
    pub(crate) operation: OperationId,
    pub(crate) call: String,
    pub(crate) side: Side,
    /// When the adapter times out.
    pub(crate) until: Timestamp,
}

struct Waiting {
    gate: Gate,
    passage: Option<Passage>,
    waker: Option<Waker>,
}

struct State {
    gates: BTreeMap<u64, Waiting>,
    next: u64,
    operation: OperationId,
    /// Whether all gates are open.
    are_open: bool,
    /// Operations that met a fault.
    faulty: Vec<OperationId>,
}

/// The gates. Clones share them.
#[derive(Clone)]
pub(crate) struct Gates {
    trace: Trace,
    state: Arc<Mutex<State>>,
}

impl Gates {
    pub(crate) fn new(trace: Trace) -> Gates {
        let state = State {
            gates: BTreeMap::new(),
            next: 1,
            operation: 0,
            are_open: false,
            faulty: Vec::new(),
        };
        Gates {
            trace,
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Sets which operation is polled from now on.
    pub(crate) fn set_operation(&self, operation: OperationId) {
        self.state().operation = operation;
    }

    /// Returns the operation that is polled now.
    pub(crate) fn operation(&self) -> OperationId {
        self.state().operation
    }

    /// Returns whether all gates are open for good.
    pub(crate) fn are_open(&self) -> bool {
        self.state().are_open
    }

    /// Opens all gates: from now on everything passes at once.
    pub(crate) fn open_for_good(&self) {
        self.state().are_open = true;
        for gate in self.closed() {
            self.open(gate.id, Passage::Through);
        }
    }

    /// Returns the closed gates, oldest first.
    pub(crate) fn closed(&self) -> Vec<Gate> {
        let state = self.state();
        let closed = state.gates.values().filter(|gate| gate.passage.is_none());
        closed.map(|waiting| waiting.gate.clone()).collect()
    }

    /// Returns whether an operation waits at a gate.
    pub(crate) fn is_at_gate(&self, operation: OperationId) -> bool {
        let mut closed = self.closed().into_iter();
        closed.any(|gate| gate.operation == operation)
    }

    /// Opens a gate. Its operation continues when it is polled next.
    pub(crate) fn open(&self, id: u64, passage: Passage) {
        let mut state = self.state();
        let Some(waiting) = state.gates.get_mut(&id) else {
            return;
        };
        waiting.passage = Some(passage);
        let (waker, gate) = (waiting.waker.take(), waiting.gate.clone());
        if passage != Passage::Through {
            state.faulty.push(gate.operation);
        }
        drop(state);
        let side = match gate.side {
            Side::Before => "request",
            Side::After => "answer",
        };
        let (operation, call) = (gate.operation, gate.call);
        self.trace
            .note(format!("  #{operation} {call}: {side} {passage:?}"));
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Returns whether an operation met a fault.
    pub(crate) fn met_a_fault(&self, operation: OperationId) -> bool {
        self.state().faulty.contains(&operation)
    }

    /// Waits at a new gate.
    pub(crate) async fn pass(
        &self,
        call: &str,
        side: Side,
        until: Timestamp,
        operation: OperationId,
    ) -> Passage {
        let id = {
            let mut state = self.state();
            if state.are_open {
                return Passage::Through;
            }
            let id = state.next;
            state.next += 1;
            let gate = Gate {
                id,
                operation,
                call: call.to_owned(),
                side,
                until,
            };
            let waiting = Waiting {
                gate,
                passage: None,
                waker: None,
            };
            state.gates.insert(id, waiting);
            id
        };
        let _gone = Gone { gates: self, id };
        poll_fn(|context| {
            let mut state = self.state();
            let Some(waiting) = state.gates.get_mut(&id) else {
                return Poll::Ready(Passage::Lost);
            };
            if let Some(passage) = waiting.passage {
                return Poll::Ready(passage);
            }
            waiting.waker = Some(context.waker().clone());
            Poll::Pending
        })
        .await
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes a gate when its operation has passed it or is dropped.
struct Gone<'a> {
    gates: &'a Gates,
    id: u64,
}

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        self.gates.state().gates.remove(&self.id);
    }
}
