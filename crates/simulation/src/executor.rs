//! Runs operations one at a time, each until it waits for a gate or for a time.
//!
//! The store answers from its own threads. An operation with several concurrent queries is polled again only when all of them are
//! done, so that the result does not depend on the speed of the threads.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use cabinet_storage::{StorageError, Store, Tx};
use jiff::SignedDuration;

use crate::gates::{Gates, OperationId};

/// What an operation may wait for besides gates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    /// One answer of the store.
    Store,
    /// Also a time, or another operation.
    Others,
    /// Several concurrent answers of the store.
    Several,
}

/// How long an answer of the store may take.
const ANSWER_MAX: Duration = Duration::from_secs(60);

/// An operation of the cabinet.
pub(crate) struct Operation<T> {
    pub(crate) id: OperationId,
    waits: Waits,
    future: Pin<Box<dyn Future<Output = T>>>,
    woken: Arc<Flag>,
}

impl<T> Operation<T> {
    pub(crate) fn new(
        id: OperationId,
        waits: Waits,
        future: impl Future<Output = T> + 'static,
    ) -> Operation<T> {
        Operation {
            id,
            waits,
            future: Box::pin(future),
            woken: Arc::new(Flag::set()),
        }
    }

    /// Waits for the store's answer on this thread.
    fn wait(&self) {
        let began = Instant::now();
        while !self.is_woken() {
            std::thread::park_timeout(ANSWER_MAX);
            assert!(
                began.elapsed() < ANSWER_MAX,
                "an operation waits for something else than the store"
            );
        }
    }

    /// Whether the operation was woken.
    pub(crate) fn is_woken(&self) -> bool {
        self.woken.0.load(Ordering::Acquire)
    }
}

struct Flag(AtomicBool, Thread);

impl Flag {
    fn set() -> Flag {
        Flag(AtomicBool::new(true), std::thread::current())
    }
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
        self.1.unpark();
    }
}

/// Polls operations on a runtime whose clock is paused.
pub(crate) struct Executor {
    runtime: tokio::runtime::Runtime,
    gates: Gates,
}

impl Executor {
    pub(crate) fn new(gates: Gates) -> Executor {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .max_blocking_threads(1)
            .build()
            .expect("a runtime can be built");
        Executor { runtime, gates }
    }

    /// Runs an operation until it ends or waits for a gate or for a time.
    pub(crate) fn run_until_waiting<T>(
        &self,
        operation: &mut Operation<T>,
        store: &Store,
    ) -> Option<T> {
        let _runtime = self.runtime.enter();
        let waker = Waker::from(Arc::clone(&operation.woken));
        let mut context = Context::from_waker(&waker);
        loop {
            operation.woken.0.store(false, Ordering::Release);
            self.gates.set_operation(operation.id);
            let side_by_side = operation.waits == Waits::Several;
            let mut brake = side_by_side.then(|| Brake::put_on(store));
            let polled = operation.future.as_mut().poll(&mut context);
            if let Some(brake) = &mut brake {
                brake.release();
                finish_all(store);
            }
            drop(brake);
            if let Poll::Ready(ended) = polled {
                return Some(ended);
            }
            match operation.waits {
                Waits::Several => {}
                _ if self.gates.is_at_gate(operation.id) => return None,
                Waits::Others => finish_all(store),
                Waits::Store => operation.wait(),
            }
            if !operation.is_woken() {
                return None;
            }
        }
    }

    /// Polls operations once each, in this order, while the store does nothing: none of them sees what another one of them writes now. Then the
    /// store does what they asked for, in the same order. Returns those that have ended, by their ids.
    pub(crate) fn take_turn<T>(
        &self,
        operations: Vec<&mut Operation<T>>,
        store: &Store,
    ) -> Vec<(OperationId, T)> {
        let _runtime = self.runtime.enter();
        let mut brake = Brake::put_on(store);
        let mut ended = Vec::new();
        for operation in operations {
            let waker = Waker::from(Arc::clone(&operation.woken));
            operation.woken.0.store(false, Ordering::Release);
            self.gates.set_operation(operation.id);
            let mut context = Context::from_waker(&waker);
            if let Poll::Ready(result) = operation.future.as_mut().poll(&mut context) {
                ended.push((operation.id, result));
            }
        }
        brake.release();
        finish_all(store);
        ended
    }

    /// Runs a future that waits only for the store.
    pub(crate) fn run<T>(&self, future: impl Future<Output = T>) -> T {
        let _runtime = self.runtime.enter();
        block_on(future)
    }

    /// Advances the runtime's clock, which wakes sleeping operations.
    pub(crate) fn pass(&self, span: SignedDuration) {
        let span = std::time::Duration::try_from(span).unwrap_or_default();
        self.runtime.block_on(tokio::time::advance(span));
    }
}

/// Blocks the store until it is released, so that none of several concurrent queries is answered earlier than the others.
struct Brake {
    release: Option<mpsc::Sender<()>>,
    /// Kept, because the store skips work whose receiver was dropped.
    _unit: Pin<Box<dyn Future<Output = Result<(), StorageError>>>>,
}

impl Brake {
    fn put_on(store: &Store) -> Brake {
        let (release, released) = mpsc::channel();
        let store = store.clone();
        let mut unit = Box::pin(async move {
            let wait = move |_: &mut Tx| {
                // The sender was dropped.
                let _ = released.recv();
                Ok(())
            };
            store.write(wait).await
        });
        let asked = unit.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(asked.is_pending(), "the store waits for the release");
        Brake {
            release: Some(release),
            _unit: unit,
        }
    }

    /// Releases the store for good: after a unit that fails it may begin anew with those that came with it.
    fn release(&mut self) {
        self.release = None;
    }
}

/// Waits until the store has done everything. Its queue and the runtime's blocking thread work in order.
fn finish_all(store: &Store) {
    block_on(async {
        store
            .write(|_: &mut Tx| Ok::<_, StorageError>(()))
            .await
            .expect("the store is open");
        if store.is_sqlite() {
            let last = tokio::task::spawn_blocking(|| ());
            last.await.expect("a thread for long work");
        }
    });
}

/// Waits for a future on this thread. Unlike `Runtime::block_on`, it does not advance the timers.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(ended) = future.as_mut().poll(&mut context) {
            return ended;
        }
        std::thread::park();
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}
