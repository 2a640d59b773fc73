//! The acquirer's reports, byte for byte as they came.

use cabinet_domain::ReportId;
use jiff::Timestamp;

use crate::convert::shown_by;
use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// A report whose signature was found right.
#[derive(Clone)]
pub struct NewReport {
    /// Names the report.
    pub id: ReportId,
    /// Now.
    pub received_at: Timestamp,
    /// The invoice it is about, where it could be read.
    pub invoice_id: Option<String>,
    /// The acquirer's own time of the change, where it could be read.
    pub modified_at: Option<Timestamp>,
    /// The body as it came.
    pub body: Vec<u8>,
    /// The signature as it came.
    pub signature: Option<String>,
    /// What was made of it, in one word.
    pub verdict: String,
}

/// A report as stored.
#[derive(Clone)]
pub struct Report {
    /// The report.
    pub id: ReportId,
    /// When it came.
    pub received_at: Timestamp,
    /// The body as it came.
    pub body: Vec<u8>,
    /// What was made of it.
    pub verdict: String,
}

shown_by! {
    NewReport: id, verdict;
    Report: id, received_at, verdict;
}

/// Keeps a report. `false` if the same body came before: the same report again.
///
/// # Errors
/// Those of the database.
pub fn insert(tx: &mut Tx, report: &NewReport) -> Result<bool> {
    let digest: [u8; 32] = blake3::hash(&report.body).into();
    let inserted = tx.execute(
        "insert into acquirer_reports (id, received_at, invoice_id, modified_at, body, body_digest, signature, verdict)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         on conflict (body_digest) do nothing",
        params![
            report.id,
            report.received_at,
            report.invoice_id,
            report.modified_at,
            report.body,
            digest,
            report.signature,
            report.verdict,
        ],
    )?;
    Ok(inserted == 1)
}

/// Writes down what was made of a report.
///
/// # Errors
/// Those of the database.
pub fn set_verdict(tx: &mut Tx, report: ReportId, verdict: &str) -> Result<()> {
    tx.execute(
        "update acquirer_reports set verdict = ?2 where id = ?1",
        params![report, verdict],
    )
    .map(|_| ())
}

/// The reports about an invoice, in the order they came.
///
/// # Errors
/// Those of the database.
pub fn of_invoice(tx: &mut Tx, invoice_id: &str) -> Result<Vec<Report>> {
    tx.rows(
        "select id, received_at, body, verdict from acquirer_reports where invoice_id = ?1 order by received_at, id",
        params![invoice_id],
        |row| Ok(Report { id: row.next()?, received_at: row.next()?, body: row.next()?, verdict: row.next()? }),
    )
}
