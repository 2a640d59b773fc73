//! Finding an order by the id of a request.

use cabinet_domain::{Key, NotaryId, Order, OrderId};
use cabinet_storage::{Store, orders};

use crate::refusal::{Refusal, Result};

/// Returns an order of the notary.
///
/// # Errors
/// `order_not_found`, also for the order of another notary.
pub(crate) async fn own_order(store: &Store, notary: NotaryId, order: &str) -> Result<Order> {
    let id = OrderId::parse(order).ok_or_else(not_found)?;
    let found = store
        .read(move |tx| orders::order_of(tx, notary, id))
        .await?;
    found.ok_or_else(|| not_found().into())
}

/// There is no such order, or it belongs to another notary.
pub(crate) fn not_found() -> Refusal {
    Refusal::not_found(Key::OrderNotFound)
}
