//! Refunds that the operator asked for. A row is stored before the acquirer is asked.

use cabinet_domain::payment::{Refund, RefundScope, RefundStage, RefundState};
use cabinet_domain::{Line, OperatorReason, OrderId, RefundId, TransferId};
use jiff::Timestamp;

use crate::engine::error::{Result, StorageError};
use crate::engine::row::Row;
use crate::engine::tx::{CLOCKS_APART, Tx};
use crate::engine::value::params;
use crate::locks::{LockedOrder, LockedTransfer};
use crate::payment::absences::{self, COLUMNS as ABSENCE, REPLACED as ABSENCE_REPLACED};

/// A program of the release before stores no sum that was given back before: it counts what our refunds of the charge have given back.
const COLUMNS: &str = "id, order_id, attempt_id, scope, transfer_id, amount, \
    coalesce(given_back_before, (select cast(sum(d.amount) as bigint) from refunds d
        where d.attempt_id = refunds.attempt_id and d.state = 'done' and d.id <> refunds.id), 0) as given_back_before, \
    reason, state, submitted_at, ended_at, code, last_error, created_at, next_check_at, checks";

/// The condition for an order `o` without a refund that is under way.
pub(crate) const NONE_UNDER_WAY: &str =
    "not exists (select 1 from refunds u where u.order_id = o.id and u.ended_at is null)";

/// The condition for a refund `r` that has given back all that was left of the charge that counts for its order: the earliest one that stands, as
/// [`cabinet_domain::payment::Case::counting_charge`] says. It stands after that where a part was marked as given back by hand and is done at the
/// acquirer later. A refund under way counts whatever its charge, because it may end where that charge counts again.
pub(crate) const OF_WHOLE_CHARGE: &str =
    "r.scope = 'whole' and (r.ended_at is null or r.state = 'done'
    and r.attempt_id = (select a.id from attempts a where a.order_id = r.order_id and a.charged_at is not null and a.reversed_at is null
                        order by a.charged_at, a.id limit 1))";

fn read(row: &mut Row<'_>) -> Result<Refund> {
    let (id, order_id, attempt_id): (RefundId, _, _) = (row.next()?, row.next()?, row.next()?);
    let (scope, transfer): (String, Option<TransferId>) = (row.next()?, row.next()?);
    let (amount, given_back_before) = (row.next()?, row.next()?);
    let reason: Line = row.next()?;
    let stage = Stage {
        state: row.next()?,
        submitted_at: row.next()?,
        ended_at: row.next()?,
        code: row.next()?,
        last_error: row.next()?,
        created_at: row.next()?,
        next_check_at: row.next()?,
    };
    let created_at = stage.created_at;
    let checks = row.next()?;
    let absence = absences::read(row)?;
    Ok(Refund {
        id,
        order_id,
        attempt_id,
        scope: RefundScope::parse(&scope, transfer).ok_or_else(|| broken(id, "scope"))?,
        amount,
        given_back_before,
        reason: OperatorReason::from_saved(reason),
        created_at,
        checks,
        stage: stage.read().ok_or_else(|| broken(id, "state"))?,
        absence,
    })
}

/// A stage as it is stored.
struct Stage {
    state: RefundState,
    submitted_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    code: Option<String>,
    last_error: Option<String>,
    created_at: Timestamp,
    next_check_at: Option<Timestamp>,
}

impl Stage {
    fn read(self) -> Option<RefundStage> {
        Some(match self.state {
            RefundState::Prepared => RefundStage::Prepared {
                next_check_at: self.next_check_at?,
            },
            RefundState::Submitted => RefundStage::Submitted {
                submitted_at: self.submitted_at,
                next_check_at: self.next_check_at?,
                last_error: self.last_error,
            },
            RefundState::Accepted => RefundStage::Accepted {
                submitted_at: self.submitted_at,
                next_check_at: self.next_check_at?,
                last_error: self.last_error,
            },
            RefundState::Done => RefundStage::Done { at: self.ended_at? },
            RefundState::NotSent => RefundStage::NotSent { at: self.ended_at? },
            RefundState::Refused => RefundStage::Refused {
                code: self.code?,
                at: self.ended_at?,
            },
        })
    }
}

