//! Where receipts are sent by e-mail, with the consents to it.

use cabinet_domain::{OrderId, ReceiptConsent};
use jiff::Timestamp;

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// Stores a consent, in place of an earlier one of the order.
pub fn keep(tx: &mut Tx, consent: &ReceiptConsent) -> Result<()> {
    tx.execute(
        "insert into receipt_consents (order_id, email, locale, given_by, given_at) values (?1, ?2, ?3, ?4, ?5)
         on conflict (order_id) do update set email = excluded.email, locale = excluded.locale, given_by = excluded.given_by,
             given_at = excluded.given_at",
        params![
            consent.order_id,
            consent.email,
            consent.locale,
            consent.given_by,
            consent.given_at,
        ],
    )
    .map(|_| ())
}

/// Returns whether there is a consent of an order. Reads nothing of it: a spoilt address must not keep a payment from being recorded.
pub fn is_given(tx: &mut Tx, order: OrderId) -> Result<bool> {
    let sql = "select exists (select 1 from receipt_consents where order_id = ?1) as given";
    tx.row(sql, params![order], |row| row.next())
}

/// Returns the consent of an order.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Option<ReceiptConsent>> {
    tx.row_optional(
        "select order_id, email, locale, given_by, given_at from receipt_consents where order_id = ?1",
        params![order],
        |row| {
            Ok(ReceiptConsent {
                order_id: row.next()?,
                email: row.next()?,
                locale: row.next()?,
                given_by: row.next()?,
                given_at: row.next()?,
            })
        },
    )
}

/// Deletes the consent of an order. Returns false where there is none.
pub fn delete(tx: &mut Tx, order: OrderId) -> Result<bool> {
    let sql = "delete from receipt_consents where order_id = ?1";
    Ok(tx.execute(sql, params![order])? > 0)
}

/// Deletes the consents of orders that have not changed since a moment, and of which nothing is on its way.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from receipt_consents where given_at < ?1 and order_id in (select o.id from orders o where o.updated_at < ?1)
             and not exists (select 1 from transfers t where t.order_id = receipt_consents.order_id and t.updated_at >= ?1)",
        params![before],
    )
}
