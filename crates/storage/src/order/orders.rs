//! Orders: the items of one client, paid at once.
//!
//! An order is the root of its attempts, events and transfers. Who changes what belongs to it locks it first ([`lock`], [`lock_of`]).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use cabinet_domain::payment::{InvoiceId, PaymentState};
use cabinet_domain::{
    BegunCancellation, CartGroup, Client, ClientId, CodesCredit, CodesPayment, GivenCodes, ItemId,
    MaskedPan, Money, NewOrder, NotarialAct, NotaryId, Order, OrderId, OrderItem, OrderStatus,
    fold_for_search,
};
use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Uuid;

use crate::address_book::clients;
use crate::cart::items::{self, COLUMNS};
use crate::cart::{self, acts};
use crate::engine::counters::next_order_number;
use crate::engine::error::{Result, StorageError};
use crate::engine::row::{Row, unless_damaged};
use crate::engine::search_index;
use crate::engine::tx::Tx;
use crate::engine::value::{Value, as_stored, params};
use crate::locks::{LockedNotary, LockedOrder, WithoutNotary, locked_order, locked_order_of};
use crate::order::item_search;
use crate::transfer::transfers::UNDELIVERED;

/// The columns of an order `o` and its client `c`, in the order of [`read`].
pub(crate) const ORDER_COLUMNS: &str = "o.id, o.number, o.notary_id, c.id as client_id, c.inn, c.full_name, o.status, o.created_at, \
    o.updated_at, o.paid_at, o.sum, o.locale, o.method, o.pan, o.idempotency_key, o.request_fingerprint, o.widget_url, \
    o.failure, o.payment_state, o.returned_to_cart_at, o.act_register_number, o.act_on, o.act_object, o.codes_given_at, \
    coalesce(o.codes_first_given_at, o.created_at) as codes_first_given_at, o.codes_paid_at, o.codes_paid_reference, o.cancelled_at";

/// Whether an order `o` is paid by its QR codes, as [`CodesState::pays`](cabinet_domain::CodesState::pays) says.
pub(crate) const PAID_BY_CODES: &str = "(o.codes_paid_at is not null and o.status in ('failed', 'expired', 'refunded') \
    and o.payment_state <> 'under_review')";

pub(crate) fn read(row: &mut Row<'_>) -> Result<Order> {
    Ok(Order {
        id: row.next()?,
        number: row.next()?,
        notary_id: row.next()?,
        client: clients::read(row)?,
        status: row.next()?,
        created_at: row.next()?,
        updated_at: row.next()?,
        paid_at: row.next()?,
        sum: row.next()?,
        locale: row.next()?,
        method: row.next()?,
        pan: row.next_shown()?,
        idempotency_key: row.next()?,
        request_fingerprint: row.next()?,
        payment_page_url: row.next()?,
        failure: row.next_shown()?,
        payment_state: row.next()?,
        returned_to_cart_at: row.next()?,
        act: acts::read(row)?,
        codes: read_codes(row)?,
        cancelled_at: row.next()?,
    })
}

fn read_codes(row: &mut Row<'_>) -> Result<Option<GivenCodes>> {
    let given_at: Option<Timestamp> = row.next()?;
    let first_given_at = row.next()?;
    let marked_at: Option<Timestamp> = row.next()?;
    let reference = row.next()?;
    Ok(given_at.map(|given_at| GivenCodes {
        given_at,
        first_given_at,
        payment: marked_at.map(|marked_at| CodesPayment {
            marked_at,
            reference,
        }),
    }))
}

static MOVE_ITEM: LazyLock<String> = LazyLock::new(|| {
    format!(
        "insert into order_items (id, order_id, position, created_at, {COLUMNS}, search_text)
         select id, ?2, ?3, created_at, {COLUMNS}, ?4 from cart_items where id = ?1 and deleted_at is null"
    )
});

