//! Tidying up: the worker removes old rows and tries again what failed.

use std::sync::Arc;

use cabinet_domain::Clock;
use cabinet_storage::{
    StorageError, Store, Tx, cart, login_operations, notaries, outbox, sessions,
};
use jiff::{SignedDuration, Timestamp};

use crate::outbox::Outbox;
use crate::payments::Settler;
use crate::refusal::Result;

/// A deleted item of a cart can be restored for so long.
const UNDO_TIME: SignedDuration = SignedDuration::from_hours(24);
/// A repeated request to add to a cart gets the first answer for so long.
const ADDITIONS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);
/// Login operations are kept for the limits of codes, and longer for questions of notaries.
const OPERATIONS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);
/// Ended sessions are kept for questions about logins.
const SESSIONS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 90);
/// Delivered rows of the outbox are kept without their text, for questions about deliveries.
const DELIVERED_KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Tidies up.
#[derive(Clone)]
pub struct Maintenance {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) settler: Settler,
    pub(crate) outbox: Outbox,
}

impl Maintenance {
    /// Removes old rows, plans transfers that could not be planned, and measures the outbox.
    pub async fn tidy_up(&self) -> Result<()> {
        let now = self.clock.now();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            cart::purge_additions(tx, now - ADDITIONS_KEPT)?;
            login_operations::purge(tx, now - OPERATIONS_KEPT)?;
            sessions::purge(tx, now - SESSIONS_KEPT)?;
            notaries::purge_unproven(tx, now - OPERATIONS_KEPT)?;
            outbox::purge(tx, now - DELIVERED_KEPT)?;
            Ok(())
        };
        self.store.write(write).await?;
        self.purge_carts(now - UNDO_TIME).await?;
        self.settler.plan_missing_transfers().await?;
        self.outbox.measure().await
    }

    /// Removes deleted items, and clients that nothing names any more. Each cart is a unit of work of its own, because its
    /// notary is locked.
    async fn purge_carts(&self, before: Timestamp) -> Result<()> {
        let read = move |tx: &mut Tx| cart::owners_of_deleted(tx, before);
        for notary in self.store.read(read).await? {
            let write = move |tx: &mut Tx| cart::purge_deleted(tx, notary, before);
            self.store.write(write).await?;
        }
        Ok(())
    }
}
