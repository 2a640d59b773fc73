//! The last commits that this process was told of: whether a server that is connected to anew has them.
//!
//! A standby that becomes the leader may lack what the leader before it had acknowledged. Each connection keeps a row of its own, so that none
//! waits for another, and writes it with each commit. What a process remembers and the database lacks is lost, and with it all that any process
//! committed later.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use cabinet_domain::Clock;
use uuid::Uuid;

use super::Session;
use crate::engine::access::Access;
use crate::engine::counters;
use crate::engine::error::{Result, StorageError};
use crate::engine::restored::{
    Identity, identity_of_postgres, is_known, look_for_lost, take_for_copy,
};
use crate::engine::tx::Tx;

/// A commit that was sent so long before another one stands before it in the log of the database, in microseconds. So it need not be looked for.
const SURELY_BEFORE: i64 = 3_600_000_000;

/// What a process remembers of its commits.
#[derive(Default)]
pub(crate) struct LastCommits {
    /// `None` while no server has started: commands leave a copy as it is.
    following: OnceLock<Following>,
    /// The last commit of each connection: when it was sent, in microseconds.
    told: Mutex<BTreeMap<usize, i64>>,
    /// Held while the database is prepared, because connections come back together.
    preparing: Mutex<()>,
    has_found: AtomicBool,
}

struct Following {
    clock: Arc<dyn Clock>,
    process: Uuid,
}

impl LastCommits {
    pub(crate) fn follow(&self, clock: Arc<dyn Clock>, process: Uuid) {
        // A second call changes nothing.
        let _ = self.following.set(Following { clock, process });
    }

    pub(crate) fn take_found(&self) -> bool {
        self.has_found.swap(false, Ordering::SeqCst)
    }

    /// Returns what the connection with this number keeps and compares.
    pub(super) fn witness(self: &Arc<Self>, connection: usize) -> Witness {
        Witness {
            connection,
            all: Arc::clone(self),
        }
    }

    fn told(&self) -> MutexGuard<'_, BTreeMap<usize, i64>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compares the database with what is known of it, first with what this process was told.
    fn compare(&self, tx: &mut Tx, following: &Following) -> Result<Compared> {
        let told = self.told().clone();
        let identity = match in_transaction(tx, Access::Read, identity_of_postgres) {
            Ok(identity) => Some(identity),
            // The server does not grant access to the needed functions.
            Err(StorageError::Statement(_)) => None,
            Err(error) => return Err(error),
        };
        let process = following.process;
        in_transaction(tx, Access::Read, |tx| {
            let known = counters::database_identity(tx)?;
            let is_same = match (identity, known) {
                (Some(identity), Some(known)) => identity.is(known),
                _ => true,
            };
            let kept = counters::last_commits(tx, process)?;
            Ok(Compared {
                identity,
                is_same,
                lost: missing(&told, &kept),
            })
        })
    }

    /// Forgets commits that are known to be lost.
    fn forget(&self, lost: &BTreeMap<usize, i64>) {
        self.told()
            .retain(|connection, at| lost.get(connection) != Some(at));
    }

    fn found(&self, number: i64, is_lost: bool) {
        self.has_found.store(true, Ordering::SeqCst);
        if is_lost {
            tracing::error!(
                order.number = number,
                "The database has lost its last commits: order numbers go on after {number}, and what is missing is looked for in the acquirer's statement. Transfers are not exported until they were compared with the bank's lists: cabinet transfers resume --compared"
            );
        } else {
            tracing::warn!(
                order.number = number,
                "Another server of the database leads: what this process has committed is there; order numbers go on after {number}, and what others may have lost is looked for in the acquirer's statement"
            );
        }
    }
}

struct Compared {
    identity: Option<Identity>,
    /// Whether it is the server and database that was in use.
    is_same: bool,
    /// The commits that are missing.
    lost: BTreeMap<usize, i64>,
}

impl Compared {
    fn is_as_left(&self) -> bool {
        self.is_same && self.lost.is_empty()
    }
}

/// Returns which of the commits that were told a database lacks.
fn missing(told: &BTreeMap<usize, i64>, kept: &BTreeMap<usize, i64>) -> BTreeMap<usize, i64> {
    let newest = told.values().max().copied().unwrap_or_default();
    told.iter()
        .filter(|(_, at)| **at > newest - SURELY_BEFORE)
        .filter(|(connection, at)| kept.get(connection).is_none_or(|kept| kept < at))
        .map(|(connection, at)| (*connection, *at))
        .collect()
}