/// Makes an order out of a group of the cart and removes the group from the cart. Returns it as locked: nobody else sees it yet.
///
/// The order is in progress and has the next number. In the same unit of work the caller has read the group, compared the prices with
/// today's, added up the items, and checked with [`by_idempotency_key`] that the key is new.
///
/// # Errors
/// Returns [`StorageError::Inconsistent`] if the items in the cart add up to another sum.
pub fn create_from_cart<'n>(
    tx: &mut Tx,
    notary: &'n LockedNotary,
    order: &NewOrder,
    group: &CartGroup,
) -> Result<(LockedOrder<'n>, Order)> {
    let CartGroup { client, act, items } = group;
    let inconsistent = || StorageError::Inconsistent {
        table: "orders".to_owned(),
        id: Some(order.id.to_string()),
        column: "sum".to_owned(),
        reason: "the sum to be charged is not that of the items in the cart".to_owned(),
    };
    if group.total() != Ok(order.sum) {
        return Err(inconsistent());
    }
    let number = next_order_number(tx)?;
    if !act.is_empty() {
        acts::remove_from_cart(tx, client.id)?;
    }
    tx.execute(
        "insert into orders (id, number, notary_id, client_id, status, created_at, updated_at, sum, locale, method, pan,
             idempotency_key, request_fingerprint, search_text, act_register_number, act_on, act_object)
         values (?1, ?2, ?3, ?4, 'in_progress', ?5, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        params![
            order.id,
            number,
            notary,
            client.id,
            order.created_at,
            order.sum,
            order.locale,
            order.method,
            order.pan,
            order.idempotency_key,
            order.request_fingerprint,
            search_text(client, number, act),
            act.register_number,
            acts::day(act),
            act.object,
        ],
    )?;
    for (position, item) in (1_i64..).zip(items) {
        let text = item_search::search_text(&item.content);
        let moved = tx.execute(&MOVE_ITEM, params![item.id, order.id, position, text])?;
        if moved != 1 {
            return Err(inconsistent());
        }
    }
    tx.execute(
        "delete from cart_items where id in (select id from order_items where order_id = ?1)",
        params![order.id],
    )?;
    search_index::keep_order(tx, order.id)?;
    cart::record_change(tx, notary)?;
    let created_at = as_stored(order.created_at);
    let made = Order {
        id: order.id,
        number,
        notary_id: notary.id(),
        client: client.clone(),
        status: OrderStatus::InProgress,
        created_at,
        updated_at: created_at,
        paid_at: None,
        sum: order.sum,
        locale: order.locale,
        method: order.method,
        pan: order.pan.clone().map(MaskedPan::from),
        idempotency_key: order.idempotency_key.clone(),
        request_fingerprint: order.request_fingerprint,
        payment_page_url: None,
        failure: None,
        payment_state: PaymentState::Unknown,
        returned_to_cart_at: None,
        act: act.clone(),
        codes: None,
        cancelled_at: None,
    };
    Ok((notary.made(order.id), made))
}

/// Returns the sum of a notary's orders for which a payment was begun or QR codes were given since a moment, and that are or may still be
/// paid, without one order if there is one to leave out. A failed order whose page is still open may be paid on it with another card.
pub fn sum_begun_since(
    tx: &mut Tx,
    notary: NotaryId,
    since: Timestamp,
    without: Option<OrderId>,
) -> Result<Money> {
    tx.row(
        "select cast(coalesce(sum(o.sum), 0) as bigint) as sum from orders o
         where o.notary_id = ?1 and (o.id <> ?3 or ?3 is null) and (o.status in ('in_progress', 'pending', 'paid')
                 or exists (select 1 from attempts b where b.order_id = o.id and b.state = 'accepted')
                 or o.codes_given_at > ?2)
             and (o.codes_given_at > ?2 or exists (select 1 from attempts a where a.order_id = o.id and a.created_at > ?2))",
        params![notary, since, without],
        |row| row.next(),
    )
}

