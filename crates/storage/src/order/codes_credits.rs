//! Parts of notaries that the statements of their own banks tell as credited (decision 34).

use cabinet_domain::{CodesCredit, Iban, ItemId, Line, NotaryId};

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedOrder;
use crate::order::order_list::{ListedOrder, with_items};
use crate::order::orders::{ORDER_COLUMNS, read};

/// Returns the orders of a notary whose QR codes were given out, with their items: the newest, at most `limit`. Without those that were
/// given up, and those that lost their names.
pub fn coded_orders(tx: &mut Tx, notary: NotaryId, limit: u32) -> Result<Vec<ListedOrder>> {
    let sql = format!(
        "select {ORDER_COLUMNS} from orders o join clients c on c.id = o.client_id
         where o.notary_id = ?1 and o.codes_given_at is not null and o.cancelled_at is null
             and o.returned_to_cart_at is null and o.anonymised_at is null
         order by o.created_at desc, o.id desc limit ?2"
    );
    let orders = tx.rows(&sql, params![notary, i64::from(limit)], read)?;
    with_items(tx, orders)
}

/// Returns the references under which entries of an account have marked a payment.
pub fn references_of(tx: &mut Tx, account: &Iban) -> Result<Vec<Line>> {
    let sql = "select credited_reference from order_items where iban = ?1 and credited_reference is not null";
    tx.rows(sql, params![account], |row| row.next())
}

/// Records that the notary's part of a payment of an order is on her account. Returns false if the payment is marked already, or
/// the entry has marked another payment of this account.
pub fn record(
    tx: &mut Tx,
    order: &LockedOrder<'_>,
    item: ItemId,
    credit: &CodesCredit,
) -> Result<bool> {
    let sql = "update order_items set credited_on = ?2, credited_reference = ?3
               where id = ?1 and order_id = ?4 and credited_on is null
                   and not exists (select 1 from order_items o where o.iban = order_items.iban and o.credited_reference = ?3)";
    let day = credit.on.to_string();
    let changed = tx.execute(sql, params![item, day, credit.reference, order])?;
    Ok(changed > 0)
}

/// Takes back what statements have told of an order. Returns whether they had told anything.
pub fn forget(tx: &mut Tx, order: &LockedOrder<'_>) -> Result<bool> {
    let sql = "update order_items set credited_on = null, credited_reference = null
               where order_id = ?1 and credited_on is not null";
    Ok(tx.execute(sql, params![order])? > 0)
}