fn broken(id: RefundId, column: &str) -> StorageError {
    StorageError::Inconsistent {
        table: "refunds".to_owned(),
        id: Some(id.to_string()),
        column: column.to_owned(),
        reason: "the parts of the row do not fit together".to_owned(),
    }
}

/// Inserts or updates a refund of an order. `now` is the moment from which the time of its next check is counted.
pub fn save(tx: &mut Tx, order: &LockedOrder<'_>, refund: &Refund, now: Timestamp) -> Result<()> {
    order.covers(refund.order_id, "refunds")?;
    let stage = &refund.stage;
    let sql = format!(
        "insert into refunds (id, order_id, attempt_id, scope, transfer_id, amount, reason, state, submitted_at, ended_at, code,
             last_error, created_at, next_check_at, scheduled_at, checks, given_back_before, {ABSENCE})
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
             ?18, ?19, ?20, ?21, ?22, ?23)
         on conflict (id) do update set state = excluded.state, submitted_at = coalesce(excluded.submitted_at, refunds.submitted_at),
             ended_at = excluded.ended_at, code = excluded.code, last_error = excluded.last_error,
             next_check_at = excluded.next_check_at, scheduled_at = excluded.scheduled_at,
             given_back_before = excluded.given_back_before, {ABSENCE_REPLACED}"
    );
    tx.execute(
        &sql,
        &[
            params![
                refund.id,
                order,
                refund.attempt_id,
                refund.scope.as_str(),
                refund.scope.transfer(),
                refund.amount,
                refund.reason.as_str(),
                stage.state(),
                stage.submitted_at(),
                stage.ended_at(),
                stage.code(),
                stage.last_error(),
                refund.created_at,
                stage.next_check_at(),
                now,
                refund.checks,
                refund.given_back_before,
            ]
            .as_slice(),
            &absences::values(refund.absence),
        ]
        .concat(),
    )
    .map(|_| ())
}

/// Returns the refunds of an order, the earliest first.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<Refund>> {
    let sql = format!(
        "select {COLUMNS}, {ABSENCE} from refunds where order_id = ?1 order by created_at, id"
    );
    tx.rows(&sql, params![order], read)
}

/// Returns whether all that was left of the charge that pays an order goes back to the card, or went back, so that none of its parts may go
/// elsewhere.
pub fn is_given_back_whole(tx: &mut Tx, order: OrderId) -> Result<bool> {
    let sql = format!("select count(*) from refunds r where r.order_id = ?1 and {OF_WHOLE_CHARGE}");
    let known: i64 = tx.row(&sql, params![order], |row| row.next())?;
    Ok(known > 0)
}