/// Returns the text that a search looks into: name, code, number, and what is known of the act, folded like the search itself.
fn search_text(client: &Client, number: i64, act: &NotarialAct) -> String {
    let mut text = format!(
        "{} {} {number}",
        client.full_name.as_str(),
        client.inn.as_str()
    );
    for part in [&act.register_number, &act.object].into_iter().flatten() {
        text.push(' ');
        text.push_str(part.as_str());
    }
    if let Some(date) = act.date {
        text.push_str(&date.strftime(" %d.%m.%Y").to_string());
    }
    fold_for_search(&text)
}

/// Replaces what is known of the notarial act of an order, which `order` is as the lock has read it.
pub fn set_act(
    tx: &mut Tx,
    locked: &LockedOrder<'_>,
    order: &Order,
    act: &NotarialAct,
) -> Result<()> {
    tx.execute(
        "update orders set act_register_number = ?2, act_on = ?3, act_object = ?4, search_text = ?5 where id = ?1",
        params![
            locked,
            act.register_number,
            acts::day(act),
            act.object,
            search_text(&order.client, order.number, act),
        ],
    )?;
    search_index::keep_order(tx, locked.id())
}

/// Records that QR codes were given out. The latest moment counts: a page that was made between two of them was closed for the second.
pub fn record_codes(tx: &mut Tx, order: &LockedOrder<'_>, now: Timestamp) -> Result<()> {
    let sql = "update orders set codes_first_given_at = coalesce(codes_first_given_at, codes_given_at, ?2), codes_given_at = ?2
               where id = ?1";
    tx.execute(sql, params![order, now]).map(|_| ())
}

/// Records that the payer paid by the QR codes, or no longer that. The codes were given out. The order's names are kept for bookkeeping
/// from then on.
pub fn record_codes_payment(
    tx: &mut Tx,
    order: &LockedOrder<'_>,
    payment: Option<&CodesPayment>,
    now: Timestamp,
) -> Result<()> {
    let sql = "update orders set codes_paid_at = ?2, codes_paid_reference = ?3, updated_at = ?4 where id = ?1";
    let marked_at = payment.map(|payment| payment.marked_at);
    let reference = payment.and_then(|payment| payment.reference.as_ref());
    let values = params![order, marked_at, reference, now];
    tx.execute(sql, values).map(|_| ())
}

/// Records that somebody wants an order cancelled, whose page is now being closed. The latest wish counts.
pub fn begin_cancellation(
    tx: &mut Tx,
    order: &LockedOrder<'_>,
    wish: BegunCancellation,
) -> Result<()> {
    let sql = "update orders set cancel_begun_at = ?2, cancel_items = ?3, cancel_by_support = ?4 where id = ?1";
    let values = params![order, wish.at, wish.items, wish.by_support];
    tx.execute(sql, values).map(|_| ())
}

/// Removes the wish to cancel an order: it is cancelled now, or stays as it is.
pub fn end_cancellation(tx: &mut Tx, order: &LockedOrder<'_>) -> Result<()> {
    let sql =
        "update orders set cancel_begun_at = null, cancel_items = null, cancel_by_support = false
               where id = ?1 and cancel_begun_at is not null";
    tx.execute(sql, params![order]).map(|_| ())
}

/// Returns the cancellation of an order that was begun and has not ended.
pub fn begun_cancellation(tx: &mut Tx, order: OrderId) -> Result<Option<BegunCancellation>> {
    let sql = "select cancel_begun_at, cancel_items, cancel_by_support from orders
               where id = ?1 and cancel_begun_at is not null";
    tx.row_optional(sql, params![order], |row| {
        Ok(BegunCancellation {
            at: row.next()?,
            items: row.next()?,
            by_support: row.next()?,
        })
    })
}

/// Returns the orders with their notaries whose cancellation was begun before a moment and has not ended.
pub fn cancellations_begun_before(
    tx: &mut Tx,
    moment: Timestamp,
    limit: u32,
) -> Result<Vec<(OrderId, NotaryId)>> {
    tx.rows(
        "select id, notary_id from orders where cancel_begun_at < ?1 order by cancel_begun_at, id limit ?2",
        params![moment, limit],
        |row| Ok((row.next()?, row.next()?)),
    )
}

