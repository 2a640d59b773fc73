//! Links by which clients pay orders without signing in.

use cabinet_domain::{ClientLink, NotaryId, OrderId};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;

const COLUMNS: &str = "l.order_id, l.made_at, l.ends_at, l.opened_at, l.withdrawn_at, l.sent_count, l.sent_at, o.paid_at";

fn read(row: &mut Row<'_>) -> Result<ClientLink> {
    let link = ClientLink {
        order_id: row.next()?,
        made_at: row.next()?,
        ends_at: row.next()?,
        opened_at: row.next()?,
        withdrawn_at: row.next()?,
        sent_count: row.next()?,
        sent_at: row.next()?,
    };
    Ok(link.after_payment(row.next()?))
}

/// Stores the link of an order, in place of an earlier one. How often links of the order were sent stays known.
pub fn keep(
    tx: &mut Tx,
    order: OrderId,
    token_hash: &[u8; 32],
    made_at: Timestamp,
    ends_at: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into client_links (order_id, token_hash, made_at, ends_at) values (?1, ?2, ?3, ?4)
         on conflict (order_id) do update set token_hash = excluded.token_hash, made_at = excluded.made_at,
             ends_at = excluded.ends_at, opened_at = null, withdrawn_at = null",
        params![order, token_hash, made_at, ends_at],
    )
    .map(|_| ())
}

/// Returns the link of an order, also one that has ended or was withdrawn.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Option<ClientLink>> {
    let sql = format!(
        "select {COLUMNS} from client_links l join orders o on o.id = l.order_id where l.order_id = ?1"
    );
    tx.row_optional(&sql, params![order], read)
}

/// Returns the link of a token with the notary of its order, also one that has ended.
pub fn by_token(tx: &mut Tx, token_hash: &[u8; 32]) -> Result<Option<(ClientLink, NotaryId)>> {
    let sql = format!(
        "select {COLUMNS}, o.notary_id from client_links l join orders o on o.id = l.order_id where l.token_hash = ?1"
    );
    tx.row_optional(&sql, params![token_hash], |row| {
        Ok((read(row)?, row.next()?))
    })
}

/// Withdraws the link of an order. Returns false where there is none, or it was withdrawn before.
pub fn withdraw(tx: &mut Tx, order: OrderId, now: Timestamp) -> Result<bool> {
    let sql = "update client_links set token_hash = null, withdrawn_at = ?2 where order_id = ?1 and withdrawn_at is null";
    Ok(tx.execute(sql, params![order, now])? > 0)
}

/// Records that a link was opened. Returns whether it was the first time.
pub fn record_opening(tx: &mut Tx, token_hash: &[u8; 32], now: Timestamp) -> Result<bool> {
    let sql = "update client_links set opened_at = ?2 where token_hash = ?1 and opened_at is null";
    Ok(tx.execute(sql, params![token_hash, now])? > 0)
}

/// Records that the link of an order was sent to the client.
pub fn record_sending(tx: &mut Tx, order: OrderId, now: Timestamp) -> Result<()> {
    let sql =
        "update client_links set sent_count = sent_count + 1, sent_at = ?2 where order_id = ?1";
    tx.execute(sql, params![order, now]).map(|_| ())
}

/// Returns how often a notary had links and receipts sent of those orders of which one was sent since a moment. It is not less than what
/// was sent since then.
pub fn sent_since(tx: &mut Tx, notary: NotaryId, since: Timestamp) -> Result<i64> {
    tx.row(
        "select cast(coalesce(sum(s.sent), 0) as bigint) as sent from (
             select l.sent_count as sent from client_links l join orders o on o.id = l.order_id
             where o.notary_id = ?1 and l.sent_at > ?2
             union all select m.given_count as sent from receipt_mail m join orders o on o.id = m.order_id
             where o.notary_id = ?1 and m.given_at > ?2) as s",
        params![notary, since],
        |row| row.next(),
    )
}

/// Deletes links that ended before a moment.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from client_links where ends_at < ?1 and (sent_at is null or sent_at < ?1)",
        params![before],
    )
}
