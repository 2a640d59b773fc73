//! Telling open pages of orders whose transfers were changed by a file. The operator's command is another process, so the server
//! looks for what it has changed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use cabinet_domain::{Clock, OrderId};
use cabinet_storage::{StorageError, Tx, transfers};
use jiff::{SignedDuration, Timestamp};

use crate::realtime::Realtime;
use crate::refusal::Result;

/// How long after its beginning an import is looked for: longer than the longest one takes.
const IMPORTS_SEEN_WITHIN: SignedDuration = SignedDuration::from_mins(5);

/// Tells open pages of imported answers of banks.
#[derive(Clone)]
pub struct TransferNews {
    clock: Arc<dyn Clock>,
    realtime: Realtime,
    /// What was told already, so that each change is told once.
    told: Arc<Mutex<BTreeSet<(Timestamp, OrderId)>>>,
}

impl TransferNews {
    pub(crate) fn new(clock: Arc<dyn Clock>, realtime: Realtime) -> TransferNews {
        TransferNews {
            clock,
            realtime,
            told: Arc::default(),
        }
    }

    /// Publishes every order whose transfers a file has changed lately and that was not published yet.
    pub async fn publish_imported(&self) -> Result<()> {
        let since = self.clock.now() - IMPORTS_SEEN_WITHIN;
        let read =
            move |tx: &mut Tx| -> Result<_, StorageError> { transfers::imported_since(tx, since) };
        let changed: BTreeSet<_> = self.realtime.store.read(read).await?.into_iter().collect();
        let fresh: BTreeSet<OrderId> = {
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            let fresh = changed.difference(&told).map(|(_, order)| *order).collect();
            *told = changed;
            fresh
        };
        for order in fresh {
            self.realtime.publish_order(order).await;
        }
        Ok(())
    }
}
