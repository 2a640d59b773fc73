//! Reports of the acquirer, stored byte for byte as they came.

use cabinet_domain::ReportId;
use cabinet_domain::payment::NewReport;

use crate::error::Result;
use crate::tx::Tx;
use crate::value::params;

/// Stores a report. Returns false if the same body was stored before: the acquirer sent the report again.
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

/// Records how a report was handled.
pub fn set_verdict(tx: &mut Tx, report: ReportId, verdict: &str) -> Result<()> {
    tx.execute(
        "update acquirer_reports set verdict = ?2 where id = ?1",
        params![report, verdict],
    )
    .map(|_| ())
}
