//! Attempts to have an order paid. The reference of an attempt identifies it at the acquirer, so a lost answer can be
//! found again.

use cabinet_domain::payment::{AcquirerName, Attempt, AttemptKind, InvoiceId, InvoiceStatus, Told};
use cabinet_domain::{AttemptId, NotaryId, OrderId};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::{CLOCKS_APART, Tx};
use crate::engine::value::params;
use crate::locks::LockedOrder;
use crate::payment::absences::{self, COLUMNS as ABSENCE, REPLACED as ABSENCE_REPLACED};

const COLUMNS: &str = "id, order_id, reference, is_stray, kind, state, outcome, invoice_id, page_url, acquirer_status, \
    acquirer_modified_at, charged_at, reversed_at, refunded, withdrawn_at, masked_pan, payment_system, approval_code, rrn, \
    failure_code, amount, created_at, submitted_at, answered_at, expires_at, next_check_at, checks, last_error, acquirer_fee, acquirer";

fn read(row: &mut Row<'_>) -> Result<Attempt> {
    Ok(Attempt {
        id: row.next()?,
        order_id: row.next()?,
        payment_reference: row.next()?,
        is_stray: row.next()?,
        kind: row.next()?,
        state: row.next()?,
        outcome: row.next()?,
        invoice_id: row.next()?,
        page_url: row.next()?,
        told: read_told(row)?,
        charged_at: row.next()?,
        reversed_at: row.next()?,
        refunded: row.next()?,
        withdrawn_at: row.next()?,
        masked_pan: row.next_shown()?,
        payment_system: row.next()?,
        approval_code: row.next()?,
        rrn: row.next()?,
        failure_code: row.next()?,
        amount: row.next()?,
        created_at: row.next()?,
        submitted_at: row.next()?,
        answered_at: row.next()?,
        expires_at: row.next()?,
        next_check_at: row.next()?,
        checks: row.next()?,
        last_error: row.next()?,
        acquirer_fee: row.next()?,
        acquirer: row.next()?,
        absence: absences::read(row)?,
    })
}

fn read_told(row: &mut Row<'_>) -> Result<Option<Told>> {
    let status: Option<String> = row.next()?;
    let modified_at: Option<Timestamp> = row.next()?;
    Ok(status.zip(modified_at).map(|(status, modified_at)| Told {
        status: InvoiceStatus::from_wire(&status),
        modified_at,
    }))
}

/// Inserts or updates an attempt of an order. `now` is the moment from which the time of its next check is counted.
pub fn save(tx: &mut Tx, order: &LockedOrder<'_>, attempt: &Attempt, now: Timestamp) -> Result<()> {
    order.covers(attempt.order_id, "attempts")?;
    let told = attempt.told.as_ref();
    let sql = format!(
        "insert into attempts (id, order_id, reference, is_stray, kind, state, outcome, invoice_id, page_url, acquirer_status,
             acquirer_modified_at, charged_at, reversed_at, refunded, withdrawn_at, masked_pan, payment_system, approval_code,
             rrn, failure_code, amount, created_at, submitted_at, answered_at, expires_at, next_check_at, scheduled_at, checks,
             last_error, acquirer_fee, acquirer, {ABSENCE})
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23,
             ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37)
         on conflict (id) do update set state = excluded.state, outcome = excluded.outcome, invoice_id = excluded.invoice_id,
             page_url = excluded.page_url, acquirer_status = excluded.acquirer_status,
             acquirer_modified_at = excluded.acquirer_modified_at, charged_at = excluded.charged_at,
             reversed_at = excluded.reversed_at, refunded = excluded.refunded, withdrawn_at = excluded.withdrawn_at,
             masked_pan = excluded.masked_pan, payment_system = excluded.payment_system,
             approval_code = excluded.approval_code, rrn = excluded.rrn, failure_code = excluded.failure_code,
             submitted_at = excluded.submitted_at, answered_at = excluded.answered_at, expires_at = excluded.expires_at,
             next_check_at = excluded.next_check_at, scheduled_at = excluded.scheduled_at, last_error = excluded.last_error,
             acquirer_fee = excluded.acquirer_fee, {ABSENCE_REPLACED}"
    );
    tx.execute(
        &sql,
        &[
            params![
                attempt.id,
                order,
                attempt.payment_reference,
                attempt.is_stray,
                attempt.kind,
                attempt.state,
                attempt.outcome,
                attempt.invoice_id,
                attempt.page_url,
                told.map(|told| told.status.as_str().to_owned()),
                told.map(|told| told.modified_at),
                attempt.charged_at,
                attempt.reversed_at,
                attempt.refunded,
                attempt.withdrawn_at,
                attempt.masked_pan,
                attempt.payment_system,
                attempt.approval_code,
                attempt.rrn,
                attempt.failure_code,
                attempt.amount,
                attempt.created_at,
                attempt.submitted_at,
                attempt.answered_at,
                attempt.expires_at,
                attempt.next_check_at,
                now,
                attempt.checks,
                attempt.last_error,
                attempt.acquirer_fee,
                attempt.acquirer,
            ]
            .as_slice(),
            &absences::values(attempt.absence),
        ]
        .concat(),
    )?;
    save_refund(tx, attempt, now)
}

