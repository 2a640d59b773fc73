//! What is erased on request or by age: clients, accounts, and the names in old orders.
//!
//! An order that is open (money may still move, a transfer is on its way, or an alarm waits for a person) is never touched.

use std::sync::LazyLock;

use cabinet_domain::{ClientId, NotaryId, OrderId, fold_for_search};
use jiff::Timestamp;

use crate::address_book::clients;
use crate::cart;
use crate::deal::deal_traces;
use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::search_index;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::{LockedNotary, lock_notary};
use crate::order::orders;

/// Stands in place of a name.
pub const ANONYMOUS_NAME: &str = "Дані знеособлено";
/// Stands in place of a code. No document has it.
pub const ANONYMOUS_CODE: &str = "00000000";
/// Stands in place of an account. No bank has it.
pub const ANONYMOUS_IBAN: &str = "UA890000000000000000000000000";
/// Stands in place of a purpose.
const ANONYMOUS_PURPOSE: &str = "Призначення платежу знеособлено";
/// Stands in place of a registry identifier.
const ANONYMOUS_IDENTIFIER: &str = "знеособлено";

/// Whether an order `o` is open.
pub(crate) const OPEN: &str = "(o.status in ('in_progress', 'pending')
    or exists (select 1 from attempts a where a.order_id = o.id and a.next_check_at is not null)
    or exists (select 1 from refunds g where g.order_id = o.id and g.ended_at is null)
    or exists (select 1 from transfers t where t.order_id = o.id and t.status not in ('credited', 'returned', 'called_off'))
    or (o.status = 'paid' and exists (select 1 from transfers r where r.order_id = o.id
        and r.status = 'returned' and r.refunded_at is null and not exists (select 1 from transfers n where n.replaces = r.id)))
    or exists (select 1 from alarms x where x.order_id = o.id and x.closed_at is null))";

/// Whether a transfer of an order `o` has changed since the moment of a parameter: it is a document of its own day.
fn moved_since(parameter: &str) -> String {
    format!(
        "exists (select 1 from transfers m where m.order_id = o.id and (m.updated_at >= {parameter} or m.refunded_at >= {parameter}))"
    )
}

/// An order that names somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedOrder {
    /// The id.
    pub id: OrderId,
    /// The short number.
    pub number: i64,
    /// When its status last changed: it is kept for bookkeeping from then on.
    pub since: Timestamp,
    /// Whether money may still move, a transfer is on its way, or an alarm is open.
    pub is_open: bool,
}

fn read_named(row: &mut Row<'_>) -> Result<NamedOrder> {
    Ok(NamedOrder {
        id: row.next()?,
        number: row.next()?,
        since: row.next()?,
        is_open: row.next::<i64>()? != 0,
    })
}

fn named_sql(owner: &str) -> String {
    format!(
        "select o.id, o.number, o.updated_at, cast(case when {OPEN} then 1 else 0 end as bigint) as is_open
         from orders o where o.{owner} = ?1 and o.anonymised_at is null order by o.number"
    )
}

static OF_CLIENT: LazyLock<String> = LazyLock::new(|| named_sql("client_id"));
static OF_NOTARY: LazyLock<String> = LazyLock::new(|| named_sql("notary_id"));

/// Returns the orders of a client that name the client.
pub fn orders_of_client(tx: &mut Tx, client: ClientId) -> Result<Vec<NamedOrder>> {
    tx.rows(&OF_CLIENT, params![client], read_named)
}

/// Returns the orders of a notary that name anybody.
pub fn orders_of_notary(tx: &mut Tx, notary: NotaryId) -> Result<Vec<NamedOrder>> {
    tx.rows(&OF_NOTARY, params![notary], read_named)
}

/// The items of a client's cart and orders.
pub(crate) const ITEMS_OF_CLIENT: &str = "(select i.id from cart_items i where i.client_id = ?2
    union all select i.id from order_items i join orders o on o.id = i.order_id where o.client_id = ?2)";

/// Returns the number of a client's items in the cart, the deleted ones included.
pub fn count_cart_items(tx: &mut Tx, notary: NotaryId, client: ClientId) -> Result<u64> {
    let sql = "select count(*) as items from cart_items where notary_id = ?1 and client_id = ?2";
    tx.row(sql, params![notary, client], read_count)
}

