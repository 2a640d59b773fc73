//! Finding an order by the id of a request.

use cabinet_domain::{Key, NotaryId, Order, OrderId, Transfer, TransferId};
use cabinet_storage::operator::erasure;
use cabinet_storage::order::orders;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Store, Tx};

use crate::kernel::refusal::{Refusal, Result};

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

/// Returns a transfer of the notary with its order.
pub(crate) fn own_transfer(
    tx: &mut Tx,
    notary: NotaryId,
    transfer: TransferId,
) -> Result<Option<(Order, Transfer)>, StorageError> {
    let Some(found) = transfers::by_id(tx, transfer)? else {
        return Ok(None);
    };
    if erasure::is_anonymised(tx, found.order_id)? {
        return Ok(None);
    }
    Ok(orders::order_of(tx, notary, found.order_id)?.map(|order| (order, found)))
}

/// There is no such transfer, or it belongs to another notary.
pub(crate) fn transfer_id(text: &str) -> Result<TransferId> {
    TransferId::parse(text).ok_or_else(|| not_found().into())
}
