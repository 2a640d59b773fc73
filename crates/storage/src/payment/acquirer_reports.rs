//! Reports of the acquirer, stored byte for byte as they came.
//!
//! On PostgreSQL they are partitioned by the month in which they came, by UTC ([decision 51](../../../docs/decisions/51-ten-years-of-orders.md)).

use cabinet_domain::payment::NewReport;
use cabinet_domain::{OrderId, ReportId};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::engine::error::{Result, StorageError};
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::operator::erasure::OPEN;

const COLUMNS: &str =
    "r.id, r.received_at, r.invoice_id, r.modified_at, r.body, r.signature, r.verdict, r.acquirer";
/// Months for which partitions are made ahead.
const MONTHS_AHEAD: i64 = 2;

/// Stores a report, unless the same body was stored before. Returns whether it is new.
pub fn insert(tx: &mut Tx, report: &NewReport) -> Result<bool> {
    let is_new = claim(tx, report)?;
    if is_new {
        store(tx, report)?;
    }
    Ok(is_new)
}

/// Claims the body of a report. Returns false if that was done before: the acquirer sent the report again. In the same unit of work, whoever
/// claims it handles the report and then calls [`store`].
pub fn claim(tx: &mut Tx, report: &NewReport) -> Result<bool> {
    let digest: [u8; 32] = blake3::hash(&report.body).into();
    let claimed = tx.execute(
        "insert into acquirer_report_digests (body_digest, report_id) values (?1, ?2) on conflict (body_digest) do nothing",
        params![digest, report.id],
    )?;
    Ok(claimed == 1)
}

/// Stores a report whose body was claimed, with how it was handled.
pub fn store(tx: &mut Tx, report: &NewReport) -> Result<()> {
    tx.execute(
        "insert into acquirer_reports (id, received_at, invoice_id, modified_at, body, signature, verdict, acquirer)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            report.id,
            report.received_at,
            report.invoice_id,
            report.modified_at,
            report.body,
            report.signature,
            report.verdict,
            report.acquirer,
        ],
    )
    .map(|_| ())
}

/// Returns the reports about the invoices of an order, as they came, the earliest first. Does not lock.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<NewReport>> {
    let sql = format!(
        "select {COLUMNS} from acquirer_reports r
         where r.invoice_id in (select a.invoice_id from attempts a where a.order_id = ?1 and a.invoice_id is not null)
         order by r.received_at, r.id"
    );
    tx.rows(&sql, params![order], read)
}

fn read(row: &mut Row<'_>) -> Result<NewReport> {
    Ok(NewReport {
        id: row.next()?,
        received_at: row.next()?,
        invoice_id: row.next()?,
        modified_at: row.next()?,
        body: row.next()?,
        signature: row.next()?,
        verdict: row.next()?,
        acquirer: row.next()?,
    })
}

/// A month of reports, by UTC. Its first day names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportMonth {
    first: Date,
}

impl ReportMonth {
    /// Returns the month in which a moment is.
    #[must_use]
    pub fn of(moment: Timestamp) -> ReportMonth {
        ReportMonth {
            first: moment.to_zoned(TimeZone::UTC).date().first_of_month(),
        }
    }

    /// Reads `2026-03`.
    #[must_use]
    pub fn parse(text: &str) -> Option<ReportMonth> {
        let first: Date = format!("{text}-01").parse().ok()?;
        (text.len() == 7).then_some(ReportMonth { first })
    }

    /// Returns the next month.
    #[must_use]
    pub fn next(self) -> ReportMonth {
        ReportMonth {
            first: self.first.last_of_month().tomorrow().unwrap_or(self.first),
        }
    }

    /// Returns its first day.
    #[must_use]
    pub const fn first_day(self) -> Date {
        self.first
    }

    fn start(self) -> Timestamp {
        let start = self.first.to_zoned(TimeZone::UTC);
        start.map_or(Timestamp::MAX, |start| start.timestamp())
    }

    /// The name of its partition.
    fn partition(self) -> String {
        format!(
            "acquirer_reports_{:04}_{:02}",
            self.first.year(),
            self.first.month()
        )
    }
}

impl std::fmt::Display for ReportMonth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}", self.first.year(), self.first.month())
    }
}