/// Returns the number of items in a notary's cart, the deleted ones included.
pub fn count_all_cart_items(tx: &mut Tx, notary: NotaryId) -> Result<u64> {
    let sql = "select count(*) as items from cart_items where notary_id = ?1";
    tx.row(sql, params![notary], read_count)
}

fn read_count(row: &mut Row<'_>) -> Result<u64> {
    Ok(u64::try_from(row.next::<i64>()?).unwrap_or(0))
}

/// What of a client's orders no bookkeeping needs: the link to pay, where receipts are sent, and whether letters were refused.
const OF_ORDERS: [&str; 3] = ["client_links", "receipt_consents", "receipt_mail"];

/// Erases a client: at once what no order needs, and the rest when [`due`] says so. The client is not offered any more.
pub fn erase_client(
    tx: &mut Tx,
    notary: &LockedNotary,
    client: ClientId,
    now: Timestamp,
) -> Result<()> {
    deal_traces::forget_reasons_of_client(tx, notary.id(), client, ANONYMOUS_NAME)?;
    let sql =
        format!("delete from cart_additions where notary_id = ?1 and item_id in {ITEMS_OF_CLIENT}");
    tx.execute(&sql, params![notary, client])?;
    tx.execute(
        "delete from cart_items where notary_id = ?1 and client_id = ?2",
        params![notary, client],
    )?;
    cart::record_change(tx, notary)?;
    for table in OF_ORDERS {
        let sql = format!(
            "delete from {table} where order_id in (select o.id from orders o where o.notary_id = ?1 and o.client_id = ?2)"
        );
        tx.execute(&sql, params![notary, client])?;
    }
    tx.execute(
        "update clients set erased_at = coalesce(erased_at, ?3) where notary_id = ?1 and id = ?2",
        params![notary, client, now],
    )?;
    clients::purge_unused(tx, notary).map(|_| ())
}

/// Erases an account. Its row stays without personal data, because orders refer to it; its phone becomes free. The orders lose
/// their names when [`due`] says so.
pub fn erase_notary(tx: &mut Tx, notary: &LockedNotary, now: Timestamp) -> Result<()> {
    tx.advisory_lock(b"erased notaries")?;
    tx.execute(
        "delete from login_operations where notary_id = ?1
             or phone = (select n.phone from notaries n where n.id = ?1)",
        params![notary],
    )?;
    for table in [
        "removed_cards",
        "cart_additions",
        "cart_acts",
        "cart_items",
        "carts",
        "own_recipients",
        "proved_recipients",
        "complaints",
        "sessions",
        "devices",
        "notary_passkeys",
    ] {
        let sql = format!("delete from {table} where notary_id = ?1");
        tx.execute(&sql, params![notary])?;
    }
    for table in OF_ORDERS {
        let sql = format!(
            "delete from {table} where order_id in (select o.id from orders o where o.notary_id = ?1)"
        );
        tx.execute(&sql, params![notary])?;
    }
    clients::purge_unused(tx, notary)?;
    let phone = free_phone(tx)?;
    tx.execute(
        "update notaries set phone = ?2, full_name = ?3, registry_identifier = ?4, inn = null, certificate_number = null,
             phone_additional = null, email = null, notary_address = null, card_pan = null, iban = null, okpo = null,
             exemption_date_finish = null, login_step = 'otp', agreed_terms_at = null, standing_reason = null,
             notary_status_reason = null, card_daily_unproved_max = null, card_told_from = null,
             register_key = null, requested_name = null, name_requested_at = null, standing = 'blocked', updated_at = ?5, erased_at = ?5
         where id = ?1",
        params![notary, phone, ANONYMOUS_NAME, ANONYMOUS_IDENTIFIER, now],
    )
    .map(|_| ())
}

/// Returns a number in place of the phone of an erased account. Nobody can have it: no code of an operator begins with 00.
fn free_phone(tx: &mut Tx) -> Result<String> {
    let last: Option<String> = tx.row(
        "select max(phone) as phone from notaries where erased_at is not null",
        params![],
        |row| row.next(),
    )?;
    let number = last
        .and_then(|phone| phone.strip_prefix("+38000")?.parse::<u32>().ok())
        .unwrap_or(0);
    Ok(format!("+38000{:07}", number + 1))
}

