//! `GET /order/item/{id}/repeat`: the data that prefills the form with an earlier payment.

use cabinet_domain::{ItemContent, ItemId, NotaryId, Order, OrderItem};
use cabinet_storage::StorageError;
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;

use super::Orders;
use crate::cart::{OfferedToday, OwnCodes, offered_today};
use crate::kernel::refusal::Result;
use crate::order::own_order::not_found;

/// An earlier item, and what of it is available today.
#[derive(Clone, Debug)]
pub struct RepeatView {
    /// Its order.
    pub order: Order,
    /// The item.
    pub item: OrderItem,
    /// What of it is still offered.
    pub offered: OfferedToday,
}

impl Orders {
    /// Returns an earlier payment of the notary.
    ///
    /// # Errors
    /// `order_not_found`.
    pub async fn repeat(&self, notary: NotaryId, item: &str) -> Result<RepeatView> {
        let id = ItemId::parse(item).ok_or_else(not_found)?;
        let found = self
            .store
            .read(move |tx| match orders::item_of(tx, notary, id)? {
                // There is nobody left for whom it could be repeated.
                Some((order, _)) if erasure::is_anonymised(tx, order.id)? => Ok(None),
                Some(found) => Ok(Some((found, OwnCodes::read(tx, notary)?))),
                None => Ok::<_, StorageError>(None),
            })
            .await?;
        let ((order, item), own_codes) = found.ok_or_else(not_found)?;
        let reference = self.reference.current()?;
        // A repeated payment is one for this year, whatever the earlier one was for.
        let content = ItemContent {
            filing_year: None,
            ..item.content.clone()
        };
        let offered = offered_today(&content, &reference, &own_codes, self.clock.now());
        Ok(RepeatView {
            order,
            item,
            offered,
        })
    }
}
