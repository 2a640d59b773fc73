//! Alarms: what a person must look at. One row is open for a kind and a subject until somebody closes it with a note.

use cabinet_domain::payment::{Alarm, AlarmKind};
use cabinet_domain::{AlarmId, OrderId};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::{FromColumn, Row};
use crate::engine::tx::Tx;
use crate::engine::value::params;

const COLUMNS: &str =
    "id, kind, subject, order_id, first_at, last_at, count, closed_at, note, detail";

fn read<Kind: FromColumn>(row: &mut Row<'_>) -> Result<Alarm<Kind>> {
    Ok(Alarm {
        id: row.next()?,
        kind: row.next()?,
        subject: row.next()?,
        order_id: row.next()?,
        first_at: row.next()?,
        last_at: row.next()?,
        count: row.next()?,
        closed_at: row.next()?,
        note: row.next()?,
        detail: row.next()?,
    })
}

/// Opens an alarm, or increases its count if it is open already. Returns whether it was opened.
pub fn raise(
    tx: &mut Tx,
    id: AlarmId,
    kind: AlarmKind,
    subject: &str,
    order: Option<OrderId>,
    now: Timestamp,
) -> Result<bool> {
    raise_with(tx, id, kind, (subject, None), order, now)
}

/// The same with the subject and what is known about it beside.
pub fn raise_with(
    tx: &mut Tx,
    id: AlarmId,
    kind: AlarmKind,
    (subject, detail): (&str, Option<&str>),
    order: Option<OrderId>,
    now: Timestamp,
) -> Result<bool> {
    let count: i64 = tx.row(
        "insert into alarms (id, kind, subject, order_id, first_at, last_at, count, detail) values (?1, ?2, ?3, ?4, ?5, ?5, 1, ?6)
         on conflict (kind, subject) where closed_at is null
             do update set last_at = excluded.last_at, count = alarms.count + 1, detail = coalesce(excluded.detail, alarms.detail)
         returning count",
        params![id, kind, subject, order, now, detail],
        |row| row.next(),
    )?;
    Ok(count == 1)
}

/// Returns whether an alarm of a kind about a subject was ever opened.
pub fn was_opened(tx: &mut Tx, kind: AlarmKind, subject: &str) -> Result<bool> {
    // Open alarms and closed ones have an index each.
    let sql = "select (select count(*) from alarms where kind = ?1 and subject = ?2 and closed_at is null)
        + (select count(*) from alarms where kind = ?1 and subject = ?2 and closed_at is not null)";
    let opened: i64 = tx.row(sql, params![kind, subject], |row| row.next())?;
    Ok(opened > 0)
}

/// Returns whether an alarm of a kind about a subject was opened and closed.
pub fn was_closed(tx: &mut Tx, kind: AlarmKind, subject: &str) -> Result<bool> {
    let sql =
        "select count(*) from alarms where kind = ?1 and subject = ?2 and closed_at is not null";
    let closed: i64 = tx.row(sql, params![kind, subject], |row| row.next())?;
    Ok(closed > 0)
}

/// Returns the kinds of the open alarms of an order, the oldest first. A kind that only a later program knows is left out: it keeps nobody
/// from working with this one.
pub fn open_kinds(tx: &mut Tx, order: OrderId) -> Result<Vec<AlarmKind>> {
    let kinds: Vec<String> = tx.rows(
        "select kind from alarms where order_id = ?1 and closed_at is null order by first_at, id",
        params![order],
        |row| row.next(),
    )?;
    let known = kinds.iter().filter_map(|kind| AlarmKind::parse(kind));
    Ok(known.collect())
}

/// Returns whether an order has an open alarm that puts its money in doubt.
pub fn holds_payment(tx: &mut Tx, order: OrderId) -> Result<bool> {
    let kinds = open_kinds(tx, order)?;
    Ok(kinds.into_iter().any(AlarmKind::holds_payment))
}

/// Returns the first open alarm of an order that keeps its transfers from being sent.
pub fn holder_of_transfers(tx: &mut Tx, order: OrderId) -> Result<Option<AlarmKind>> {
    let kinds = open_kinds(tx, order)?;
    Ok(kinds.into_iter().find(|kind| kind.holds_transfers()))
}

/// Returns the condition for an order `o` without an open alarm that keeps its transfers from being sent.
pub(crate) fn none_holds_transfers() -> String {
    let kinds = AlarmKind::ALL.into_iter();
    let kinds = kinds.filter(|kind| kind.holds_transfers());
    let kinds: Vec<String> = kinds.map(|kind| format!("'{}'", kind.as_str())).collect();
    let kinds = kinds.join(", ");
    format!(
        "not exists (select 1 from alarms m where m.order_id = o.id and m.closed_at is null and m.kind in ({kinds}))"
    )
}

/// Returns the open alarms, or all of them, the newest first, at most `limit`, with the names of their kinds: a later program may have
/// opened one of a kind that this one does not know.
pub fn list(tx: &mut Tx, closed_too: bool, limit: u32) -> Result<Vec<Alarm<String>>> {
    let condition = if closed_too {
        "1 = 1"
    } else {
        "closed_at is null"
    };
    let sql = format!(
        "select {COLUMNS} from alarms where {condition} order by first_at desc, id desc limit ?1"
    );
    tx.rows(&sql, params![limit], read)
}

/// Returns how many alarms are open, or how many there are.
pub fn count(tx: &mut Tx, closed_too: bool) -> Result<u64> {
    let condition = if closed_too {
        "1 = 1"
    } else {
        "closed_at is null"
    };
    let sql = format!("select count(*) from alarms where {condition}");
    let count: i64 = tx.row(&sql, params![], |row| row.next())?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Returns the ids of the open alarms with the names of their kinds, the oldest first.
pub fn open(tx: &mut Tx) -> Result<Vec<(AlarmId, String)>> {
    let sql = "select id, kind from alarms where closed_at is null order by first_at, id";
    tx.rows(sql, params![], |row| Ok((row.next()?, row.next()?)))
}

/// Returns the open alarms of one kind, the oldest first.
pub fn open_of_kind(tx: &mut Tx, kind: AlarmKind) -> Result<Vec<Alarm>> {
    let sql = format!(
        "select {COLUMNS} from alarms where kind = ?1 and closed_at is null order by first_at, id"
    );
    tx.rows(&sql, params![kind], read)
}

/// Returns the alarms of an order, the oldest first, as [`list`] does.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<Alarm<String>>> {
    let sql = format!("select {COLUMNS} from alarms where order_id = ?1 order by first_at, id");
    tx.rows(&sql, params![order], read)
}

/// Returns an alarm, as [`list`] does.
pub fn by_id(tx: &mut Tx, alarm: AlarmId) -> Result<Option<Alarm<String>>> {
    let sql = format!("select {COLUMNS} from alarms where id = ?1");
    tx.row_optional(&sql, params![alarm], read)
}

/// Closes an open alarm with a note. Returns whether there was one.
pub fn close(tx: &mut Tx, alarm: AlarmId, note: &str, now: Timestamp) -> Result<bool> {
    let sql = "update alarms set closed_at = ?3, note = ?2 where id = ?1 and closed_at is null";
    Ok(tx.execute(sql, params![alarm, note, now])? == 1)
}
