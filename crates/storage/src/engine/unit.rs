//! Units of work on their way to the database: the queue, and how a thread runs them.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use cabinet_metrics::{STORAGE_UNIT_SECONDS, STORAGE_UNITS, StorageAccess, UnitOutcome};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tracing::Span;

use crate::engine::access::Access;
use crate::engine::error::{Result, StorageError};
use crate::engine::tx::Tx;

/// Whether a unit of work was begun, or withdrawn before that. Only one of them can happen.
#[derive(Debug, Default)]
pub(crate) struct Beginning(AtomicU8);

impl Beginning {
    const BEGUN: u8 = 1;
    const WITHDRAWN: u8 = 2;

    fn begin(&self) -> bool {
        self.becomes(Beginning::BEGUN)
    }

    /// Returns false if the unit was begun already.
    pub(crate) fn withdraw(&self) -> bool {
        self.becomes(Beginning::WITHDRAWN)
    }

    fn becomes(&self, state: u8) -> bool {
        let changed = self
            .0
            .compare_exchange(0, state, Ordering::AcqRel, Ordering::Acquire);
        changed.is_ok()
    }
}

/// A unit of work with its types erased, so that all of them fit one queue.
pub(crate) trait Unit: Send {
    fn access(&self) -> Access;
    /// Whether it is to be run: not if the caller stopped waiting. From then on it can't be withdrawn.
    fn begins(&self) -> bool;
    /// Runs the closure and keeps its result. `Ok(true)`: commit. `Ok(false)`: the closure returned an error, undo.
    /// `Err`: a statement failed or the closure panicked; undo, and run it again if that may help.
    fn run(&mut self, tx: &mut Tx) -> Result<bool>;
    /// Sends the kept result to the caller.
    fn answer(self: Box<Self>);
    /// Sends an error to the caller.
    fn refuse(self: Box<Self>, error: StorageError);
}

pub(crate) struct TypedUnit<F, T, E> {
    pub(crate) access: Access,
    pub(crate) work: F,
    pub(crate) outcome: Option<Result<T, E>>,
    pub(crate) reply: oneshot::Sender<Result<T, E>>,
    pub(crate) asked: Instant,
    pub(crate) beginning: Arc<Beginning>,
    /// The place that it takes among those of its notary.
    pub(crate) place: Option<OwnedSemaphorePermit>,
    /// What the caller was doing, so that lines of the log say it.
    pub(crate) span: Span,
}

impl<F, T, E> TypedUnit<F, T, E>
where
    F: FnMut(&mut Tx) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<StorageError> + Send + 'static,
{
    fn send(self, outcome: Result<T, E>) {
        record(self.access, outcome.is_ok(), self.asked);
        drop(self.place);
        // The caller may have stopped waiting; the work is committed all the same.
        let _ = self.reply.send(outcome);
    }
}

impl<F, T, E> Unit for TypedUnit<F, T, E>
where
    F: FnMut(&mut Tx) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<StorageError> + Send + 'static,
{
    fn access(&self) -> Access {
        self.access
    }

    fn begins(&self) -> bool {
        !self.reply.is_closed() && self.beginning.begin()
    }

    fn run(&mut self, tx: &mut Tx) -> Result<bool> {
        let _entered = self.span.enter();
        let announced = tx.announced_mut().len();
        let outcome = run_closure(&mut self.work, tx);
        let keep = matches!(outcome, Ok(Ok(_)));
        if !keep {
            tx.announced_mut().truncate(announced);
        }
        let outcome = outcome?;
        self.outcome = Some(outcome);
        Ok(keep)
    }

    fn answer(mut self: Box<Self>) {
        if let Some(outcome) = self.outcome.take() {
            self.send(outcome);
        }
    }

    fn refuse(self: Box<Self>, error: StorageError) {
        self.send(Err(E::from(error)));
    }
}

