//! The acquirer's reports: stored as they came, verified, settled once.

use cabinet_domain::payment::{AlarmKind, NewReport, News, SettlementVerdict};
use cabinet_domain::{AttemptId, ReportId};
use cabinet_gateways::acquirer::{
    AcquirerName, InvoiceState, InvoiceStatus, ReportError, TokenStatus,
};
use cabinet_metrics::{ACQUIRER_REPORTS, ReportVerdict, Word as _};
use cabinet_storage::payment::{acquirer_reports, payments, removed_cards};
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::invoice_news::news_of;
use super::store_settlement::{Settled, SettlementContext, settle_found};
use super::{CARD_CHECK, Payments};
use crate::kernel::refusal::Result;
use crate::operator::alarms::{AfterCommit, log, raise};
use crate::payment::saved_cards::hash_of;

/// What came of a report and the alarms that it opened without an order. `Err`: it was stored before.
type Stored = Result<(Option<Settled>, Vec<AfterCommit>), ()>;

/// How the acquirer is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportOutcome {
    /// It need not be sent again.
    Taken,
    /// It is not the acquirer's.
    NotGenuine,
    /// It could not be verified now. The acquirer sends it again.
    TryAgain,
}

impl Payments {
    /// Receives a report. The signature is verified over the raw bytes, the body is stored, and a repeated report changes nothing.
    ///
    /// # Errors
    /// Fails when the database fails. The acquirer then sends the report again.
    pub async fn receive_report(
        &self,
        acquirer: AcquirerName,
        signature: Option<String>,
        body: Vec<u8>,
    ) -> Result<ReportOutcome> {
        match self
            .acquirers
            .of(acquirer)
            .verify_report(signature.as_deref(), &body)
            .await
        {
            Ok(state) => self.settle_report(acquirer, state, signature, body).await,
            Err(ReportError::BadSignature) => {
                if let Some(left_out) = self.forged_reports.take(self.clock.now()) {
                    tracing::warn!(
                        report.bytes = body.len(),
                        report.left_out = left_out,
                        "A report with a bad signature was refused"
                    );
                }
                ACQUIRER_REPORTS.count(ReportVerdict::BadSignature);
                Ok(ReportOutcome::NotGenuine)
            }
            Err(ReportError::KeyUnavailable) => Ok(ReportOutcome::TryAgain),
            Err(ReportError::Unreadable) => self.keep_unreadable(acquirer, signature, body).await,
        }
    }

    async fn settle_report(
        &self,
        acquirer: AcquirerName,
        state: InvoiceState,
        signature: Option<String>,
        body: Vec<u8>,
    ) -> Result<ReportOutcome> {
        let is_card_check = state
            .payment_reference
            .as_ref()
            .is_some_and(|payment_reference| payment_reference.as_str().starts_with(CARD_CHECK));
        let random = self.ids.random_id();
        let unknown = SettlementVerdict::Unknown.as_str();
        let report = self.report(acquirer, Some(&state), signature, body, unknown);
        let news = news_of(acquirer, &state, state.modified_at);
        let saved = saved_card(&state).filter(|_| is_card_check);
        let is_charge = state.status == InvoiceStatus::Success && !is_card_check;
        let subject = format!("invoice:{}", state.invoice_id);
        let work = |context: SettlementContext| {
            let (mut report, news, subject) = (report.clone(), news.clone(), subject.clone());
            move |tx: &mut Tx| -> Result<Stored, StorageError> {
                if !acquirer_reports::claim(tx, &report)? {
                    return Ok(Err(()));
                }
                if let Some((token_hash, made_at)) = saved {
                    removed_cards::delete_saved_again(tx, &token_hash, made_at)?;
                }
                let mut committed = Vec::new();
                let (invoice, reference) = (&news.invoice_id, news.payment_reference);
                let tx = &mut tx.without_notary();
                let settled = match payments::lock_case_of_invoice(tx, invoice, reference)? {
                    Some((locked, found)) => {
                        let fresh = AttemptId::of_order(found.order.id, random);
                        let news = News::Told(Box::new(news.clone()), fresh);
                        Some(settle_found(tx, &locked, &context, found, &news)?)
                    }
                    // A copy of the database from before the order may be in use.
                    None if is_charge => {
                        let (kind, mut unit) =
                            (AlarmKind::StatementUnknownPayment, context.unit.clone());
                        raise(tx, &mut unit, kind, &subject, None, &mut committed)?;
                        None
                    }
                    None => None,
                };
                if let Some(settled) = &settled {
                    settled.verdict.as_str().clone_into(&mut report.verdict);
                }
                acquirer_reports::store(tx, &report)?;
                Ok(Ok((settled, committed)))
            }
        };
        let written = self.settler.write(work).await?;
        match written {
            Err(()) => ACQUIRER_REPORTS.count(ReportVerdict::Repeated),
            Ok((Some(settled), _)) => {
                ACQUIRER_REPORTS.count(settled.verdict.into());
                log(&settled.committed);
            }
            Ok((None, committed)) => {
                ACQUIRER_REPORTS.count(ReportVerdict::Unknown);
                log(&committed);
                if !is_card_check {
                    tracing::warn!(
                        invoice.id = state.invoice_id.as_str(),
                        "A report names an invoice that is not ours"
                    );
                }
            }
        }
        Ok(ReportOutcome::Taken)
    }

    /// Stores a genuine report of an unknown form, with an alarm. Sending it again would not help.
    async fn keep_unreadable(
        &self,
        acquirer: AcquirerName,
        signature: Option<String>,
        body: Vec<u8>,
    ) -> Result<ReportOutcome> {
        let verdict = ReportVerdict::Unreadable;
        ACQUIRER_REPORTS.count(verdict);
        let report = self.report(acquirer, None, signature, body, verdict.word());
        let (subject, unit) = (format!("report:{}", report.id), self.ids.unit());
        let write = move |tx: &mut Tx| -> Result<Vec<AfterCommit>, StorageError> {
            let mut committed = Vec::new();
            if acquirer_reports::insert(tx, &report)? {
                let kind = AlarmKind::ReportUnreadable;
                raise(tx, &mut unit.clone(), kind, &subject, None, &mut committed)?;
            }
            Ok(committed)
        };
        let committed = self.store.write(write).await?;
        log(&committed);
        Ok(ReportOutcome::Taken)
    }

    fn report(
        &self,
        acquirer: AcquirerName,
        state: Option<&InvoiceState>,
        signature: Option<String>,
        body: Vec<u8>,
        verdict: &str,
    ) -> NewReport {
        NewReport {
            id: ReportId::new(self.ids.new_id()),
            acquirer,
            received_at: self.clock.now(),
            invoice_id: state.map(|state| state.invoice_id.clone()),
            modified_at: state.and_then(|state| state.modified_at),
            body,
            signature,
            verdict: verdict.to_owned(),
        }
    }
}

/// Returns the hash of the token of a card that this report tells to be saved, and when its page was made. A card that was removed before
/// that is wanted again: the acquirer gives it its old token. The time of the report would not do, because a report can come late.
fn saved_card(state: &InvoiceState) -> Option<([u8; 32], Timestamp)> {
    let saved = state.wallet.as_ref()?;
    let is_usable = saved.status == TokenStatus::Created;
    let made_at = state.created_at?;
    is_usable.then(|| (hash_of(saved.token.expose()), made_at))
}
