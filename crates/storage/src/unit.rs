//! Units of work on their way to the database: the queue, and what a thread does with each of them.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;

use crate::error::{Result, StorageError};
use crate::tx::Tx;

/// What a unit of work may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Read, a little.
    Read,
    /// Read as much as it likes: the limit on the time of a statement does not count.
    ReadLong,
    /// Write.
    Write,
}

/// A unit of work whose types are forgotten, so that all of them fit one queue.
pub(crate) trait Unit: Send {
    fn access(&self) -> Access;
    /// Whether nobody waits for the answer any more.
    fn is_withdrawn(&self) -> bool;
    /// Runs the closure and keeps its answer. `Ok(true)`: keep the work; `Ok(false)`: the closure refused, undo it.
    /// `Err`: a statement failed, or the closure panicked; undo it, and run it again if that may help.
    fn run(&mut self, tx: &mut Tx) -> Result<bool>;
    /// Sends the kept answer.
    fn answer(self: Box<Self>);
    /// Sends an error in place of any answer.
    fn refuse(self: Box<Self>, error: StorageError);
}

pub(crate) struct TypedUnit<F, T, E> {
    pub(crate) access: Access,
    pub(crate) work: F,
    pub(crate) outcome: Option<Result<T, E>>,
    pub(crate) reply: oneshot::Sender<Result<T, E>>,
    pub(crate) asked: Instant,
}

impl<F, T, E> TypedUnit<F, T, E>
where
    F: FnMut(&mut Tx) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: From<StorageError> + Send + 'static,
{
    fn send(self, outcome: Result<T, E>) {
        record(self.access, outcome.is_ok(), self.asked);
        // Nobody may be waiting any more; the work stands all the same.
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

    fn is_withdrawn(&self) -> bool {
        self.reply.is_closed()
    }

    fn run(&mut self, tx: &mut Tx) -> Result<bool> {
        let outcome = run_closure(&mut self.work, tx)?;
        let keep = outcome.is_ok();
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

/// Runs a closure, turning a panic, or a failed statement that the closure passed over, into an error.
///
/// A failed statement that the closure answers with an error of its own stays the closure's answer, except where
/// running again may help.
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

/// Counts a finished unit of work and its duration, from the asking to the answer.
pub(crate) fn record(access: Access, is_ok: bool, asked: Instant) {
    // The labels are written out: those that are put together at the call cost as much as a small statement.
    let (units, seconds) = match (access, is_ok) {
        (Access::Write, true) => (
            metrics::counter!("cabinet_storage_units_total", "access" => "write", "outcome" => "ok"),
            metrics::histogram!("cabinet_storage_unit_seconds", "access" => "write"),
        ),
        (Access::Write, false) => (
            metrics::counter!("cabinet_storage_units_total", "access" => "write", "outcome" => "refused"),
            metrics::histogram!("cabinet_storage_unit_seconds", "access" => "write"),
        ),
        (Access::Read | Access::ReadLong, true) => (
            metrics::counter!("cabinet_storage_units_total", "access" => "read", "outcome" => "ok"),
            metrics::histogram!("cabinet_storage_unit_seconds", "access" => "read"),
        ),
        (Access::Read | Access::ReadLong, false) => (
            metrics::counter!("cabinet_storage_units_total", "access" => "read", "outcome" => "refused"),
            metrics::histogram!("cabinet_storage_unit_seconds", "access" => "read"),
        ),
    };
    units.increment(1);
    seconds.record(asked.elapsed().as_secs_f64());
}

/// The waiting units of work, bounded.
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
        // Nothing that can panic runs under this lock, so a poisoned one still holds a whole queue.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a unit of work in, or answers it at once that there is no room or nobody to serve it.
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

    /// Waits for the next unit of work. `None` once the queue is closed and empty.
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

    /// The next unit of work, if one is waiting.
    pub(crate) fn next_now(&self) -> Option<Box<dyn Unit>> {
        self.lock().units.pop_front()
    }

    pub(crate) fn depth(&self) -> usize {
        self.lock().units.len()
    }

    /// Takes nothing more in; what is waiting is still served.
    pub(crate) fn close(&self, reason: StorageError) {
        self.lock().closed.get_or_insert(reason);
        self.arrival.notify_all();
    }

    /// Why nothing more is taken in, if so.
    pub(crate) fn closed(&self) -> Option<StorageError> {
        self.lock().closed.clone()
    }

    /// Keeps a thread that serves the queue from ending unseen. See [`CloseOnPanic`].
    pub(crate) fn close_on_panic(&self) -> CloseOnPanic<'_> {
        CloseOnPanic(self)
    }

    /// Answers everything that waits with an error.
    pub(crate) fn refuse_waiting(&self, error: &StorageError) {
        let units = std::mem::take(&mut self.lock().units);
        for unit in units {
            unit.refuse(error.clone());
        }
    }
}

/// Closes the queue when its thread panics, and refuses what waits: the other threads then end as well, and whoever watches the
/// store hears of it.
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