/// Runs a closure. A panic, or a failed statement that the closure ignored, becomes an error.
///
/// If a statement failed and the closure returned an error of its own, that error is the result, unless running the
/// closure again may help.
pub(crate) fn run_closure<T, E>(
    work: &mut impl FnMut(&mut Tx) -> Result<T, E>,
    tx: &mut Tx,
) -> Result<Result<T, E>> {
    let caught = catch_unwind(AssertUnwindSafe(|| work(tx)));
    let fault = tx.take_fault();
    match (caught, fault) {
        (Err(_), _) => {
            tracing::error!("A unit of work panicked and was undone");
            Err(StorageError::Panicked)
        }
        (Ok(Ok(_)), Some(fault)) => Err(fault),
        (Ok(Err(_)), Some(fault))
            if fault.is_transient()
                || matches!(
                    fault,
                    StorageError::Unavailable(_) | StorageError::Damaged(_)
                ) =>
        {
            Err(fault)
        }
        (Ok(outcome), _) => Ok(outcome),
    }
}

/// Records metrics of a finished unit of work: its result, and the time from the request to the result.
pub(crate) fn record(access: Access, is_ok: bool, asked: Instant) {
    let access = if access.is_read() {
        StorageAccess::Read
    } else {
        StorageAccess::Write
    };
    let outcome = if is_ok {
        UnitOutcome::Ok
    } else {
        UnitOutcome::Refused
    };
    tracing::trace!(target: "cabinet_storage::unit", "{access:?}");
    STORAGE_UNITS.count((access, outcome));
    STORAGE_UNIT_SECONDS.record(access, asked.elapsed().as_secs_f64());
}

/// The bounded queue of waiting units of work.
pub(crate) struct Queue {
    state: Mutex<Waiting>,
    arrival: Condvar,
    limit: usize,
}

struct Waiting {
    units: VecDeque<Box<dyn Unit>>,
    closed: Option<StorageError>,
}

impl Queue {
    pub(crate) fn new(limit: usize) -> Queue {
        Queue {
            state: Mutex::new(Waiting {
                units: VecDeque::new(),
                closed: None,
            }),
            arrival: Condvar::new(),
            limit,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing under this lock can panic, so a poisoned lock still holds a valid queue.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Accepts a unit of work, or answers it at once that the queue is full or closed.
    pub(crate) fn push(&self, unit: Box<dyn Unit>) {
        let mut waiting = self.lock();
        let refusal = match &waiting.closed {
            Some(reason) => Some(reason.clone()),
            None if waiting.units.len() >= self.limit => Some(StorageError::Overloaded),
            None => None,
        };
        match refusal {
            Some(refusal) => {
                drop(waiting);
                unit.refuse(refusal);
            }
            None => {
                waiting.units.push_back(unit);
                drop(waiting);
                self.arrival.notify_one();
            }
        }
    }

    /// Waits for the next unit of work. Returns `None` once the queue is closed and empty.
    pub(crate) fn next(&self) -> Option<Box<dyn Unit>> {
        let mut waiting = self.lock();
        loop {
            if let Some(unit) = waiting.units.pop_front() {
                return Some(unit);
            }
            if waiting.closed.is_some() {
                return None;
            }
            waiting = self
                .arrival
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns the next unit of work, if one is waiting.
    pub(crate) fn next_now(&self) -> Option<Box<dyn Unit>> {
        self.lock().units.pop_front()
    }

    pub(crate) fn depth(&self) -> usize {
        self.lock().units.len()
    }

    /// Accepts nothing more; waiting units are still run.
    pub(crate) fn close(&self, reason: StorageError) {
        self.lock().closed.get_or_insert(reason);
        self.arrival.notify_all();
    }

    /// Returns why the queue is closed, if it is.
    pub(crate) fn closed(&self) -> Option<StorageError> {
        self.lock().closed.clone()
    }

    /// Returns a guard that closes the queue if the thread panics.
    pub(crate) fn close_on_panic(&self) -> CloseOnPanic<'_> {
        CloseOnPanic(self)
    }

    /// Answers all waiting units with an error.
    pub(crate) fn refuse_waiting(&self, error: &StorageError) {
        let units = std::mem::take(&mut self.lock().units);
        for unit in units {
            unit.refuse(error.clone());
        }
    }
}

/// Closes the queue when its thread panics and refuses all waiting units. The other threads then end as well, and
/// [`Store::stopped`](crate::Store::stopped) returns.
pub(crate) struct CloseOnPanic<'q>(&'q Queue);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let stopped =
                StorageError::Unavailable("a thread of the database has panicked".to_owned());
            self.0.close(stopped.clone());
            self.0.refuse_waiting(&stopped);
        }
    }
}
