//! Looking for the orders of all notaries, for the support. Nothing here is bounded by a notary.

use cabinet_domain::payment::InvoiceId;
use cabinet_domain::{Inn, Line, Money, NotaryId, Order, OrderId};
use jiff::Timestamp;
use uuid::Uuid;

use crate::error::Result;
use crate::orders;
use crate::tx::Tx;
use crate::value::{Value, params};

/// Returns the newest orders of a notary.
pub fn of_notary(tx: &mut Tx, notary: NotaryId, limit: u32) -> Result<Vec<Order>> {
    let sql = "select o.id from orders o where o.notary_id = ?1 order by o.created_at desc, o.id desc limit ?2";
    found(tx, sql, params![notary, limit])
}

/// Returns the newest orders of the clients with a code, whoever pays for them.
pub fn of_client_code(tx: &mut Tx, inn: &Inn, limit: u32) -> Result<Vec<Order>> {
    let sql = "select o.id from clients c join orders o on o.client_id = c.id where c.inn = ?1
               order by o.created_at desc, o.id desc limit ?2";
    found(tx, sql, params![inn, limit])
}

/// Returns the orders of which an id is known: of the order, an item, an attempt, a refund, a transfer, our reference at the acquirer or
/// a UETR.
pub fn under_id(tx: &mut Tx, id: Uuid) -> Result<Vec<Order>> {
    let text = id.hyphenated().to_string();
    let sql = "select o.id from orders o where o.id = ?1
         union select a.order_id from attempts a where a.id = ?1 or a.reference = ?1
         union select i.order_id from order_items i where i.id = ?1
         union select r.order_id from refunds r where r.id = ?1
         union select t.order_id from transfers t where t.id = ?1
         union select u.order_id from transfers u where u.uetr = ?2";
    found(tx, sql, params![id, text])
}

/// Returns the orders of which a bank names something: the acquirer's invoice, the reference of the card operation (RRN), the bank's
/// reference of a transfer or the number of its document.
pub fn under_reference(tx: &mut Tx, reference: &Line) -> Result<Vec<Order>> {
    let invoice = InvoiceId::parse(reference.as_str());
    // No document has the number 0.
    let document = reference.as_str().parse::<i64>().unwrap_or(0);
    let sql = "select a.order_id from attempts a where a.invoice_id = ?1
         union select r.order_id from attempts r where r.rrn = ?2
         union select t.order_id from transfers t where t.bank_reference = ?2
         union select d.order_id from transfers d where d.document_number = ?3";
    found(tx, sql, params![invoice, reference, document])
}

/// Returns the orders of a sum that somebody began to pay, or whose card was charged, from one moment to before another.
pub fn of_sum_between(
    tx: &mut Tx,
    sum: Money,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<Order>> {
    let sql = "select a.order_id from attempts a where a.created_at >= ?2 and a.created_at < ?3 and a.amount = ?1
         union select c.order_id from attempts c where c.charged_at >= ?2 and c.charged_at < ?3 and c.amount = ?1";
    found(tx, sql, params![sum, from, to])
}

/// Returns the orders with the ids that a statement finds.
fn found(tx: &mut Tx, sql: &str, params: &[Value<'_>]) -> Result<Vec<Order>> {
    let ids: Vec<OrderId> = tx.rows(sql, params, |row| row.next())?;
    let mut all = Vec::with_capacity(ids.len());
    for id in ids {
        all.extend(orders::by_id(tx, id)?);
    }
    all.sort_by_key(|order| std::cmp::Reverse((order.created_at, order.id)));
    Ok(all)
}
