//! Looking for the orders of all notaries, for the support. Nothing here is bounded by a notary, so each search says how many orders it
//! returns at most: the newest ones.

use cabinet_domain::payment::InvoiceId;
use cabinet_domain::{Inn, Line, Money, NotaryId, Order};
use jiff::Timestamp;
use uuid::Uuid;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::{Value, params};
use crate::order::orders::{ORDER_COLUMNS, read};

/// Returns the newest orders of a notary.
pub fn of_notary(tx: &mut Tx, notary: NotaryId, limit: u32) -> Result<Vec<Order>> {
    found(tx, "where o.notary_id = ?2", params![limit, notary])
}

/// Returns the newest orders of the clients with a code, whoever pays for them.
pub fn of_client_code(tx: &mut Tx, inn: &Inn, limit: u32) -> Result<Vec<Order>> {
    found(tx, "where c.inn = ?2", params![limit, inn])
}

/// Returns the orders of which an id is known: of the order, an item, an attempt, a refund, a transfer, our reference at the acquirer or
/// a UETR.
pub fn under_id(tx: &mut Tx, id: Uuid, limit: u32) -> Result<Vec<Order>> {
    let text = id.hyphenated().to_string();
    let sql = "join (select s.id as order_id from orders s where s.id = ?2
         union select a.order_id from attempts a where a.id = ?2 or a.reference = ?2
         union select i.order_id from order_items i where i.id = ?2
         union select r.order_id from refunds r where r.id = ?2
         union select t.order_id from transfers t where t.id = ?2
         union select u.order_id from transfers u where u.uetr = ?3) f on f.order_id = o.id";
    found(tx, sql, params![limit, id, text])
}

/// Returns the orders of which a bank names something: the acquirer's invoice, the reference of the card operation (RRN), the bank's
/// reference of a transfer or the number of its document.
pub fn under_reference(tx: &mut Tx, reference: &Line, limit: u32) -> Result<Vec<Order>> {
    let invoice = InvoiceId::parse(reference.as_str());
    // No document has the number 0.
    let document = reference.as_str().parse::<i64>().unwrap_or(0);
    let sql = "join (select a.order_id as order_id from attempts a where a.invoice_id = ?2
         union select r.order_id from attempts r where r.rrn = ?3
         union select t.order_id from transfers t where t.bank_reference = ?3
         union select b.order_id from transfers b where b.booking_reference = ?3
         union select d.order_id from transfers d where d.document_number = ?4) f on f.order_id = o.id";
    found(tx, sql, params![limit, invoice, reference, document])
}

/// Returns the orders of a sum that somebody began to pay, or whose card was charged, from one moment to before another.
pub fn of_sum_between(
    tx: &mut Tx,
    sum: Money,
    from: Timestamp,
    to: Timestamp,
    limit: u32,
) -> Result<Vec<Order>> {
    let sql = "join (select a.order_id as order_id from attempts a where a.created_at >= ?3 and a.created_at < ?4 and a.amount = ?2
         union select g.order_id from attempts g where g.charged_at >= ?3 and g.charged_at < ?4 and g.amount = ?2) f on f.order_id = o.id";
    found(tx, sql, params![limit, sum, from, to])
}

/// Returns the newest orders `o` with a client `c` that a join or a condition lets through. The first parameter is how many at most.
fn found(tx: &mut Tx, which: &str, params: &[Value<'_>]) -> Result<Vec<Order>> {
    let sql = format!(
        "select {ORDER_COLUMNS} from orders o join clients c on c.id = o.client_id {which}
         order by o.created_at desc, o.id desc limit ?1"
    );
    tx.rows(&sql, params, read)
}
