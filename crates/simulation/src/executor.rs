//! Runs operations one at a time, each until it waits for a gate or for time to pass.
//!
//! The store answers from threads of its own. An operation that asks it for several things side by side is therefore polled again only
//! when all of them are done: then what it sees does not depend on how fast those threads are.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use cabinet_storage::{StorageError, Store, Tx};
use jiff::SignedDuration;

use crate::wire::{OperationId, Wire};

/// What an operation may wait for besides gates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waits {
    /// One answer of the store at a time.
    Store,
    /// Also for time to pass, or for another operation.
    Others,
    /// For several things side by side.
    Several,
}

/// An answer of the store takes less.
const ANSWER_MAX: Duration = Duration::from_secs(60);

/// Something the cabinet is doing.
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

    /// Waits on this thread for the store's answer.
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

    /// Whether something it waited for has come.
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

/// Polls operations, on a runtime whose clock stands still.
pub(crate) struct Executor {
    runtime: tokio::runtime::Runtime,
    wire: Wire,
}

impl Executor {
    pub(crate) fn new(runtime: tokio::runtime::Runtime, wire: Wire) -> Executor {
        Executor { runtime, wire }
    }

    /// Goes on with an operation until it has ended or waits for a gate or for time.
    pub(crate) fn go_on<T>(&self, operation: &mut Operation<T>, store: &Store) -> Option<T> {
        let _runtime = self.runtime.enter();
        let waker = Waker::from(Arc::clone(&operation.woken));
        let mut context = Context::from_waker(&waker);
        loop {
            operation.woken.0.store(false, Ordering::Release);
            self.wire.set_operation(operation.id);
            let side_by_side = operation.waits == Waits::Several;
            let brake = side_by_side.then(|| Brake::put_on(store));
            let polled = operation.future.as_mut().poll(&mut context);
            if let Some(brake) = &brake {
                brake.release();
                finish_all(store);
            }
            drop(brake);
            if let Poll::Ready(ended) = polled {
                return Some(ended);
            }
            match operation.waits {
                Waits::Several => {}
                _ if self.wire.is_at_gate(operation.id) => return None,
                Waits::Others => finish_all(store),
                Waits::Store => operation.wait(),
            }
            if !operation.is_woken() {
                return None;
            }
        }
    }

    /// Runs to the end what waits for nothing but the store.
    pub(crate) fn run<T>(&self, future: impl Future<Output = T>) -> T {
        let _runtime = self.runtime.enter();
        block_on(future)
    }

    /// Lets the runtime's time pass: whatever slept so long is woken.
    pub(crate) fn pass(&self, span: SignedDuration) {
        let span = std::time::Duration::try_from(span).unwrap_or_default();
        self.runtime.block_on(tokio::time::advance(span));
    }
}

/// Keeps the store from doing what it is asked for, until it is released. Of several things that an operation asks for side by side,
/// none is then answered sooner because a thread was fast.
struct Brake {
    release: mpsc::Sender<()>,
    /// Kept, for the store does not begin what nobody waits for.
    _unit: Pin<Box<dyn Future<Output = Result<(), StorageError>>>>,
}

impl Brake {
    fn put_on(store: &Store) -> Brake {
        let (release, released) = mpsc::channel();
        let store = store.clone();
        let mut unit = Box::pin(async move {
            let wait = move |_: &mut Tx| {
                // Nobody is there to release it any more: then it is released, too.
                let _ = released.recv();
                Ok(())
            };
            store.write(wait).await
        });
        let asked = unit.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(asked.is_pending(), "the store waits for the release");
        Brake {
            release,
            _unit: unit,
        }
    }

    fn release(&self) {
        let _ = self.release.send(());
    }
}

/// Waits until the store has done all that was asked of it: its queue, and the runtime's one thread for long work, are served in order.
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

/// Waits for a future on this thread. Unlike a runtime's, it leaves the timers alone.
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
