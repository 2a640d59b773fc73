//! Attempts to have an order paid. The attempt's id is our reference at the acquirer, so a lost answer is found again.

use cabinet_domain::{AttemptId, Money, OrderId, OrderStatus};
use jiff::Timestamp;

use crate::convert::{shown_by, words};
use crate::error::Result;
use crate::row::Row;
use crate::tx::Tx;
use crate::value::params;

words! {
    /// What the acquirer is asked for.
    AttemptKind {
        /// A page to pay at.
        Invoice = "invoice",
        /// A charge of a saved card.
        CardToken = "card_token",
    }
}

words! {
    /// How far an attempt has come.
    AttemptState {
        /// The acquirer was asked, or is about to be; no answer is known.
        Asked = "asked",
        /// The acquirer has an invoice for it.
        Accepted = "accepted",
        /// The acquirer refused to have anything to do with it.
        Refused = "refused",
        /// A later attempt took its place. Its invoice was cancelled, or is asked about until it can no longer be paid.
        Superseded = "superseded",
        /// Its outcome is known.
        Finished = "finished",
    }
}

/// An attempt as stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Names the attempt: our reference.
    pub id: AttemptId,
    /// The order.
    pub order_id: OrderId,
    /// What was asked for.
    pub kind: AttemptKind,
    /// How far it has come.
    pub state: AttemptState,
    /// How it ended; `Some` exactly where it is finished.
    pub outcome: Option<OrderStatus>,
    /// The acquirer's id.
    pub invoice_id: Option<String>,
    /// Where to pay or to confirm.
    pub page_url: Option<String>,
    /// The acquirer's word for where the invoice stands.
    pub acquirer_status: Option<String>,
    /// How final that word is.
    pub acquirer_rank: i64,
    /// When the acquirer last changed it.
    pub acquirer_modified_at: Option<Timestamp>,
    /// The card, masked as the acquirer masks it.
    pub masked_pan: Option<String>,
    /// `visa`, `mastercard` and so on.
    pub payment_system: Option<String>,
    /// Authorisation code of the issuing bank.
    pub approval_code: Option<String>,
    /// Retrieval reference number of the card scheme.
    pub rrn: Option<String>,
    /// The acquirer's code of a failure.
    pub failure_code: Option<String>,
    /// What is to be charged.
    pub amount: Money,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When the acquirer answered.
    pub answered_at: Option<Timestamp>,
    /// When its invoice can no longer be paid.
    pub expires_at: Option<Timestamp>,
    /// When the acquirer is asked next; `None` where nothing more is expected.
    pub next_check_at: Option<Timestamp>,
    /// How often the acquirer was asked.
    pub checks: i64,
    /// What went wrong last, for people who look after the service.
    pub last_error: Option<String>,
}

/// An attempt to be begun.
#[derive(Clone, Debug)]
pub struct NewAttempt {
    /// Names the attempt.
    pub id: AttemptId,
    /// The order.
    pub order_id: OrderId,
    /// What is asked for.
    pub kind: AttemptKind,
    /// What is to be charged.
    pub amount: Money,
    /// Now.
    pub created_at: Timestamp,
    /// When the acquirer is asked what became of it, if nothing is heard.
    pub next_check_at: Timestamp,
}

/// What the acquirer says about an attempt. What it does not say stays as it was.
#[derive(Clone, Default)]
pub struct AcquirerFacts {
    /// Its word for where the invoice stands.
    pub status: String,
    /// How final that word is: of two with the same date the more final one holds.
    pub rank: i64,
    /// When it changed last.
    pub modified_at: Timestamp,
    /// Its id of the invoice.
    pub invoice_id: Option<String>,
    /// The card, masked; the database refuses one that is not.
    pub masked_pan: Option<String>,
    /// `visa`, `mastercard` and so on.
    pub payment_system: Option<String>,
    /// Authorisation code.
    pub approval_code: Option<String>,
    /// Retrieval reference number.
    pub rrn: Option<String>,
    /// Code of a failure.
    pub failure_code: Option<String>,
}

shown_by! {
    Attempt: id, order_id, kind, state, outcome, acquirer_status, next_check_at;
    AcquirerFacts: status, rank, modified_at;
}

const COLUMNS: &str = "id, order_id, kind, state, outcome, invoice_id, page_url, acquirer_status, acquirer_rank, \
    acquirer_modified_at, masked_pan, payment_system, approval_code, rrn, failure_code, amount, created_at, answered_at, \
    expires_at, next_check_at, checks, last_error";

/// More may come of the attempt. One that was superseded and closed is not asked about again.
const OPEN: &str =
    "(state in ('asked', 'accepted') or (state = 'superseded' and next_check_at is not null))";