/// Makes the partitions of the next months on PostgreSQL. A month in which reports have come already stays where they are.
pub fn prepare_months(tx: &mut Tx, now: Timestamp) -> Result<()> {
    if tx.sqlite().is_some() {
        return Ok(());
    }
    let mut month = ReportMonth::of(now);
    for _ in 0..MONTHS_AHEAD {
        month = month.next();
        let name = month.partition();
        let is_there = "select cast(to_regclass(?1) as text) as name";
        if tx
            .row(is_there, params![name], |row| row.next::<Option<String>>())?
            .is_some()
        {
            continue;
        }
        tx.advisory_lock(b"partitions of acquirer_reports")?;
        let (start, end) = (month.start(), month.next().start());
        if newest_bound(tx)? > start || count_between(tx, start, end)? > 0 {
            continue;
        }
        tx.batch(&format!(
            "create table if not exists {name} partition of acquirer_reports for values from ({}) to ({})",
            start.as_microsecond(),
            end.as_microsecond()
        ))?;
    }
    Ok(())
}

/// Returns up to when the table of earlier versions reaches that has become a partition.
fn newest_bound(tx: &mut Tx) -> Result<Timestamp> {
    let sql = "select cast(substring(pg_get_expr(c.relpartbound, c.oid) from '([0-9]+)[^0-9]*$') as bigint) as bound
               from pg_class c where c.oid = to_regclass('acquirer_reports_before')";
    let bound: Option<Option<i64>> = tx.row_optional(sql, params![], |row| row.next())?;
    let bound = bound.flatten().unwrap_or(0);
    Ok(Timestamp::from_microsecond(bound).unwrap_or(Timestamp::MIN))
}

fn count_between(tx: &mut Tx, from: Timestamp, to: Timestamp) -> Result<i64> {
    let sql = "select count(*) from acquirer_reports where received_at >= ?1 and received_at < ?2";
    tx.row(sql, params![from, to], |row| row.next())
}

/// Returns the month of the earliest report, if there is any.
pub fn earliest_month(tx: &mut Tx) -> Result<Option<ReportMonth>> {
    let sql = "select min(received_at) as first from acquirer_reports";
    let first: Option<Timestamp> = tx.row(sql, params![], |row| row.next())?;
    Ok(first.map(ReportMonth::of))
}

/// Returns how many reports of a month are about orders that are still open.
pub fn open_of_month(tx: &mut Tx, month: ReportMonth) -> Result<i64> {
    let sql = format!(
        "select count(*) from acquirer_reports r where r.received_at >= ?1 and r.received_at < ?2
             and exists (select 1 from attempts i join orders o on o.id = i.order_id where i.invoice_id = r.invoice_id and {OPEN})"
    );
    let (start, end) = (month.start(), month.next().start());
    tx.row(&sql, params![start, end], |row| row.next())
}

/// Returns at most `limit` reports of a month after one of them, as they came.
pub fn page_of_month(
    tx: &mut Tx,
    month: ReportMonth,
    after: Option<(Timestamp, ReportId)>,
    limit: u32,
) -> Result<Vec<NewReport>> {
    let (moment, id) = after.unwrap_or((month.start(), ReportId::new(uuid::Uuid::nil())));
    let sql = format!(
        "select {COLUMNS} from acquirer_reports r
         where r.received_at >= ?1 and r.received_at < ?2 and (r.received_at, r.id) > (?1, ?3)
         order by r.received_at, r.id limit ?4"
    );
    tx.rows(&sql, params![moment, month.next().start(), id, limit], read)
}

/// Deletes the reports of a month; their digests stay. On PostgreSQL its partition is dropped.
///
/// # Errors
/// [`StorageError::Inconsistent`] if the month has another number of reports than `count`: one has come meanwhile.
pub fn remove_month(tx: &mut Tx, month: ReportMonth, count: u64) -> Result<()> {
    let (start, end) = (month.start(), month.next().start());
    if tx.sqlite().is_none() {
        // Nobody adds a report from now on to the end.
        tx.batch("lock table acquirer_reports in share row exclusive mode")?;
    }
    if count_between(tx, start, end)?.unsigned_abs() != count {
        return Err(StorageError::Inconsistent {
            table: "acquirer_reports".to_owned(),
            id: None,
            column: "received_at".to_owned(),
            reason: format!("reports of {month} have come or gone while they were written"),
        });
    }
    if tx.sqlite().is_none() {
        tx.batch(&format!("drop table if exists {}", month.partition()))?;
    }
    let sql = "delete from acquirer_reports where received_at >= ?1 and received_at < ?2";
    tx.execute(sql, params![start, end]).map(|_| ())
}
