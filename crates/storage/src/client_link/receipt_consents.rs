//! Where receipts are sent by e-mail, with the consents to it, and what stays known without an address: how often they were sent, and
//! whether their receiver refused them.

use cabinet_domain::{OrderId, ReceiptConsent};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedOrder;

/// Stores a consent, in place of an earlier one of the order.
pub fn keep(tx: &mut Tx, order: &LockedOrder<'_>, consent: &ReceiptConsent) -> Result<()> {
    tx.execute(
        "insert into receipt_consents (order_id, email, locale, given_by, given_at, asked_again_at) values (?1, ?2, ?3, ?4, ?5, ?6)
         on conflict (order_id) do update set email = excluded.email, locale = excluded.locale, given_by = excluded.given_by,
             given_at = excluded.given_at, asked_again_at = excluded.asked_again_at, wrong_tries = 0",
        params![
            order,
            consent.email,
            consent.locale,
            consent.given_by,
            consent.given_at,
            consent.asked_again_at,
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
        "select order_id, email, locale, given_by, given_at, asked_again_at from receipt_consents where order_id = ?1",
        params![order],
        |row| {
            Ok(ReceiptConsent {
                order_id: row.next()?,
                email: row.next()?,
                locale: row.next()?,
                given_by: row.next()?,
                given_at: row.next()?,
                asked_again_at: row.next()?,
            })
        },
    )
}

/// What is known of the letters of a consent.
#[derive(Clone, Copy, Debug, Default)]
pub struct LetterFacts {
    /// How many wrong endings of the client's code were entered since its letters are sent.
    pub wrong_tries: i64,
    /// When the letter with the receipt was last handed to the mail server.
    pub sent_at: Option<Timestamp>,
    /// When such a letter was last given up.
    pub given_up_at: Option<Timestamp>,
}

/// Returns what is known of the letters of an order's consent.
pub fn letter_facts(tx: &mut Tx, order: OrderId) -> Result<LetterFacts> {
    let sql = "select wrong_tries, letter_sent_at, letter_given_up_at from receipt_consents where order_id = ?1";
    let found = tx.row_optional(sql, params![order], |row| {
        Ok(LetterFacts {
            wrong_tries: row.next()?,
            sent_at: row.next()?,
            given_up_at: row.next()?,
        })
    })?;
    Ok(found.unwrap_or_default())
}

/// Records that the letter with the receipt was handed to the mail server, unless other letters are sent by now than those since a moment.
pub fn record_sent(tx: &mut Tx, order: OrderId, since: Timestamp, now: Timestamp) -> Result<()> {
    let sql = "update receipt_consents set letter_sent_at = ?3
               where order_id = ?1 and case when asked_again_at > given_at then asked_again_at else given_at end = ?2";
    tx.execute(sql, params![order, since, now]).map(|_| ())
}

/// Records that the letter with the receipt was given up.
pub fn record_given_up(tx: &mut Tx, order: OrderId, now: Timestamp) -> Result<()> {
    let sql = "update receipt_consents set letter_given_up_at = ?2 where order_id = ?1";
    tx.execute(sql, params![order, now]).map(|_| ())
}

/// Counts a wrong ending of the client's code.
pub fn record_wrong_try(tx: &mut Tx, order: &LockedOrder<'_>) -> Result<()> {
    let sql = "update receipt_consents set wrong_tries = wrong_tries + 1 where order_id = ?1";
    tx.execute(sql, params![order]).map(|_| ())
}

/// Deletes the consent of an order. Returns false where there is none.
pub fn delete(tx: &mut Tx, order: &LockedOrder<'_>) -> Result<bool> {
    let sql = "delete from receipt_consents where order_id = ?1";
    Ok(tx.execute(sql, params![order])? > 0)
}

/// Records that the notary has the receipt of an order sent. Returns how often that was.
pub fn record_giving(tx: &mut Tx, order: OrderId, now: Timestamp) -> Result<i64> {
    tx.row(
        "insert into receipt_mail (order_id, given_count, given_at) values (?1, 1, ?2)
         on conflict (order_id) do update set given_count = receipt_mail.given_count + 1, given_at = excluded.given_at
         returning given_count",
        params![order, now],
        |row| row.next(),
    )
}

/// Records that letters about an order are refused: those to an address, by its digest, or all. Where another address had refused them, all
/// are: one is kept.
pub fn record_refusal(
    tx: &mut Tx,
    order: OrderId,
    address: Option<&[u8; 32]>,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into receipt_mail (order_id, refused_at, refused_address) values (?1, ?2, ?3)
         on conflict (order_id) do update set refused_at = excluded.refused_at,
             refused_address = case when receipt_mail.refused_at is null or receipt_mail.refused_address = excluded.refused_address
                 then excluded.refused_address end",
        params![order, now, address],
    )
    .map(|_| ())
}

/// Forgets the refusal of letters about an order.
pub fn forget_refusal(tx: &mut Tx, order: OrderId) -> Result<()> {
    let sql =
        "update receipt_mail set refused_at = null, refused_address = null where order_id = ?1";
    tx.execute(sql, params![order]).map(|_| ())
}

/// That letters about an order are refused.
#[derive(Clone, Copy, Debug)]
pub struct LettersRefusal {
    /// Since when.
    pub at: Timestamp,
    /// The digest of the only address that refused them. `None`: all letters are refused.
    pub address: Option<[u8; 32]>,
}

impl LettersRefusal {
    /// Returns whether letters to an address are refused. `digests` are those that the address may be stored by.
    pub fn is_of(&self, digests: &[[u8; 32]]) -> bool {
        self.address
            .is_none_or(|refused| digests.contains(&refused))
    }
}

/// Returns the refusal of letters about an order.
pub fn refusal(tx: &mut Tx, order: OrderId) -> Result<Option<LettersRefusal>> {
    let sql = "select refused_at, refused_address from receipt_mail where order_id = ?1 and refused_at is not null";
    tx.row_optional(sql, params![order], |row| {
        Ok(LettersRefusal {
            at: row.next()?,
            address: row.next()?,
        })
    })
}

/// Deletes what is kept of letters about orders that have not changed since a moment, and of which nothing is on its way.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    let mut purged = 0;
    for (table, is_old) in [
        (
            "receipt_consents",
            "given_at < ?1 and coalesce(asked_again_at, 0) < ?1",
        ),
        (
            "receipt_mail",
            "coalesce(given_at, 0) < ?1 and coalesce(refused_at, 0) < ?1",
        ),
    ] {
        let sql = format!(
            "delete from {table} where {is_old} and order_id in (select o.id from orders o where o.updated_at < ?1)
                 and not exists (select 1 from transfers t where t.order_id = {table}.order_id and t.updated_at >= ?1)"
        );
        purged += tx.execute(&sql, params![before])?;
    }
    Ok(purged)
}
