//! The audit trail. Events are appended; the database itself refuses to change or delete one.
//!
//! [`chain`] seals them: it gives each a number and a hash over the event and the hash of the one before, so that a later change
//! is noticed.

pub mod chain;

use cabinet_domain::{
    Actor, AuditAction, AuditChange, AuditEvent, AuditEventId, AuditObject, AuditSeal, AuditValue,
    NotaryId, OrderId, Origin,
};
use jiff::Timestamp;

use crate::engine::error::{Result, StorageError};
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::{Bind, Value, params};

/// A change as it is stored: field, from, to.
type StoredChange = (String, Option<String>, Option<String>);

/// What [`read`] reads, and from where.
const COLUMNS: &str = "e.id, e.created_at, e.actor, e.actor_id, e.actor_name, e.action, e.notary_id, e.order_id, e.object_kind, \
    e.object_id, e.changes, e.network, e.browser, e.sequence, e.hash, o.number \
    from audit_events e left join orders o on o.id = e.order_id";

/// Which events are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct AuditFilter {
    /// Those that concern this notary.
    pub notary: Option<NotaryId>,
    /// Those that concern this order.
    pub order: Option<OrderId>,
    /// Those that happened at this moment or later.
    pub since: Option<Timestamp>,
    /// Those with this action.
    pub action: Option<AuditAction>,
}

/// An event as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedEvent {
    /// The event.
    pub event: AuditEvent,
    /// The number of its order.
    pub order_number: Option<i64>,
    /// Its place in the chain. `None` until it is sealed.
    pub seal: Option<AuditSeal>,
}

/// Appends an event. The same event again, by its id, is left out.
pub fn insert(tx: &mut Tx, event: &AuditEvent) -> Result<()> {
    let (actor, actor_id, actor_name) = match &event.origin.actor {
        Actor::Notary(notary) => ("notary", Some(*notary), None),
        Actor::Stranger => ("stranger", None, None),
        Actor::Operator(name) => ("operator", None, Some(name.as_str())),
        Actor::Worker => ("worker", None, None),
    };
    tx.execute(
        "insert into audit_events (id, created_at, actor, actor_id, actor_name, action, notary_id, order_id, object_kind,
             object_id, changes, network, browser)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) on conflict (id) do nothing",
        params![
            event.id,
            event.created_at,
            actor,
            actor_id,
            actor_name,
            event.action,
            event.notary_id,
            event.order_id,
            event.object.map(AuditObject::kind),
            event.object.map(AuditObject::id),
            write_changes(&event.changes)?,
            event.origin.network,
            event.origin.browser,
        ],
    )
    .map(|_| ())
}

/// Returns a page of at most `limit` events, the earliest first, after the last one of the page before.
pub fn page(
    tx: &mut Tx,
    filter: &AuditFilter,
    after: Option<&AuditEvent>,
    limit: u32,
) -> Result<Vec<ListedEvent>> {
    let mut values: Vec<Value<'_>> = Vec::new();
    let mut sql = format!("select {COLUMNS} where 1 = 1");
    if let Some(notary) = &filter.notary {
        sql.push_str(&condition(&mut values, "e.notary_id =", notary));
    }
    if let Some(order) = &filter.order {
        sql.push_str(&condition(&mut values, "e.order_id =", order));
    }
    if let Some(since) = &filter.since {
        sql.push_str(&condition(&mut values, "e.created_at >=", since));
    }
    if let Some(action) = &filter.action {
        sql.push_str(&condition(&mut values, "e.action =", action));
    }
    if let Some(after) = after {
        values.extend([after.created_at.value(), after.id.value()]);
        let last = values.len();
        sql.push_str(&format!(
            " and (e.created_at, e.id) > (?{}, ?{last})",
            last - 1
        ));
    }
    values.push(limit.value());
    sql.push_str(&format!(
        " order by e.created_at, e.id limit ?{}",
        values.len()
    ));
    tx.rows(&sql, &values, read)
}

/// Returns how often people who were not signed in have done something on an order.
pub fn count_by_strangers(tx: &mut Tx, order: OrderId, action: AuditAction) -> Result<i64> {
    tx.row(
        "select count(*) as events from audit_events where order_id = ?1 and action = ?2 and actor = 'stranger'",
        params![order, action],
        |row| row.next(),
    )
}

/// Returns when somebody who was not signed in first did something on an order since a moment (inclusive).
pub fn first_by_stranger(
    tx: &mut Tx,
    order: OrderId,
    action: AuditAction,
    since: Timestamp,
) -> Result<Option<Timestamp>> {
    tx.row(
        "select min(created_at) as first from audit_events
         where order_id = ?1 and action = ?2 and actor = 'stranger' and created_at >= ?3",
        params![order, action, since],
        |row| row.next(),
    )
}

/// Returns how many events with an action that changed one of these fields concern a notary since a moment (inclusive), and when the first of
/// them was recorded.
pub fn count_changes(
    tx: &mut Tx,
    notary: NotaryId,
    action: AuditAction,
    fields: &[&str],
    since: Timestamp,
) -> Result<(i64, Option<Timestamp>)> {
    let changed: Vec<String> = fields
        .iter()
        .map(|field| format!("changes like '%[\"{field}\",%'"))
        .collect();
    let sql = format!(
        "select count(*) as events, min(created_at) from audit_events
         where notary_id = ?1 and created_at >= ?3 and action = ?2 and ({})",
        changed.join(" or ")
    );
    tx.row(&sql, params![notary, action, since], |row| {
        Ok((row.next()?, row.next()?))
    })
}