/// Returns whether an account was erased.
pub fn is_notary_erased(tx: &mut Tx, notary: NotaryId) -> Result<bool> {
    let sql = "select 1 as erased from notaries where id = ?1 and erased_at is not null";
    let found = tx.row_optional(sql, params![notary], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Returns whether the names of an order were taken out.
pub fn is_anonymised(tx: &mut Tx, order: OrderId) -> Result<bool> {
    let sql = "select 1 as anonymised from orders where id = ?1 and anonymised_at is not null";
    let found = tx.row_optional(sql, params![order], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Returns whether the client of an order was erased, also where the order still has the names for bookkeeping.
pub fn is_client_erased(tx: &mut Tx, order: OrderId) -> Result<bool> {
    let sql = "select 1 as erased from orders o join clients c on c.id = o.client_id
               where o.id = ?1 and (o.anonymised_at is not null or c.erased_at is not null)";
    let found = tx.row_optional(sql, params![order], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Which orders lose their names.
#[derive(Clone, Copy, Debug)]
pub struct Age {
    /// Those that have not changed since this moment.
    pub before: Timestamp,
    /// Whether all of them, or only those of clients and notaries who were erased.
    pub all: bool,
}

/// Returns orders that must not name anybody any more, at most `limit`.
pub fn due(tx: &mut Tx, age: Age, limit: u32) -> Result<Vec<OrderId>> {
    let whose = if age.all {
        ""
    } else {
        "and (o.client_id in (select c.id from clients c where c.erased_at is not null)
              or o.notary_id in (select n.id from notaries n where n.erased_at is not null))"
    };
    let sql = format!(
        "select o.id from orders o where o.anonymised_at is null and o.updated_at < ?1 {whose} and not {OPEN}
             and not {} order by o.updated_at, o.id limit ?2",
        moved_since("?1")
    );
    tx.rows(&sql, params![age.before, limit], |row| row.next())
}

/// Takes the names out of an order: of its client, of what its transfers and purposes say, and, if the account was erased, of its
/// notary. Sums, dates and recipients stay. `fresh` is the id of the client who stands for all of them, if the notary has none yet.
/// Returns false if the order is open or was changed meanwhile.
pub fn anonymise(
    tx: &mut Tx,
    order: OrderId,
    fresh: ClientId,
    before: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let Some(notary) = orders::notary_of(tx, order)? else {
        return Ok(false);
    };
    let notary = lock_notary(tx, notary)?;
    orders::lock_of(tx, &notary, order)?;
    let sql = format!(
        "select o.number from orders o
         where o.id = ?1 and o.anonymised_at is null and o.updated_at < ?2 and not {OPEN} and not {}",
        moved_since("?2")
    );
    let found: Option<i64> = tx.row_optional(&sql, params![order, before], |row| row.next())?;
    let Some(number) = found else {
        return Ok(false);
    };
    let nobody = anonymous_client(tx, &notary, fresh, now)?;
    let search = fold_for_search(&format!("{ANONYMOUS_NAME} {ANONYMOUS_CODE} {number}"));
    tx.execute(
        "update orders set client_id = ?2, search_text = ?3, pan = null, widget_url = null,
             act_register_number = null, act_on = null, act_object = null, codes_paid_reference = null,
             anonymised_at = ?4 where id = ?1",
        params![order, nobody, search, now],
    )?;
    if is_notary_erased(tx, notary.id())? {
        anonymise_notary(tx, order)?;
    }
    anonymise_parts(tx, order)?;
    search_index::forget_order(tx, order)?;
    for table in OF_ORDERS {
        let sql = format!("delete from {table} where order_id = ?1");
        tx.execute(&sql, params![order])?;
    }
    clients::purge_unused(tx, &notary)?;
    Ok(true)
}

/// Returns the client who stands for all clients of a notary without a name.
fn anonymous_client(
    tx: &mut Tx,
    notary: &LockedNotary,
    fresh: ClientId,
    now: Timestamp,
) -> Result<ClientId> {
    let sql = "select id from clients where notary_id = ?1 and inn = ?2 and full_name = ?3";
    let key = params![notary, ANONYMOUS_CODE, ANONYMOUS_NAME];
    if let Some(known) = tx.row_optional(sql, key, |row| row.next())? {
        return Ok(known);
    }
    tx.execute(
        "insert into clients (id, notary_id, inn, full_name, created_at, used_at, erased_at) values (?1, ?2, ?3, ?4, ?5, ?5, ?5)",
        params![fresh, notary, ANONYMOUS_CODE, ANONYMOUS_NAME, now],
    )?;
    Ok(fresh)
}

fn anonymise_parts(tx: &mut Tx, order: OrderId) -> Result<()> {
    tx.execute(
        "update order_items set purpose = ?2, search_text = '', credited_reference = null where order_id = ?1",
        params![order, ANONYMOUS_PURPOSE],
    )?;
    tx.execute(
        "update transfers set payer_code = ?2, payer_name = ?3, purpose = ?4 where order_id = ?1",
        params![order, ANONYMOUS_CODE, ANONYMOUS_NAME, ANONYMOUS_PURPOSE],
    )?;
    deal_traces::forget_reasons_of_order(tx, order, ANONYMOUS_NAME)?;
    // A bank's reason is free text and may name somebody.
    tx.execute(
        "update transfers set reason = ?2 where order_id = ?1 and reason is not null",
        params![order, ANONYMOUS_NAME],
    )?;
    tx.execute(
        "update transfers set refund_reason = ?2 where order_id = ?1 and refund_reason is not null",
        params![order, ANONYMOUS_NAME],
    )?;
    tx.execute(
        "update transfers set release_reason = ?2 where order_id = ?1 and release_reason is not null",
        params![order, ANONYMOUS_NAME],
    )?;
    tx.execute(
        "update refunds set reason = ?2 where order_id = ?1",
        params![order, ANONYMOUS_NAME],
    )?;
    tx.execute(
        "update attempts set masked_pan = null where order_id = ?1",
        params![order],
    )?;
    tx.execute(
        "update alarms set note = ?2 where order_id = ?1 and note is not null",
        params![order, ANONYMOUS_NAME],
    )?;
    tx.execute(
        "delete from complaints where item_id in (select i.id from order_items i where i.order_id = ?1)",
        params![order],
    )?;
    let nothing: &[u8] = &[];
    tx.execute(
        "update acquirer_reports set body = ?2, signature = null
         where invoice_id in (select a.invoice_id from attempts a where a.order_id = ?1)",
        params![order, nothing],
    )
    .map(|_| ())
}

/// Takes the notary's own name, account and code out of an order, wherever they receive a part of it.
fn anonymise_notary(tx: &mut Tx, order: OrderId) -> Result<()> {
    // An unpaid order has no transfers; its item names the account all the same.
    tx.execute(
        "update order_items set iban = ?2, okpo = ?3 where order_id = ?1 and payment_kind = 'admin_payment'",
        params![order, ANONYMOUS_IBAN, ANONYMOUS_CODE],
    )?;
    tx.execute(
        "update transfers set recipient_name = ?2, recipient_iban = ?3, recipient_code = ?4
         where order_id = ?1 and role = 'notary'",
        params![order, ANONYMOUS_NAME, ANONYMOUS_IBAN, ANONYMOUS_CODE],
    )
    .map(|_| ())
}

/// Empties at most `limit` reports that the acquirer sent before a moment, except those of open orders. Their digests stay, so that a
/// repeated report is still recognised. Returns the number of reports.
pub fn empty_reports(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    let nothing: &[u8] = &[];
    let sql = format!(
        "update acquirer_reports set body = ?2, signature = null
         where (received_at, id) in (select a.received_at, a.id from acquirer_reports a
             where a.received_at < ?1 and length(a.body) > 0
                 and not exists (select 1 from attempts r join orders o on o.id = r.order_id
                                 where r.invoice_id = a.invoice_id and {OPEN})
             limit ?3)"
    );
    tx.execute(&sql, params![before, nothing, limit])
}