/// Stores what was given back of a charge so far, with the earliest moment at which the acquirer named that sum.
fn save_refund(tx: &mut Tx, attempt: &Attempt, now: Timestamp) -> Result<()> {
    let (refunded, at) = match (attempt.reversed_at, &attempt.told) {
        (Some(at), _) => (attempt.amount, at),
        (None, _) if attempt.refunded.is_zero() => return Ok(()),
        (None, told) => (
            attempt.refunded.min(attempt.amount),
            told.as_ref().map_or(now, |told| told.modified_at),
        ),
    };
    // A state without any time is stored as the epoch.
    let at = if at > Timestamp::UNIX_EPOCH { at } else { now };
    tx.execute(
        "insert into card_refunds (attempt_id, refunded, at) values (?1, ?2, ?3)
         on conflict (attempt_id, refunded) do update set at = excluded.at where excluded.at < card_refunds.at",
        params![attempt.id, refunded, at],
    )
    .map(|_| ())
}

/// Returns an attempt by id.
pub fn by_id(tx: &mut Tx, attempt: AttemptId) -> Result<Option<Attempt>> {
    tx.row_optional(
        &format!("select {COLUMNS}, {ABSENCE} from attempts where id = ?1"),
        params![attempt],
        read,
    )
}

/// Returns the order that an invoice or, where no attempt knows it, one of our references belongs to.
pub fn order_of_invoice(
    tx: &mut Tx,
    invoice: &InvoiceId,
    payment_reference: Option<AttemptId>,
) -> Result<Option<OrderId>> {
    let found = tx.row_optional(
        "select order_id from attempts where invoice_id = ?1",
        params![invoice],
        |row| row.next(),
    )?;
    match (found, payment_reference) {
        (None, Some(payment_reference)) => order_of_reference(tx, payment_reference),
        (found, _) => Ok(found),
    }
}

/// Returns the order that one of our references belongs to.
pub(crate) fn order_of_reference(
    tx: &mut Tx,
    payment_reference: AttemptId,
) -> Result<Option<OrderId>> {
    let found = tx.row_optional(
        "select order_id from attempts where reference = ?1 limit 1",
        params![payment_reference],
        |row| row.next(),
    )?;
    match found {
        Some(order) => Ok(Some(order)),
        None => order_named_by(tx, payment_reference),
    }
}

/// Returns the order that the id of an unknown attempt encodes. Returns `None` where two orders share the encoded
/// bytes, because money is never assigned by a guess.
fn order_named_by(tx: &mut Tx, attempt: AttemptId) -> Result<Option<OrderId>> {
    let Some((first, last)) = attempt.orders() else {
        return Ok(None);
    };
    let named = tx.rows(
        "select id from orders where id between ?1 and ?2 limit 2",
        params![first, last],
        |row| row.next(),
    )?;
    Ok(match named.as_slice() {
        [order] => Some(*order),
        _ => None,
    })
}

/// Returns all attempts of an order: its own, the earliest first, and then stray invoices.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<Attempt>> {
    let sql = format!(
        "select {COLUMNS}, {ABSENCE} from attempts where order_id = ?1 order by is_stray, created_at, id"
    );
    tx.rows(&sql, params![order], read)
}

/// The attempts of an order, and whether there is anything else that a settlement must know.
pub(crate) struct WithCompany {
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) has_refunds: bool,
    pub(crate) has_open_alarms: bool,
    pub(crate) has_receipt_consent: bool,
}

/// Returns all attempts of an order like [`of_order`], and whether it has refunds, open alarms or a consent to letters. An order without
/// attempts may have all of them.
pub(crate) fn with_company(tx: &mut Tx, order: OrderId) -> Result<WithCompany> {
    let sql = format!(
        "select {COLUMNS}, {ABSENCE}, exists (select 1 from refunds r where r.order_id = ?1) as has_refunds,
             exists (select 1 from alarms l where l.order_id = ?1 and l.closed_at is null) as has_open_alarms,
             exists (select 1 from receipt_consents c where c.order_id = ?1) as has_receipt_consent
         from attempts where order_id = ?1 order by is_stray, created_at, id"
    );
    let (mut has_refunds, mut has_open_alarms, mut has_receipt_consent) = (None, None, None);
    let attempts = tx.rows(&sql, params![order], |row| {
        let attempt = read(row)?;
        has_refunds = Some(row.next()?);
        has_open_alarms = Some(row.next()?);
        has_receipt_consent = Some(row.next()?);
        Ok(attempt)
    })?;
    Ok(WithCompany {
        attempts,
        has_refunds: has_refunds.unwrap_or(true),
        has_open_alarms: has_open_alarms.unwrap_or(true),
        has_receipt_consent: has_receipt_consent.unwrap_or(true),
    })
}

