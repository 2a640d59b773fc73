//! Reports of the acquirer, stored byte for byte as they came.

use cabinet_domain::payment::NewReport;
use cabinet_domain::{OrderId, ReportId};

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// Stores a report. Returns false if the same body was stored before: the acquirer sent the report again.
pub fn insert(tx: &mut Tx, report: &NewReport) -> Result<bool> {
    let digest: [u8; 32] = blake3::hash(&report.body).into();
    let inserted = tx.execute(
        "insert into acquirer_reports (id, received_at, invoice_id, modified_at, body, body_digest, signature, verdict, acquirer)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
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
            report.acquirer,
        ],
    )?;
    Ok(inserted == 1)
}

/// Records how a report was handled.
pub fn set_verdict(tx: &mut Tx, report: ReportId, verdict: &str) -> Result<()> {
    tx.execute(
        "update acquirer_reports set verdict = ?2 where id = ?1",
        params![report, verdict],
    )
    .map(|_| ())
}

/// Returns the reports about the invoices of an order, as they came, the earliest first. Does not lock.
pub fn of_order(tx: &mut Tx, order: OrderId) -> Result<Vec<NewReport>> {
    tx.rows(
        "select r.id, r.received_at, r.invoice_id, r.modified_at, r.body, r.signature, r.verdict, r.acquirer from acquirer_reports r
         where r.invoice_id in (select a.invoice_id from attempts a where a.order_id = ?1 and a.invoice_id is not null)
         order by r.received_at, r.id",
        params![order],
        |row| {
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
        },
    )
}
