//! What becomes of stored deals when payments or people are deleted.

use cabinet_domain::{ClientId, NotaryId, OrderId};

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedNotary;

/// Deletes a notary's deals that no item of the cart and no order comes from.
pub(crate) fn purge_unused(tx: &mut Tx, notary: &LockedNotary) -> Result<()> {
    tx.execute(
        "delete from deal_items where deal_id in (select id from deals where notary_id = ?1)
             and not exists (select 1 from cart_items i where i.id = deal_items.item_id)
             and not exists (select 1 from order_items i where i.id = deal_items.item_id)",
        params![notary],
    )?;
    let unused = "(select d.id from deals d where d.notary_id = ?1
                       and not exists (select 1 from deal_items i where i.deal_id = d.id))";
    for statement in [
        format!("delete from deal_answers where deal_id in {unused}"),
        format!("delete from deal_payments where deal_id in {unused}"),
        "delete from deals where notary_id = ?1
             and not exists (select 1 from deal_items i where i.deal_id = deals.id)"
            .to_owned(),
    ] {
        tx.execute(&statement, params![notary])?;
    }
    Ok(())
}

/// Replaces the notary's reasons, which may name somebody, in the deals of an order.
pub(crate) fn forget_reasons_of_order(tx: &mut Tx, order: OrderId, by: &str) -> Result<()> {
    tx.execute(
        "update deal_payments set reason = ?2 where reason is not null and deal_id in
             (select d.deal_id from order_items i join deal_items d on d.item_id = i.id where i.order_id = ?1)",
        params![order, by],
    )
    .map(|_| ())
}

/// Replaces the notary's reasons in the deals with an item in a client's group of the cart.
pub(crate) fn forget_reasons_of_client(
    tx: &mut Tx,
    notary: NotaryId,
    client: ClientId,
    by: &str,
) -> Result<()> {
    tx.execute(
        "update deal_payments set reason = ?3 where reason is not null and deal_id in
             (select d.deal_id from cart_items i join deal_items d on d.item_id = i.id
              where i.notary_id = ?1 and i.client_id = ?2)",
        params![notary, client, by],
    )
    .map(|_| ())
}
