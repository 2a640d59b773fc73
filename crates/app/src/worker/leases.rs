//! Work of which one process at a time should do its rounds.
//!
//! Doing it twice is harmless: each step locks what it changes. A lease saves the calls and the reading.

use std::sync::Arc;

use cabinet_domain::Clock;
use cabinet_storage::worker::leases;
use cabinet_storage::{Store, Tx};
use jiff::SignedDuration;

use crate::kernel::refusal::Result;

/// A lease that ends so much later than it could was taken while the clock was ahead.
const LEASE_AHEAD_MAX: SignedDuration = SignedDuration::from_mins(10);

/// A piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeasedWork {
    /// Removing old rows, and what else is done once a minute.
    Tidying,
    /// Comparing payments with the acquirer's statement.
    Statement,
    /// Telling the acquirer to forget removed cards.
    RemovedCards,
}

impl LeasedWork {
    fn name(self) -> &'static str {
        match self {
            LeasedWork::Tidying => "tidying",
            LeasedWork::Statement => "statement",
            LeasedWork::RemovedCards => "removed_cards",
        }
    }

    /// How long others wait for a process that has died: longer than a piece of the work takes, and the pause before the next.
    fn time(self) -> SignedDuration {
        match self {
            LeasedWork::Tidying | LeasedWork::RemovedCards => SignedDuration::from_mins(5),
            LeasedWork::Statement => SignedDuration::from_mins(10),
        }
    }
}

/// Shares work out among processes.
#[derive(Clone)]
pub struct Leases {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    /// Random for each start of a process.
    pub(crate) process_name: Arc<str>,
}

impl Leases {
    /// Takes a piece of work, or keeps it. Returns false while another process has it.
    ///
    /// # Errors
    /// The database can't be used.
    pub async fn take(&self, work: LeasedWork) -> Result<bool> {
        let (now, holder) = (self.clock.now(), Arc::clone(&self.process_name));
        let write = move |tx: &mut Tx| {
            let until = now + work.time();
            leases::take(tx, work.name(), &holder, now, until, LEASE_AHEAD_MAX)
        };
        Ok(self.store.write(write).await?)
    }
}
