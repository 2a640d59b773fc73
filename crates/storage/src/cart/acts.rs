//! The notarial acts of the groups of a cart, row by row. `cart` changes them, `orders` takes them over.

use cabinet_domain::{ClientId, NotarialAct};

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedNotary;

/// Reads number, day and object, in this order.
pub(crate) fn read(row: &mut Row<'_>) -> Result<NotarialAct> {
    Ok(NotarialAct {
        register_number: row.next()?,
        date: row.next()?,
        object: row.next()?,
    })
}

/// Returns the day as it is stored.
pub(crate) fn day(act: &NotarialAct) -> Option<String> {
    act.date.map(|date| date.to_string())
}

/// Returns what is known of the act of a client's group, and removes it from the cart. The notary is locked.
pub(crate) fn take_from_cart(tx: &mut Tx, client: ClientId) -> Result<NotarialAct> {
    let sql = "select register_number, act_on, object from cart_acts where client_id = ?1";
    let act = tx.row_optional(sql, params![client], read)?;
    remove_from_cart(tx, client)?;
    Ok(act.unwrap_or_default())
}

/// Removes what is known of the act of a client's group. The notary is locked.
pub(crate) fn remove_from_cart(tx: &mut Tx, client: ClientId) -> Result<()> {
    let sql = "delete from cart_acts where client_id = ?1";
    tx.execute(sql, params![client]).map(|_| ())
}

/// Deletes the acts of groups that have no items any more, those that can be restored included.
pub(crate) fn purge_unused(tx: &mut Tx, notary: &LockedNotary) -> Result<()> {
    tx.execute(
        "delete from cart_acts where notary_id = ?1
             and not exists (select 1 from cart_items i where i.client_id = cart_acts.client_id)",
        params![notary],
    )
    .map(|_| ())
}