fn select(condition: &str) -> String {
    format!(
        "select {ORDER_COLUMNS} from orders o join clients c on c.id = o.client_id where {condition}"
    )
}

fn one(tx: &mut Tx, condition: &str, params: &[Value<'_>]) -> Result<Option<Order>> {
    tx.row_optional(&select(condition), params, read)
}

fn read_with_id(row: &mut Row<'_>) -> Result<(OrderId, Order)> {
    let order = read(row)?;
    Ok((order.id, order))
}

const BY_ID: &str = "o.id = ?1";
const OF_NOTARY: &str = "o.id = ?1 and o.notary_id = ?2";
const BY_INVOICE: &str = "o.id = (select a.order_id from attempts a where a.invoice_id = ?1)";

/// Returns an order of this notary.
pub fn order_of(tx: &mut Tx, notary: NotaryId, order: OrderId) -> Result<Option<Order>> {
    one(tx, OF_NOTARY, params![order, notary])
}

/// Locks an order of a notary, and returns it.
pub fn lock_of<'n>(
    tx: &mut Tx,
    notary: &'n LockedNotary,
    order: OrderId,
) -> Result<Option<(LockedOrder<'n>, Order)>> {
    let params = params![order, notary];
    locked_order_of(tx, notary, &select(OF_NOTARY), params, read_with_id)
}

/// Locks an order in a unit of work that locks no notary, and returns it.
pub fn lock<'t>(
    tx: &mut WithoutNotary<'t>,
    order: OrderId,
) -> Result<Option<(LockedOrder<'t>, Order)>> {
    locked_order(tx, &select(BY_ID), params![order], read_with_id)
}

/// Locks the order whose attempt knows an invoice: an attempt never moves to another order, so what was found before the lock is right after
/// it.
pub(crate) fn lock_by_invoice<'t>(
    tx: &mut WithoutNotary<'t>,
    invoice: &InvoiceId,
) -> Result<Option<(LockedOrder<'t>, Order)>> {
    locked_order(tx, &select(BY_INVOICE), params![invoice], read_with_id)
}

/// Returns an order of this notary, and whether some of its transfers are [`UNDELIVERED`].
pub(crate) fn order_and_undelivered(
    tx: &mut Tx,
    notary: NotaryId,
    order: OrderId,
) -> Result<Option<(Order, bool)>> {
    let sql = format!(
        "select {ORDER_COLUMNS}, exists (select 1 from transfers t where t.order_id = o.id and {UNDELIVERED}) as has_undelivered
         from orders o join clients c on c.id = o.client_id where o.id = ?1 and o.notary_id = ?2"
    );
    tx.row_optional(&sql, params![order, notary], |row| {
        Ok((read(row)?, row.next()?))
    })
}

/// Returns an order by id alone: for the acquirer's reports, the worker and the operator.
pub fn by_id(tx: &mut Tx, order: OrderId) -> Result<Option<Order>> {
    one(tx, BY_ID, params![order])
}

/// Returns the order whose attempt knows an invoice.
pub(crate) fn by_invoice(tx: &mut Tx, invoice: &InvoiceId) -> Result<Option<Order>> {
    one(tx, BY_INVOICE, params![invoice])
}

/// Returns the notary of an order.
pub fn notary_of(tx: &mut Tx, order: OrderId) -> Result<Option<NotaryId>> {
    let sql = "select notary_id from orders where id = ?1";
    tx.row_optional(sql, params![order], |row| row.next())
}

/// Returns the short number of an order.
pub fn number_of(tx: &mut Tx, order: OrderId) -> Result<Option<i64>> {
    let sql = "select number from orders where id = ?1";
    tx.row_optional(sql, params![order], |row| row.next())
}

/// Returns the order with a short number. Reads nothing else of it.
pub fn id_of(tx: &mut Tx, number: i64) -> Result<Option<OrderId>> {
    let sql = "select id from orders where number = ?1";
    tx.row_optional(sql, params![number], |row| row.next())
}