/// Returns when attempts of a notary were declined after a moment, the latest first, at most `limit`: of each order the latest
/// `of_order_max`. Several cards that were declined on one page of the acquirer count once.
pub fn declines_since(
    tx: &mut Tx,
    notary: NotaryId,
    since: Timestamp,
    of_order_max: i64,
    limit: i64,
) -> Result<Vec<Timestamp>> {
    tx.rows(
        "select declined_at from (
             select a.acquirer_modified_at as declined_at, a.id as attempt_id,
                 row_number() over (partition by a.order_id order by a.acquirer_modified_at desc, a.id) as place
             from attempts a join orders o on o.id = a.order_id
             where a.acquirer_status = 'failure' and a.acquirer_modified_at > ?2 and o.notary_id = ?1
         ) as declines
         where place <= ?3
         order by declined_at desc, attempt_id limit ?4",
        params![notary, since, of_order_max, limit],
        |row| row.next(),
    )
}

/// Returns when attempts of an order were declined after a moment, as [`declines_since`] does for a notary.
pub fn declines_of_order(
    tx: &mut Tx,
    order: OrderId,
    since: Timestamp,
    limit: i64,
) -> Result<Vec<Timestamp>> {
    tx.rows(
        "select acquirer_modified_at from attempts
         where order_id = ?1 and acquirer_status = 'failure' and acquirer_modified_at > ?2
         order by acquirer_modified_at desc, id limit ?3",
        params![order, since, limit],
        |row| row.next(),
    )
}

/// Returns the attempts begun from one moment to before another, for tests that compare with the acquirer's ledger.
pub fn begun_between(tx: &mut Tx, from: Timestamp, to: Timestamp) -> Result<Vec<Attempt>> {
    let sql = format!(
        "select {COLUMNS}, {ABSENCE} from attempts where created_at >= ?1 and created_at < ?2 order by created_at, id"
    );
    tx.rows(&sql, params![from, to], read)
}

/// Returns the attempts charged from one moment to before another, by the acquirer's clock.
pub fn charged_between(tx: &mut Tx, from: Timestamp, to: Timestamp) -> Result<Vec<Attempt>> {
    let sql = format!(
        "select {COLUMNS}, {ABSENCE} from attempts where charged_at >= ?1 and charged_at < ?2 order by charged_at, id"
    );
    tx.rows(&sql, params![from, to], read)
}

/// Marks unanswered attempts as perhaps answered since the copy of the database that was restored at `now`: prepared ones as submitted, and
/// pages as perhaps shown to somebody ([`Attempt::may_have_been_shown`]), who can pay there for as long as a page of this moment.
pub fn doubt_unanswered(tx: &mut Tx, now: Timestamp) -> Result<()> {
    let sql = "update attempts set state = 'submitted', last_error = 'restored' where state in ('prepared', 'submitted')";
    tx.execute(sql, params![])?;
    for acquirer in AcquirerName::ALL {
        let sql = "update attempts set expires_at = ?3 where state = 'submitted' and kind = ?2 and acquirer = ?1";
        let end = now + acquirer.page_lifetime();
        tx.execute(sql, params![acquirer, AttemptKind::Invoice, end])?;
    }
    Ok(())
}

/// Returns the ids of the attempts that are due for a check and of their orders, sorted by id, and postpones their next
/// check to `until`, so that no other worker takes them meanwhile. Those that wait longest are taken first. Increases
/// their count of checks. An attempt that was scheduled far in the future is due as well: the clock was set back.
pub fn claim_due(
    tx: &mut Tx,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<(AttemptId, OrderId)>> {
    let sql = format!(
        "with due as materialized (select id from attempts
                      where next_check_at is not null and (next_check_at <= ?1 or scheduled_at > ?4)
                      order by next_check_at, id limit ?3{})
         update attempts set next_check_at = ?2, scheduled_at = ?1, checks = checks + 1 where id in (select id from due)
         returning id, order_id",
        tx.skip_locked_clause()
    );
    // Nothing else is read: a row that can't be read must not keep the others from being checked.
    let mut claimed = tx.rows(
        &sql,
        params![now, until, limit, now + CLOCKS_APART],
        |row| Ok((row.next()?, row.next()?)),
    )?;
    // The database returns changed rows in any order.
    claimed.sort_unstable();
    Ok(claimed)
}
