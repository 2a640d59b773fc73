//! For whom units of work are done, and how long they are waited for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use cabinet_domain::NotaryId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

tokio::task_local! {
    static CALLER: Caller;
}

/// For whom a task asks the database. The default is nobody who has a share or a limit: the worker and the commands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The notary, whose units of work have only a share of the connections to PostgreSQL.
    pub notary: Option<NotaryId>,
    /// How long each unit of work is waited for. Then the caller gets [`StorageError::TimedOut`](crate::StorageError::TimedOut) if nothing was
    /// written and will be, [`StorageError::OutcomeUnknown`](crate::StorageError::OutcomeUnknown) otherwise.
    pub waits_at_most: Option<Duration>,
}

impl Caller {
    /// Does some work for this caller. What the work spawns is done for nobody, unless it is told.
    pub async fn has_done<Work: Future>(self, work: Work) -> Work::Output {
        CALLER.scope(self, work).await
    }

    /// The caller of the current task.
    #[must_use]
    pub fn current() -> Caller {
        CALLER.try_with(|caller| *caller).unwrap_or_default()
    }
}

/// Which part of the connections one notary may have at a time: a quarter, but one at least. Her units of work wait for each other before
/// they get a connection, so that those of others find one while hers wait for a lock.
pub(crate) struct Shares {
    most: usize,
    of: Mutex<HashMap<NotaryId, Weak<Semaphore>>>,
}

impl Shares {
    pub(crate) fn new(connections: usize) -> Shares {
        Shares {
            most: (connections / 4).max(1),
            of: Mutex::default(),
        }
    }

    /// Waits for a place among those of the notary.
    pub(crate) async fn take(&self, notary: NotaryId) -> Option<OwnedSemaphorePermit> {
        self.of(notary).acquire_owned().await.ok()
    }

    fn of(&self, notary: NotaryId) -> Arc<Semaphore> {
        let mut all = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(places) = all.get(&notary).and_then(Weak::upgrade) {
            return places;
        }
        all.retain(|_, places| places.strong_count() > 0);
        let places = Arc::new(Semaphore::new(self.most));
        all.insert(notary, Arc::downgrade(&places));
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    fn notary(number: u128) -> NotaryId {
        NotaryId::parse(&uuid::Uuid::from_u128(number).to_string()).expect("an id")
    }

    #[test]
    fn a_notary_has_a_quarter_of_the_connections_and_takes_none_from_others() {
        for (connections, most) in [(1, 1), (4, 1), (8, 2), (30, 7)] {
            let shares = Shares::new(connections);
            let mut hers = Vec::new();
            while let Some(place) = shares.take(notary(1)).now_or_never() {
                hers.push(place.expect("places are never closed"));
            }
            assert_eq!(hers.len(), most, "{connections}");
            assert!(shares.take(notary(2)).now_or_never().is_some());
            hers.pop();
            assert!(shares.take(notary(1)).now_or_never().is_some());
        }
    }

    #[test]
    fn who_asks_no_more_is_forgotten() {
        let shares = Shares::new(4);
        for number in 0..100 {
            drop(shares.take(notary(number)).now_or_never());
        }
        assert_eq!(shares.of.lock().unwrap().len(), 1);
    }
}
