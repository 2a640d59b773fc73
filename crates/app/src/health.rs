//! Whether the cabinet can do its work now.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use cabinet_domain::Clock;
use cabinet_storage::Store;
use jiff::SignedDuration;

use crate::reference::Reference;

/// The worker counts as dead when it was not seen for so long.
const WORKER_SILENCE_MAX: SignedDuration = SignedDuration::from_secs(90);

/// Remembers when the worker was last seen.
#[derive(Clone)]
pub struct WorkerHeartbeat {
    clock: Arc<dyn Clock>,
    /// In seconds since 1970.
    seen: Arc<AtomicI64>,
}

impl WorkerHeartbeat {
    /// Starts as if the worker had just been seen.
    pub(crate) fn new(clock: Arc<dyn Clock>) -> WorkerHeartbeat {
        let seen = Arc::new(AtomicI64::new(clock.now().as_second()));
        WorkerHeartbeat { clock, seen }
    }

    /// Records that the worker has just finished a round, or a part of one.
    pub fn record(&self) {
        self.seen
            .store(self.clock.now().as_second(), Ordering::Relaxed);
    }

    fn is_recent(&self) -> bool {
        let silence = self.clock.now().as_second() - self.seen.load(Ordering::Relaxed);
        silence <= WORKER_SILENCE_MAX.as_secs()
    }
}

/// Whether the cabinet was told to stop and still serves, so that its proxy can send what is new to another one first.
#[derive(Clone, Debug, Default)]
pub struct Leaving(Arc<AtomicBool>);

impl Leaving {
    /// Begins to leave. There is no way back.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the cabinet leaves.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Tells whether the cabinet can do its work.
#[derive(Clone)]
pub struct Health {
    /// A cabinet that leaves can do its work, and is to get no more of it.
    pub leaving: Leaving,
    pub(crate) store: Store,
    pub(crate) reference: Reference,
    pub(crate) heartbeat: WorkerHeartbeat,
}

impl Health {
    /// Checks whether the cabinet can do its work now.
    ///
    /// # Errors
    /// What is missing, in words for the operator.
    pub async fn readiness(&self) -> Result<(), &'static str> {
        self.store
            .health()
            .await
            .map_err(|_| "the database does not answer")?;
        self.reference
            .current()
            .map_err(|_| "no reference data is loaded")?;
        if !self.heartbeat.is_recent() {
            return Err("the worker is not at work");
        }
        Ok(())
    }
}