fn read(row: &mut Row<'_>) -> Result<Attempt> {
    Ok(Attempt {
        id: row.next()?,
        order_id: row.next()?,
        kind: row.next()?,
        state: row.next()?,
        outcome: row.next()?,
        invoice_id: row.next()?,
        page_url: row.next()?,
        acquirer_status: row.next()?,
        acquirer_rank: row.next()?,
        acquirer_modified_at: row.next()?,
        masked_pan: row.next()?,
        payment_system: row.next()?,
        approval_code: row.next()?,
        rrn: row.next()?,
        failure_code: row.next()?,
        amount: row.next()?,
        created_at: row.next()?,
        answered_at: row.next()?,
        expires_at: row.next()?,
        next_check_at: row.next()?,
        checks: row.next()?,
        last_error: row.next()?,
    })
}

/// Writes down that the acquirer is about to be asked.
///
/// # Errors
/// Those of the database.
pub fn insert(tx: &mut Tx, attempt: &NewAttempt) -> Result<()> {
    tx.execute(
        "insert into attempts (id, order_id, kind, state, acquirer_rank, amount, created_at, next_check_at, checks)
         values (?1, ?2, ?3, 'asked', 0, ?4, ?5, ?6, 0)",
        params![attempt.id, attempt.order_id, attempt.kind, attempt.amount, attempt.created_at, attempt.next_check_at],
    )
    .map(|_| ())
}

/// An attempt by id. Not locked: look up, and so lock, its order first.
///
/// # Errors
/// Those of the database.
pub fn by_id(tx: &mut Tx, attempt: AttemptId) -> Result<Option<Attempt>> {
    tx.row_optional(
        &format!("select {COLUMNS} from attempts where id = ?1"),
        params![attempt],
        read,
    )
}

/// An attempt by the acquirer's id of its invoice. Not locked, as [`by_id`].
///
/// # Errors
/// Those of the database.
pub fn by_invoice(tx: &mut Tx, invoice_id: &str) -> Result<Option<Attempt>> {
    tx.row_optional(
        &format!("select {COLUMNS} from attempts where invoice_id = ?1"),
        params![invoice_id],
        read,
    )
}

/// The newest attempt of an order.
///
/// # Errors
/// Those of the database.
pub fn current_of(tx: &mut Tx, order: OrderId) -> Result<Option<Attempt>> {
    let sql = format!(
        "select {COLUMNS} from attempts where order_id = ?1 order by created_at desc, id desc limit 1"
    );
    tx.row_optional(&sql, params![order], read)
}

/// All attempts of an order, the earliest first.
///
/// # Errors
/// Those of the database.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<Attempt>> {
    let sql = format!("select {COLUMNS} from attempts where order_id = ?1 order by created_at, id");
    tx.rows(&sql, params![order], read)
}

/// The attempts begun from one moment to before another: for comparing with the acquirer's statement.
///
/// # Errors
/// Those of the database.
pub fn begun_between(tx: &mut Tx, from: Timestamp, to: Timestamp) -> Result<Vec<Attempt>> {
    let sql = format!(
        "select {COLUMNS} from attempts where created_at >= ?1 and created_at < ?2 order by created_at, id"
    );
    tx.rows(&sql, params![from, to], read)
}

/// Writes down that the acquirer has an invoice for the attempt. `false` unless the attempt was waiting for the answer: a
/// report may have come first.
///
/// # Errors
/// Those of the database.
pub fn record_accepted(
    tx: &mut Tx,
    attempt: AttemptId,
    invoice_id: &str,
    page_url: Option<&str>,
    expires_at: Option<Timestamp>,
    next_check_at: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let sql = "update attempts set state = 'accepted', invoice_id = ?2, page_url = ?3, expires_at = ?4, next_check_at = ?5,
                   answered_at = ?6, last_error = null
               where id = ?1 and state = 'asked'";
    Ok(tx.execute(
        sql,
        params![
            attempt,
            invoice_id,
            page_url,
            expires_at,
            next_check_at,
            now
        ],
    )? == 1)
}

/// Writes down where to pay, for an attempt that a report had accepted before the answer was stored.
///
/// # Errors
/// Those of the database.
pub fn record_page(
    tx: &mut Tx,
    attempt: AttemptId,
    page_url: &str,
    expires_at: Option<Timestamp>,
) -> Result<()> {
    let sql =
        "update attempts set page_url = ?2, expires_at = ?3 where id = ?1 and page_url is null";
    tx.execute(sql, params![attempt, page_url, expires_at])
        .map(|_| ())
}

/// Puts another invoice in the place of one that a report told of and that nobody was shown; what the acquirer said of the old one
/// is forgotten. Nothing is done where a payment of the old one was heard of.
///
/// # Errors
/// Those of the database.
pub fn replace_invoice(tx: &mut Tx, attempt: AttemptId, invoice_id: &str) -> Result<()> {
    let sql = "update attempts set invoice_id = ?2, acquirer_status = null, acquirer_rank = 0, acquirer_modified_at = null
               where id = ?1 and state = 'accepted' and page_url is null and acquirer_status = 'created' and invoice_id <> ?2";
    tx.execute(sql, params![attempt, invoice_id]).map(|_| ())
}