/// Returns whether an event with an action on an object concerns a notary since a moment.
pub fn is_recorded(
    tx: &mut Tx,
    notary: NotaryId,
    (action, object): (AuditAction, AuditObject),
    since: Timestamp,
) -> Result<bool> {
    let found = tx.row_optional(
        "select 1 as found from audit_events
         where notary_id = ?1 and created_at > ?3 and action = ?2 and object_kind = ?4 and object_id = ?5 limit 1",
        params![notary, action, since, object.kind(), object.id()],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Returns whether a value of a field of a notary was replaced or cleared since a moment. Filling it in for the first time does not count.
pub fn has_replaced(
    tx: &mut Tx,
    notary: NotaryId,
    (action, field): (AuditAction, &str),
    since: Timestamp,
) -> Result<bool> {
    let replaced = format!("%[\"{field}\",\"%");
    let found = tx.row_optional(
        "select 1 as found from audit_events
         where notary_id = ?1 and created_at >= ?3 and action = ?2 and changes like ?4 limit 1",
        params![notary, action, since, replaced],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Returns a page of at most `limit` events with one of these actions that concern a notary, the newest first, before the last one
/// of the page before. The page before an event of another notary is empty.
pub fn newest_of_notary(
    tx: &mut Tx,
    notary: NotaryId,
    actions: &[AuditAction],
    before: Option<AuditEventId>,
    limit: u32,
) -> Result<Vec<AuditEvent>> {
    let moment = match before {
        None => None,
        Some(event) => match moment_of(tx, notary, event)? {
            Some(moment) => Some((moment, event)),
            None => return Ok(Vec::new()),
        },
    };
    let mut values: Vec<Value<'_>> = vec![notary.value()];
    let mut sql = format!("select {COLUMNS} where e.notary_id = ?1");
    if let Some((moment, event)) = &moment {
        values.extend([moment.value(), event.value()]);
        sql.push_str(" and (e.created_at, e.id) < (?2, ?3)");
    }
    let first = values.len() + 1;
    values.extend(actions.iter().map(Bind::value));
    let places: Vec<String> = (first..=values.len())
        .map(|number| format!("?{number}"))
        .collect();
    values.push(limit.value());
    sql.push_str(&format!(
        " and e.action in ({}) order by e.created_at desc, e.id desc limit ?{}",
        places.join(", "),
        values.len()
    ));
    let listed = tx.rows(&sql, &values, read)?;
    Ok(listed.into_iter().map(|listed| listed.event).collect())
}

fn moment_of(tx: &mut Tx, notary: NotaryId, event: AuditEventId) -> Result<Option<Timestamp>> {
    let sql = "select created_at from audit_events where id = ?1 and notary_id = ?2";
    tx.row_optional(sql, params![event, notary], |row| row.next())
}

/// Appends a parameter and returns its condition.
fn condition<'a>(values: &mut Vec<Value<'a>>, left: &str, value: &'a impl Bind) -> String {
    values.push(value.value());
    format!(" and {left} ?{}", values.len())
}

fn read(row: &mut Row<'_>) -> Result<ListedEvent> {
    let (id, created_at) = (row.next()?, row.next()?);
    let actor = read_actor(row)?;
    let (action, notary_id, order_id) = (row.next()?, row.next()?, row.next()?);
    let object = match (row.next()?, row.next()?) {
        (Some::<String>(kind), Some::<String>(id)) => Some(
            AuditObject::parse_saved(&kind, &id)
                .ok_or_else(|| row.inconsistent("object_kind", "expected an object"))?,
        ),
        _ => None,
    };
    let changes = read_changes(&row.next::<String>()?)
        .ok_or_else(|| row.inconsistent("changes", "expected a list of changes"))?;
    let (network, browser) = (row.next()?, row.next()?);
    let seal = match (row.next()?, row.next()?) {
        (Some(sequence), Some(hash)) => Some(AuditSeal { sequence, hash }),
        _ => None,
    };
    Ok(ListedEvent {
        event: AuditEvent {
            id,
            created_at,
            origin: Origin {
                actor,
                network,
                browser,
            },
            action,
            notary_id,
            order_id,
            object,
            changes,
        },
        seal,
        order_number: row.next()?,
    })
}

fn read_actor(row: &mut Row<'_>) -> Result<Actor> {
    let kind: String = row.next()?;
    let (notary, name): (Option<NotaryId>, Option<String>) = (row.next()?, row.next()?);
    match (kind.as_str(), notary, name) {
        ("notary", Some(notary), _) => Ok(Actor::Notary(notary)),
        ("operator", _, Some(name)) => Ok(Actor::Operator(name)),
        ("stranger", ..) => Ok(Actor::Stranger),
        ("worker", ..) => Ok(Actor::Worker),
        _ => Err(row.inconsistent("actor", "expected who did it")),
    }
}

fn write_changes(changes: &[AuditChange]) -> Result<String> {
    let shown = |value: &Option<AuditValue>| value.as_ref().map(AuditValue::to_string);
    let stored: Vec<StoredChange> = changes
        .iter()
        .map(|change| (change.field.clone(), shown(&change.from), shown(&change.to)))
        .collect();
    serde_json::to_string(&stored).map_err(|error| StorageError::Statement(error.to_string()))
}

fn read_changes(text: &str) -> Option<Vec<AuditChange>> {
    let stored: Vec<StoredChange> = serde_json::from_str(text).ok()?;
    let changes = stored.into_iter().map(|(field, from, to)| AuditChange {
        field,
        from: from.map(AuditValue::from_saved),
        to: to.map(AuditValue::from_saved),
    });
    Some(changes.collect())
}
