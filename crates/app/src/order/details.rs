//! Everything that is known of one order.

use cabinet_domain::{NotaryId, TimelineEntry, Transfer, timeline};
use cabinet_storage::operator::erasure;
use cabinet_storage::order::order_events;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};

use super::{OrderView, Orders};
use crate::kernel::refusal::Result;

/// An order with its transfers and what happened to it.
#[derive(Clone, Debug)]
pub struct OrderDetails {
    /// The order with its items.
    pub view: OrderView,
    /// Its transfers, by document number. None once its names were taken out.
    pub transfers: Vec<Transfer>,
    /// What happened, the earliest first.
    pub timeline: Vec<TimelineEntry>,
}

impl Orders {
    /// Returns everything that is known of an order of the notary. The acquirer is not asked.
    ///
    /// # Errors
    /// `order_not_found`.
    pub async fn details(&self, notary: NotaryId, order: &str) -> Result<OrderDetails> {
        let view = self.view(notary, order, false).await?;
        let id = view.order.id;
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let transfers = if erasure::is_anonymised(tx, id)? {
                Vec::new()
            } else {
                transfers::of_order(tx, id)?
            };
            Ok((transfers, order_events::of_order(tx, id)?))
        };
        let (mut transfers, events) = self.store.read(read).await?;
        transfers.sort_by_key(|transfer| transfer.document_number);
        Ok(OrderDetails {
            timeline: timeline(&view.order, &events, &transfers),
            transfers,
            view,
        })
    }
}
