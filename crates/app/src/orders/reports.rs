//! The acquirer's reports: kept as they came, checked, applied once.

use cabinet_domain::ReportId;
use cabinet_gateways::acquirer::ReportError;
use cabinet_storage::acquirer_reports::{self, NewReport};
use cabinet_storage::{StorageError, Tx};

use super::apply::{Verdict, apply_state};
use super::cards::CARD_CHECK;
use crate::App;
use crate::refusal::Outcome;

/// What the acquirer is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportOutcome {
    /// It need not be sent again, whatever it told.
    Taken,
    /// It is not the acquirer's.
    NotGenuine,
    /// It could not be checked now; the acquirer sends it again.
    TryAgain,
}

impl App {
    /// Takes a report: the signature is checked over the bytes as they came, the body is kept, a repeated one changes nothing.
    ///
    /// # Errors
    /// When the database can't be written; the acquirer then sends the report again.
    pub async fn take_report(
        &self,
        signature: Option<String>,
        body: Vec<u8>,
    ) -> Outcome<ReportOutcome> {
        let state = match self
            .acquirer()
            .verify_report(signature.as_deref(), &body)
            .await
        {
            Ok(state) => state,
            Err(ReportError::BadSignature) => {
                tracing::warn!(
                    report.bytes = body.len(),
                    "A report with a bad signature was refused"
                );
                metrics::counter!("acquirer_reports_total", "verdict" => "bad_signature")
                    .increment(1);
                return Ok(ReportOutcome::NotGenuine);
            }
            Err(ReportError::KeyUnavailable) => return Ok(ReportOutcome::TryAgain),
            Err(ReportError::Unreadable) => {
                // Truly the acquirer's, yet of a shape we do not know: sending it again would not help.
                tracing::error!(report.bytes = body.len(), "A genuine report can't be read");
                metrics::counter!("acquirer_reports_total", "verdict" => "unreadable").increment(1);
                return Ok(ReportOutcome::Taken);
            }
        };
        let facts = self.facts();
        let id = ReportId::new(self.new_id());
        let invoice = state.invoice_id.as_str().to_owned();
        let is_card_check = state
            .reference
            .as_ref()
            .is_some_and(|reference| reference.as_str().starts_with(CARD_CHECK));
        let write = move |tx: &mut Tx| -> Result<&'static str, StorageError> {
            let report = NewReport {
                id,
                received_at: facts.now,
                invoice_id: Some(state.invoice_id.as_str().to_owned()),
                modified_at: state.modified_at,
                body: body.clone(),
                signature: signature.clone(),
                verdict: "taken".to_owned(),
            };
            if !acquirer_reports::insert(tx, &report)? {
                return Ok("repeated");
            }
            let verdict = apply_state(tx, &state, &facts)?;
            acquirer_reports::set_verdict(tx, id, verdict.as_str())?;
            Ok(verdict.as_str())
        };
        let verdict = self.inner.store.write(write).await?;
        metrics::counter!("acquirer_reports_total", "verdict" => verdict).increment(1);
        if verdict == Verdict::Applied.as_str() {
            self.announce_invoice(invoice).await;
        } else if verdict == Verdict::Unknown.as_str() && !is_card_check {
            tracing::warn!(
                invoice.id = invoice,
                "A report names an invoice that is not ours"
            );
        }
        Ok(ReportOutcome::Taken)
    }
}