/// Returns the ids of the refunds that are due for a check and of their orders, and postpones their next check to `until`, so that no
/// other worker takes them meanwhile. Increases their count of checks. One that was scheduled far in the future is due as well: the
/// clock was set back.
pub fn claim_due(
    tx: &mut Tx,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<(RefundId, OrderId)>> {
    let sql = format!(
        "with due as materialized (select id from refunds
                      where next_check_at is not null and (next_check_at <= ?1 or scheduled_at > ?4)
                      order by next_check_at, id limit ?3{})
         update refunds set next_check_at = ?2, scheduled_at = ?1, checks = checks + 1 where id in (select id from due)
         returning id, order_id",
        tx.skip_locked_clause()
    );
    let mut claimed = tx.rows(
        &sql,
        params![now, until, limit, now + CLOCKS_APART],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    // The database returns changed rows in any order.
    claimed.sort_unstable();
    Ok(claimed)
}

/// Marks prepared refunds as submitted. After a copy was restored, nobody knows whether they were sent since the copy was made.
pub fn doubt_prepared(tx: &mut Tx) -> Result<u64> {
    tx.execute(
        "update refunds set state = 'submitted', last_error = 'restored' where state = 'prepared'",
        params![],
    )
}

/// Keeps transfers from being sent while a refund is under way: the named one, or all of an order that are planned. A returned one counts
/// as asked back, so it is not sent again. Returns false if the named one can't be given back any more.
pub fn hold_transfers(tx: &mut Tx, order: &LockedOrder<'_>, refund: &Refund) -> Result<bool> {
    order.covers(refund.order_id, "refunds")?;
    match refund.scope {
        RefundScope::Sum => Ok(true),
        RefundScope::Whole => {
            let sql =
                "update transfers set refund_id = ?2 where order_id = ?1 and status = 'planned'";
            tx.execute(sql, params![order, refund.id])?;
            Ok(true)
        }
        RefundScope::Transfer(transfer) => {
            let sql = "update transfers set refund_id = ?2,
                           refund_requested_at = case when status = 'returned' then coalesce(refund_requested_at, ?3) end
                       where id = ?1 and refunded_at is null and given_back_at is null and status in ('planned', 'returned')
                           and not exists (select 1 from transfers n where n.replaces = ?1)";
            Ok(tx.execute(sql, params![transfer, refund.id, refund.created_at])? == 1)
        }
    }
}

/// Keeps what is planned of an order from being sent while all that was left of the charge that pays it goes back to the card, and after it
/// went back: transfers may be planned later than the refund was asked for.
pub fn hold_planned_late(tx: &mut Tx, order: &LockedOrder<'_>) -> Result<()> {
    let whole = format!("from refunds r where r.order_id = ?1 and {OF_WHOLE_CHARGE}");
    let sql = format!(
        "update transfers set refund_id = (select r.id {whole} order by r.created_at, r.id limit 1)
         where order_id = ?1 and status = 'planned' and refund_id is null and exists (select 1 {whole})"
    );
    tx.execute(&sql, params![order])?;
    Ok(())
}

/// Lets the transfers be sent that a refund has kept from it. A returned one that nobody but the refund has asked back may be sent again.
pub fn release_transfers(tx: &mut Tx, order: &LockedOrder<'_>, refund: &Refund) -> Result<u64> {
    order.covers(refund.order_id, "refunds")?;
    let sql = "update transfers set refund_id = null,
                   refund_requested_at = case when refund_requested_at <> ?2 then refund_requested_at end
               where refund_id = ?1";
    tx.execute(sql, params![refund.id, refund.created_at])
}

/// Marks the transfer of a refund as given back to the card: a planned one is called off (or was, where nothing is left of the payment), a
/// returned one stays so. Returns false if it is none of these, because it was sent before the acquirer told of the refund.
pub fn give_back_transfer(
    tx: &mut Tx,
    refund: RefundId,
    transfer: &LockedTransfer<'_>,
    reason: &str,
    now: Timestamp,
) -> Result<bool> {
    let planned = "update transfers set status = 'called_off', refund_id = ?2, given_back_at = ?3, updated_at = ?3, imported_at = ?3
                   where id = ?1 and given_back_at is null and status in ('planned', 'called_off')";
    if tx.execute(planned, params![transfer, refund, now])? == 1 {
        return Ok(true);
    }
    let returned = "update transfers set refund_id = ?2, refund_requested_at = coalesce(refund_requested_at, ?3), refunded_at = ?3,
                        refund_reason = ?4, imported_at = ?3
                    where id = ?1 and status = 'returned' and refunded_at is null
                        and not exists (select 1 from transfers n where n.replaces = ?1)";
    Ok(tx.execute(returned, params![transfer, refund, now, reason])? == 1)
}

/// Marks a transfer that was planned again or came back, if a refund has given its money back after it had been sent.
pub(crate) fn mark_given_back(
    tx: &mut Tx,
    transfer: &LockedTransfer<'_>,
    now: Timestamp,
) -> Result<()> {
    let sql = "select id, reason from refunds where transfer_id = ?1 and state = 'done'";
    let done: Option<(RefundId, String)> =
        tx.row_optional(sql, params![transfer], |row| Ok((row.next()?, row.next()?)))?;
    if let Some((refund, reason)) = done {
        give_back_transfer(tx, refund, transfer, &reason, now)?;
    }
    Ok(())
}