/// Returns an order by its short number: for the operator.
pub fn by_number(tx: &mut Tx, number: i64) -> Result<Option<Order>> {
    one(tx, "o.number = ?1", params![number])
}

/// Returns the order that a request with this key made.
pub fn by_idempotency_key(tx: &mut Tx, notary: NotaryId, key: &str) -> Result<Option<Order>> {
    one(
        tx,
        "o.notary_id = ?1 and o.idempotency_key = ?2",
        params![notary, key],
    )
}

/// Returns the card of the notary's latest paid order.
pub fn last_paid_pan(tx: &mut Tx, notary: NotaryId) -> Result<Option<MaskedPan>> {
    let sql =
        "select pan from orders where notary_id = ?1 and paid_at is not null and pan is not null
               order by paid_at desc limit 1";
    tx.row_optional(sql, params![notary], |row| row.next())
}

/// Returns the newest order of a client of this notary.
pub fn latest_of_client(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<Option<Order>> {
    let condition = "o.id = (select id from orders where client_id = ?1 and notary_id = ?2
                             order by created_at desc, id desc limit 1)";
    one(tx, condition, params![client, notary])
}

/// The columns of an order's item, in the order of [`read_item`].
pub(crate) static ITEM_COLUMNS: LazyLock<String> = LazyLock::new(|| {
    format!("id, order_id, position, created_at, {COLUMNS}, credited_on, credited_reference")
});

pub(crate) fn read_item(row: &mut Row<'_>) -> Result<OrderItem> {
    Ok(OrderItem {
        id: row.next()?,
        order_id: row.next()?,
        position: row.next()?,
        created_at: row.next()?,
        content: items::read(row)?,
        codes_credit: read_credit(row)?,
    })
}

fn read_credit(row: &mut Row<'_>) -> Result<Option<CodesCredit>> {
    let on: Option<Date> = row.next()?;
    let reference = row.next()?;
    Ok(on.map(|on| CodesCredit { on, reference }))
}

/// Returns the items of an order, in the order of the cart. The caller has checked whose order it is.
pub fn items_of(tx: &mut Tx, order: OrderId) -> Result<Vec<OrderItem>> {
    let sql = format!(
        "select {} from order_items where order_id = ?1 order by position",
        *ITEM_COLUMNS
    );
    tx.rows(&sql, params![order], read_item)
}

/// Works out what payments of earlier versions are found by, at most so many, beginning after one of them. Leaves out those that can't be
/// read. Returns the last one that was looked at; `None`: there was none.
pub fn index_items(tx: &mut Tx, after: Option<ItemId>, limit: u32) -> Result<Option<ItemId>> {
    let sql = format!(
        "select {} from order_items where search_text is null and id > ?1 order by id limit ?2",
        *ITEM_COLUMNS
    );
    let after = after.unwrap_or(ItemId::new(Uuid::nil()));
    let found = tx.rows(&sql, params![after, i64::from(limit)], |row| {
        Ok((row.get("id")?, unless_damaged(read_item(row))?))
    })?;
    let last = found.last().map(|(id, _)| *id);
    let items: Vec<OrderItem> = found.into_iter().filter_map(|(_, item)| item).collect();
    item_search::keep(tx, items.iter().map(|item| (item.id, &item.content)))?;
    let orders: BTreeSet<OrderId> = items.iter().map(|item| item.order_id).collect();
    for order in orders {
        search_index::keep_order(tx, order)?;
    }
    Ok(last)
}

/// Returns an item of an order of this notary, with its order.
pub fn item_of(tx: &mut Tx, notary: NotaryId, item: ItemId) -> Result<Option<(Order, OrderItem)>> {
    let sql = format!("select {} from order_items where id = ?1", *ITEM_COLUMNS);
    let Some(item) = tx.row_optional(&sql, params![item], read_item)? else {
        return Ok(None);
    };
    Ok(order_of(tx, notary, item.order_id)?.map(|order| (order, item)))
}
