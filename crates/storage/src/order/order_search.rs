//! Looking for the orders of all notaries, for the support. Nothing here is bounded by a notary, so each search says how many orders it
//! returns at most: the newest ones.

use cabinet_domain::payment::InvoiceId;
use cabinet_domain::{Inn, Line, Money, NotaryId, Order};
use jiff::Timestamp;
use uuid::Uuid;

use crate::engine::error::Result;
use crate::engine::search::pattern;
use crate::engine::tx::Tx;
use crate::engine::value::{Bind as _, Value, params};
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

/// Returns which of the numbers are references of payments here: of a card operation (RRN), or the bank's reference of a transfer.
pub fn known_references(tx: &mut Tx, numbers: &[String]) -> Result<Vec<String>> {
    let mut known = Vec::new();
    for number in numbers {
        let sql = "select 1 from attempts where rrn = ?1
             union select 1 from transfers where bank_reference = ?1
             union select 1 from transfers where booking_reference = ?1";
        if !tx
            .rows(sql, params![number.as_str()], |row| row.next::<i64>())?
            .is_empty()
        {
            known.push(number.clone());
        }
    }
    Ok(known)
}

/// What orders of some days are looked for by. What is `None`, or empty, is not asked for.
#[derive(Clone, Debug)]
pub struct SoughtOfDays {
    /// The beginning of the first day.
    pub from: Timestamp,
    /// The end of the last day, which is not one of them.
    pub until: Timestamp,
    /// The words of the client's name, folded: each is a part of it.
    pub name: Vec<String>,
    /// The last four digits of the card that was charged.
    pub card_end: Option<String>,
    /// The charged sum, or what the fees of the order come to without the commission.
    pub sum: Option<Money>,
}

/// Returns the newest orders that were made, paid, begun to be paid or charged on some days. The index of the latest changes bounds what is read:
/// nothing happens to an order after its latest change.
pub fn of_days(tx: &mut Tx, sought: &SoughtOfDays, limit: u32) -> Result<Vec<Order>> {
    let names: Vec<String> = sought.name.iter().map(|word| pattern(word)).collect();
    let card = sought.card_end.as_ref().map(|end| pattern_of_end(end));
    let mut values = params![limit, sought.from, sought.until].to_vec();
    let mut sql = "where o.updated_at >= ?2 and o.created_at < ?3
         and (o.created_at >= ?2 or o.paid_at >= ?2 and o.paid_at < ?3
             or exists (select 1 from attempts a where a.order_id = o.id
                 and (a.created_at >= ?2 and a.created_at < ?3 or a.charged_at >= ?2 and a.charged_at < ?3)))"
        .to_owned();
    for name in &names {
        values.push(name.value());
        sql.push_str(&format!(
            " and c.search_key like ?{} escape '\\'",
            values.len()
        ));
    }
    if let Some(card) = &card {
        values.push(card.value());
        sql.push_str(&format!(" and o.pan like ?{}", values.len()));
    }
    if let Some(sum) = &sought.sum {
        values.push(sum.value());
        let number = values.len();
        sql.push_str(&format!(
            " and (o.sum = ?{number} or exists (select 1 from attempts b where b.order_id = o.id and b.amount = ?{number})
                 or (select cast(sum(i.count * i.amount) as bigint) from order_items i where i.order_id = o.id) = ?{number})"
        ));
    }
    found(tx, &sql, &values)
}

/// Returns a `like` pattern for digits at the end.
fn pattern_of_end(digits: &str) -> String {
    format!("%{digits}")
}

/// Returns the newest orders `o` with a client `c` that a join or a condition lets through. The first parameter is how many at most.
fn found(tx: &mut Tx, which: &str, params: &[Value<'_>]) -> Result<Vec<Order>> {
    let sql = format!(
        "select {ORDER_COLUMNS} from orders o join clients c on c.id = o.client_id {which}
         order by o.created_at desc, o.id desc limit ?1"
    );
    tx.rows(&sql, params, read)
}
