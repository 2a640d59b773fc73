//! Taking the names out of orders that bookkeeping needs no longer.

use cabinet_domain::{AuditAction, ClientId, OrderId, Origin};
use cabinet_storage::operator::erasure::{self, Age};
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Store, Tx};
use jiff::Timestamp;

use crate::audit::AuditEntry;
use crate::documents::anonymise_facts;
use crate::kernel::ids::Ids;

/// Takes the names out of orders.
#[derive(Clone)]
pub(crate) struct Anonymiser {
    pub(crate) store: Store,
    pub(crate) ids: Ids,
}

impl Anonymiser {
    /// Takes the names out of at most `limit` orders of an age. Returns their number. Each order is a unit of work of its own, because
    /// it locks the notary. An order that can't be read does not keep the others from it.
    pub(crate) async fn run(
        &self,
        age: Age,
        now: Timestamp,
        origin: &Origin,
        limit: u32,
    ) -> Result<usize, StorageError> {
        let due = self
            .store
            .read_long(move |tx| erasure::due(tx, age, limit))
            .await?;
        let mut count = 0;
        for order in due {
            match self.anonymise(order, age, now, origin).await {
                Ok(true) => count += 1,
                Ok(false) => {}
                Err(error @ StorageError::Inconsistent { .. }) => {
                    tracing::error!(order.id = %order, %error, "An order can't lose its names");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }

    async fn anonymise(
        &self,
        order: OrderId,
        age: Age,
        now: Timestamp,
        origin: &Origin,
    ) -> Result<bool, StorageError> {
        let unit = self.ids.unit_at(now);
        let origin = origin.clone();
        let write = move |tx: &mut Tx| -> Result<bool, StorageError> {
            let mut unit = unit.clone();
            let fresh = ClientId::new(unit.new_id());
            if !erasure::anonymise(tx, order, fresh, age.before, now)? {
                return Ok(false);
            }
            let notary = orders::notary_of(tx, order)?;
            anonymise_facts(tx, order)?;
            AuditEntry::new(AuditAction::OrderAnonymised)
                .of_notary(notary)
                .on_order(order)
                .record(tx, &mut unit, &origin)?;
            Ok(true)
        };
        self.store.write(write).await
    }
}