/// Writes down that the acquirer refused. `false` unless the attempt was waiting for the answer.
///
/// # Errors
/// Those of the database.
pub fn record_refused(
    tx: &mut Tx,
    attempt: AttemptId,
    failure_code: Option<&str>,
    error: &str,
    now: Timestamp,
) -> Result<bool> {
    let sql = "update attempts set state = 'refused', failure_code = ?2, last_error = ?3, next_check_at = null, answered_at = ?4
               where id = ?1 and state = 'asked'";
    Ok(tx.execute(sql, params![attempt, failure_code, error, now])? == 1)
}

/// Writes down what the acquirer says, unless something newer, or as new and more final, is known already: then `false`,
/// and nothing changes. An attempt that was waiting for its answer is accepted by it.
///
/// # Errors
/// Those of the database.
pub fn record_facts(
    tx: &mut Tx,
    attempt: AttemptId,
    facts: &AcquirerFacts,
    now: Timestamp,
) -> Result<bool> {
    let sql = "update attempts set acquirer_status = ?2, acquirer_rank = ?3, acquirer_modified_at = ?4,
                   invoice_id = coalesce(?5, invoice_id), masked_pan = coalesce(?6, masked_pan),
                   payment_system = coalesce(?7, payment_system), approval_code = coalesce(?8, approval_code),
                   rrn = coalesce(?9, rrn), failure_code = coalesce(?10, failure_code),
                   state = case when state = 'asked' then 'accepted' else state end,
                   answered_at = coalesce(answered_at, ?11), last_error = null
               where id = ?1 and (acquirer_modified_at is null or acquirer_modified_at < ?4
                   or (acquirer_modified_at = ?4 and acquirer_rank < ?3))";
    let changed = tx.execute(
        sql,
        params![
            attempt,
            facts.status,
            facts.rank,
            facts.modified_at,
            facts.invoice_id,
            facts.masked_pan,
            facts.payment_system,
            facts.approval_code,
            facts.rrn,
            facts.failure_code,
            now,
        ],
    )?;
    Ok(changed == 1)
}

/// Writes down how an attempt ended; it is asked about no more. A later fact may end it otherwise. `false` if it had
/// ended so before.
///
/// # Errors
/// Those of the database.
pub fn finish(tx: &mut Tx, attempt: AttemptId, outcome: OrderStatus) -> Result<bool> {
    let sql = "update attempts set state = 'finished', outcome = ?2, next_check_at = null
               where id = ?1 and (outcome is null or outcome <> ?2)";
    Ok(tx.execute(sql, params![attempt, outcome])? == 1)
}

/// Writes down that a later attempt takes the place of this one, and when the acquirer is asked about it all the same (`None`: its
/// invoice is closed). `false` if it is refused, ended, or superseded and closed.
///
/// # Errors
/// Those of the database.
pub fn supersede(
    tx: &mut Tx,
    attempt: AttemptId,
    next_check_at: Option<Timestamp>,
) -> Result<bool> {
    let sql = format!(
        "update attempts set state = 'superseded', next_check_at = ?2 where id = ?1 and {OPEN}"
    );
    Ok(tx.execute(&sql, params![attempt, next_check_at])? == 1)
}

/// Takes attempts whose time to ask the acquirer has come, the longest waiting first, and puts them off to `until`, so
/// that no other worker takes them meanwhile. Their check is counted.
///
/// # Errors
/// Those of the database.
pub fn claim_due(
    tx: &mut Tx,
    now: Timestamp,
    until: Timestamp,
    limit: u32,
) -> Result<Vec<Attempt>> {
    let sql = format!(
        "update attempts set next_check_at = ?2, checks = checks + 1
         where id in (select id from attempts where next_check_at <= ?1 order by next_check_at limit ?3{})
         returning {COLUMNS}",
        tx.skip_locked_clause()
    );
    tx.rows(&sql, params![now, until, limit], read)
}

/// Sets when the acquirer is asked next (`None`: nothing more is expected), and what went wrong this time. Nothing is set where
/// nothing more can come of the attempt.
///
/// # Errors
/// Those of the database.
pub fn schedule(
    tx: &mut Tx,
    attempt: AttemptId,
    next_check_at: Option<Timestamp>,
    error: Option<&str>,
) -> Result<()> {
    let sql = format!(
        "update attempts set next_check_at = ?2, last_error = coalesce(?3, last_error) where id = ?1 and {OPEN}"
    );
    tx.execute(&sql, params![attempt, next_check_at, error])
        .map(|_| ())
}
