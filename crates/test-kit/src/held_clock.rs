//! A clock that stops its reader at a chosen point.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use cabinet_domain::Clock;
use jiff::Timestamp;
use tokio::sync::Notify;

use crate::HandClock;

/// A reading is held no longer, so that a failed test ends.
const HELD_AT_MOST: Duration = Duration::from_secs(20);

/// A clock of which one reading waits until the test releases it. The code around that reading stands still meanwhile, so a test can
/// do something between two of its steps. The reading blocks a thread of the runtime.
#[derive(Debug)]
pub struct HeldClock {
    hand: Arc<HandClock>,
    /// Readings until the held one, which is included. 0: none is held any more.
    until_held: AtomicUsize,
    reached: Notify,
    is_released: Mutex<bool>,
    released: Condvar,
}

impl HeldClock {
    pub(crate) fn new(hand: Arc<HandClock>) -> Arc<HeldClock> {
        Arc::new(HeldClock {
            hand,
            until_held: AtomicUsize::new(0),
            reached: Notify::new(),
            is_released: Mutex::new(false),
            released: Condvar::new(),
        })
    }

    /// Lets the reading with this number from now on wait. The next one has the number 1.
    pub(crate) fn hold(&self, reading: usize) {
        self.until_held.store(reading, Ordering::SeqCst);
    }

    /// Waits until the reader stands still.
    pub async fn reached(&self) {
        self.reached.notified().await;
    }

    /// Lets the reader go on.
    pub fn release(&self) {
        *self
            .is_released
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = true;
        self.released.notify_all();
    }
}

impl Clock for HeldClock {
    fn now(&self) -> Timestamp {
        let before = self
            .until_held
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                left.checked_sub(1)
            });
        if before == Ok(1) {
            self.reached.notify_one();
            let is_released = self
                .is_released
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let _released =
                self.released
                    .wait_timeout_while(is_released, HELD_AT_MOST, |is_released| !*is_released);
        }
        self.hand.now()
    }
}
