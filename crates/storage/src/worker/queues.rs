//! How much waits in the database, and for how long. For the metrics; nothing here decides anything.

use cabinet_domain::payment::AlarmKind;
use cabinet_domain::{AccountStanding, OrderStatus, TransferStatus};
use cabinet_metrics::Queue;
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::{Value, params};
use crate::transfer::transfers::{is_undecided, waits_for_operator};
use crate::worker::outbox::TEXT_MESSAGES;

/// What waits in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// How many.
    pub count: i64,
    /// When the oldest began to wait, or should have been done; `None`: nothing waits.
    pub since: Option<Timestamp>,
}

/// Measures a queue. Each is read by an index that holds little more than what waits; that of returned parts by their status.
pub fn measure(tx: &mut Tx, queue: Queue, now: Timestamp) -> Result<Waiting> {
    let [one, other] = TEXT_MESSAGES;
    let (planned, paid) = (TransferStatus::Planned, OrderStatus::Paid);
    match queue {
        Queue::Alarms => ask(
            tx,
            "min(first_at)",
            "alarms where closed_at is null",
            params![],
        ),
        Queue::AuditEvents => ask(
            tx,
            "min(created_at)",
            "audit_events where sequence is null",
            params![],
        ),
        Queue::Cancellations => ask(
            tx,
            "min(cancel_begun_at)",
            "orders where cancel_begun_at is not null",
            params![],
        ),
        Queue::Complaints => ask(
            tx,
            "min(created_at)",
            "complaints where closed_at is null",
            params![],
        ),
        Queue::Letters => ask(
            tx,
            "min(created_at)",
            "outbox where delivered_at is null and parked_at is null and kind not in (?1, ?2)",
            params![one, other],
        ),
        Queue::TextMessages => ask(
            tx,
            "min(created_at)",
            "outbox where delivered_at is null and parked_at is null and kind in (?1, ?2)",
            params![one, other],
        ),
        Queue::Parked => ask(
            tx,
            "min(parked_at)",
            "outbox where delivered_at is null and parked_at is not null",
            params![],
        ),
        Queue::Names => ask(
            tx,
            "min(name_requested_at)",
            "notaries where requested_name is not null and standing = ?1",
            params![AccountStanding::Confirmed],
        ),
        Queue::Notaries => ask(
            tx,
            "min(standing_since)",
            "notaries where standing = ?1 and phone_verified_at is not null",
            params![AccountStanding::Waiting],
        ),
        Queue::PartsReturned => ask(
            tx,
            "min(updated_at)",
            concat!("transfers t where ", is_undecided!()),
            params![],
        ),
        Queue::PaymentChecks => ask(
            tx,
            "min(next_check_at)",
            "attempts where next_check_at is not null and next_check_at <= ?1",
            params![now],
        ),
        Queue::RemovedCards => ask(
            tx,
            // Each try moves its own next moment on, so the wait is counted from the removal.
            "min(removed_at)",
            "removed_cards",
            params![],
        ),
        Queue::TransfersHeld => ask(
            tx,
            "min(held_at)",
            concat!("transfers t where ", waits_for_operator!()),
            params![],
        ),
        Queue::TransfersToSend => ask(
            tx,
            "min(created_at)",
            "transfers t where t.status = ?1 and t.held_at is null
                 and exists (select 1 from orders o where o.id = t.order_id and o.status = ?2)",
            params![planned, paid],
        ),
    }
}

fn ask(tx: &mut Tx, since: &str, rows: &str, values: &[Value<'_>]) -> Result<Waiting> {
    let sql = format!("select count(*) as waiting, {since} as since from {rows}");
    tx.row(&sql, values, |row| {
        Ok(Waiting {
            count: row.next()?,
            since: row.next()?,
        })
    })
}

/// Returns the number of open alarms of each kind that has one. A kind that this version does not know is left out.
pub fn open_alarms(tx: &mut Tx) -> Result<Vec<(AlarmKind, i64)>> {
    let sql = "select kind, count(*) as open from alarms where closed_at is null group by kind";
    let found: Vec<(String, i64)> =
        tx.rows(sql, params![], |row| Ok((row.next()?, row.next()?)))?;
    let known = found.into_iter();
    Ok(known
        .filter_map(|(kind, open)| AlarmKind::parse(&kind).map(|kind| (kind, open)))
        .collect())
}

/// Returns when a day was last compared with the acquirer's statement.
pub fn statement_compared(tx: &mut Tx) -> Result<Option<Timestamp>> {
    let sql = "select max(compared_at) as compared from statement_days";
    tx.row(sql, params![], |row| row.next())
}