/// One connection of a process.
#[derive(Clone)]
pub(super) struct Witness {
    connection: usize,
    all: Arc<LastCommits>,
}

impl Witness {
    /// Compares the database of a new connection, before anything else is done there, and prepares one that may lack commits. Returns
    /// whether it did: numbers were skipped.
    pub(super) fn compare(&self, tx: &mut Tx) -> Result<bool> {
        let Some(following) = self.all.following.get() else {
            return Ok(false);
        };
        if self.all.compare(tx, following)?.is_as_left() {
            return Ok(false);
        }
        let preparing = self.all.preparing.lock();
        let _preparing = preparing.unwrap_or_else(PoisonError::into_inner);
        // Another connection may have prepared it meanwhile.
        let compared = self.all.compare(tx, following)?;
        if compared.is_as_left() {
            return Ok(false);
        }
        let (now, is_lost) = (following.clock.now(), !compared.lost.is_empty());
        let prepared = in_transaction(tx, Access::Write, |tx| {
            let is_known = match compared.identity {
                Some(identity) => is_known(tx, identity, now)?,
                None => true,
            };
            Ok(match (is_lost, is_known) {
                (true, _) => Some(take_for_copy(tx, now)?.unwrap_or_default()),
                (false, false) => Some(look_for_lost(tx, now)?.unwrap_or_default()),
                (false, true) => None,
            })
        })?;
        if let Some(number) = prepared {
            self.all.forget(&compared.lost);
            self.all.found(number, is_lost);
        }
        Ok(prepared.is_some())
    }

    /// Commits, and remembers it where something was written. After an error the commit may have happened: see
    /// [`StorageError::OutcomeUnknown`].
    pub(super) fn commit(&self, session: &mut Session) -> Result<()> {
        let Some(following) = self.all.following.get() else {
            return session.commit();
        };
        let before = self.all.told().get(&self.connection).copied();
        let now = following.clock.now().as_microsecond();
        // Also when the clock is set back.
        let at = before.map_or(now, |before| now.max(before + 1));
        let keep = counters::keep_last_commit(following.process, self.connection, at);
        if session.commit_after(&keep)? == 1 {
            self.all.told().insert(self.connection, at);
        }
        Ok(())
    }
}

/// Runs work in a transaction of its own, on a connection that nothing else uses.
fn in_transaction<T>(
    tx: &mut Tx,
    access: Access,
    work: impl FnOnce(&mut Tx) -> Result<T>,
) -> Result<T> {
    tx.set_access(access);
    session(tx)?.begin(access)?;
    let done = work(tx);
    // What failed is told here, and not taken for a fault of the unit of work that comes.
    let _ = tx.take_fault();
    match done {
        Ok(done) => match session(tx)?.commit() {
            Ok(()) => Ok(done),
            // The unit of work that comes has not begun. What was prepared here is compared again.
            Err(StorageError::OutcomeUnknown) => Err(StorageError::Unavailable(
                "the connection is lost".to_owned(),
            )),
            Err(error) => Err(error),
        },
        Err(error) => {
            session(tx)?.rollback()?;
            Err(error)
        }
    }
}

fn session(tx: &mut Tx) -> Result<&mut Session> {
    tx.postgres().ok_or(StorageError::Closed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_missed_where_its_row_is_older_or_gone() {
        let rows = |rows: &[(usize, i64)]| rows.iter().copied().collect::<BTreeMap<_, _>>();
        let now = 10 * SURELY_BEFORE;
        let told = rows(&[(0, now), (1, now - 5), (2, now - SURELY_BEFORE)]);
        assert_eq!(missing(&told, &told), rows(&[]));
        assert_eq!(missing(&rows(&[]), &told), rows(&[]), "a first connection");
        let newer = rows(&[(0, now + 1), (1, now)]);
        assert_eq!(missing(&told, &newer), rows(&[]), "an hour before");
        let older = rows(&[(0, now), (1, now - 6)]);
        assert_eq!(missing(&told, &older), rows(&[(1, now - 5)]));
        assert_eq!(missing(&told, &rows(&[(1, now)])), rows(&[(0, now)]));
    }
}
