//! Whether the cabinet can do its work now.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use cabinet_domain::Clock;
use cabinet_storage::Store;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;
use tokio::time::timeout;
use tracing::Instrument as _;

use crate::catalogue::reference::Reference;

/// The worker counts as dead when it was not seen for so long.
const WORKER_SILENCE_MAX: SignedDuration = SignedDuration::from_secs(90);
/// An answer of the database is shared for so long: a proxy asks once a second, and the answer costs a write.
const ANSWER_SHARED: SignedDuration = SignedDuration::from_secs(1);
/// The database counts as silent when it has not answered for so long. No limit of TCP notices a server whose processes stand still.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(5);

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

/// The last answer of the database. Anybody may ask for it, and each question takes a place in the queue of payments, so there is
/// one question at a time, and its answer is shared.
#[derive(Clone)]
pub(crate) struct DatabaseAnswer {
    clock: Arc<dyn Clock>,
    /// When the database answered, and whether all was well.
    last: Arc<Mutex<Option<(Timestamp, bool)>>>,
}

impl DatabaseAnswer {
    /// Starts without an answer.
    pub(crate) fn new(clock: Arc<dyn Clock>) -> DatabaseAnswer {
        DatabaseAnswer {
            clock,
            last: Arc::default(),
        }
    }

    /// Returns the last answer if it is recent, otherwise that of `question`.
    async fn or_ask(&self, question: impl Future<Output = bool> + Send + 'static) -> bool {
        let mut last = Arc::clone(&self.last).lock_owned().await;
        if let Some((at, is_well)) = *last
            && self.is_recent(at)
        {
            return is_well;
        }
        let clock = Arc::clone(&self.clock);
        // Whoever goes away before the answer must not begin another question beside this one.
        let asking = tokio::spawn(
            async move {
                let is_well = timeout(ANSWER_TIME_MAX, question).await.unwrap_or(false);
                *last = Some((clock.now(), is_well));
                is_well
            }
            .in_current_span(),
        );
        asking.await.unwrap_or(false)
    }

    /// Whether an answer of a moment is still shared. One from the future is not: the clock was set back.
    fn is_recent(&self, at: Timestamp) -> bool {
        let age = self.clock.now().duration_since(at);
        (SignedDuration::ZERO..ANSWER_SHARED).contains(&age)
    }
}

/// Tells whether the cabinet can do its work.
#[derive(Clone)]
pub struct Health {
    /// A cabinet that leaves can do its work, and is to get no more of it.
    pub leaving: Leaving,
    pub(crate) store: Store,
    pub(crate) database_answer: DatabaseAnswer,
    pub(crate) reference: Reference,
    pub(crate) heartbeat: WorkerHeartbeat,
}

impl Health {
    /// Checks whether the cabinet can do its work now. What the database says may be a second old.
    ///
    /// # Errors
    /// What is missing, in words for the operator.
    pub async fn readiness(&self) -> Result<(), &'static str> {
        let store = self.store.clone();
        let question = async move { store.try_writing().await.is_ok() };
        if !self.database_answer.or_ask(question).await {
            return Err("the database does not answer, or can't be written");
        }
        self.reference
            .current()
            .map_err(|_| "no reference data is loaded")?;
        if !self.heartbeat.is_recent() {
            return Err("the worker is not at work");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use tokio::sync::Notify;

    /// A clock that is moved by hand, in milliseconds.
    #[derive(Default)]
    struct Hand(AtomicI64);

    impl Clock for Hand {
        fn now(&self) -> Timestamp {
            Timestamp::from_millisecond(self.0.load(Ordering::SeqCst)).unwrap()
        }
    }

    #[tokio::test]
    async fn whoever_asks_meanwhile_or_soon_after_gets_the_same_answer() {
        let (clock, asked) = (Arc::new(Hand::default()), Arc::new(AtomicUsize::new(0)));
        let answer = DatabaseAnswer::new(Arc::clone(&clock) as Arc<dyn Clock>);
        let ask = |is_well: bool| {
            let asked = Arc::clone(&asked);
            answer.or_ask(async move {
                asked.fetch_add(1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                is_well
            })
        };
        assert_eq!(
            tokio::join!(ask(true), ask(false), ask(false)),
            (true, true, true)
        );
        for (moment, is_well, expected, questions) in [
            (999, false, true, 1),
            (1_000, false, false, 2),
            (1_999, true, false, 2),
            (2_000, true, true, 3),
            // The clock was set back.
            (1_900, false, false, 4),
        ] {
            clock.0.store(moment, Ordering::SeqCst);
            assert_eq!(ask(is_well).await, expected, "{moment}");
            assert_eq!(asked.load(Ordering::SeqCst), questions, "{moment}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_database_that_says_nothing_is_not_well_and_is_asked_again() {
        let answer = DatabaseAnswer::new(Arc::new(Hand::default()));
        assert!(!answer.or_ask(std::future::pending()).await);
        let (clock, later) = (Arc::new(Hand::default()), 1_000);
        let answer = DatabaseAnswer {
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            ..answer
        };
        clock.0.store(later, Ordering::SeqCst);
        assert!(answer.or_ask(std::future::ready(true)).await);
    }

    #[tokio::test]
    async fn a_question_whose_asker_has_gone_away_is_the_only_one() {
        let (gate, asked) = (Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
        let answer = DatabaseAnswer::new(Arc::new(Hand::default()));
        let ask = || {
            let (gate, asked) = (Arc::clone(&gate), Arc::clone(&asked));
            answer.or_ask(async move {
                asked.fetch_add(1, Ordering::SeqCst);
                gate.notified().await;
                true
            })
        };
        tokio::select! {
            biased;
            _ = ask() => panic!("the database has not answered yet"),
            () = tokio::task::yield_now() => (),
        }
        gate.notify_one();
        assert!(ask().await);
        assert_eq!(asked.load(Ordering::SeqCst), 1);
    }
}
