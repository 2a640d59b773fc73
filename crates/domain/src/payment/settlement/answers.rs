//! The acquirer's answer to a submission.

use jiff::Timestamp;

use super::{Answer, Work};
use crate::AttemptId;
use crate::payment::facts::{accept, stray_of};
use crate::payment::refused_page::PAGE_HOST;
use crate::payment::{AlarmKind, AttemptState, InvoiceId, InvoiceStatus, RefusedPage};

impl Work<'_> {
    pub(super) fn take_answer(&mut self, id: AttemptId, answer: &Answer) -> Option<bool> {
        const WAITING: [AttemptState; 2] = [AttemptState::Prepared, AttemptState::Submitted];
        let now = self.now;
        match answer {
            Answer::Invoice {
                invoice_id,
                page,
                made_at,
                fresh,
            } => {
                self.step_aside(id, invoice_id, *fresh);
                let lifetime = self.attempt(id)?.acquirer.page_lifetime();
                let ends = made_at.unwrap_or(now) + lifetime;
                return self.take_invoice(id, invoice_id, page.as_ref(), ends);
            }
            Answer::Charge { invoice_id, page } => {
                let page = match page {
                    Some(Err(refused)) => {
                        self.refuse_page(id, refused);
                        None
                    }
                    Some(Ok(page)) => Some(page.as_str()),
                    None => None,
                };
                return self.take_charge(id, invoice_id, page);
            }
            Answer::NotSent => self.take_not_sent(id, &WAITING)?,
            Answer::Refused { code } => {
                let attempt = self.in_state(id, &WAITING)?;
                attempt.state = AttemptState::Refused;
                attempt.failure_code = Some(code.clone());
                attempt.answered_at = Some(now);
                attempt.next_check_at = None;
                self.detail = Some(code.clone());
            }
            Answer::Unknown { error, pause } => {
                self.in_state(id, &WAITING)?.state = AttemptState::Submitted;
                self.put_off(id, error, *pause)?;
                self.detail = Some(error.clone());
            }
        }
        Some(true)
    }

    /// Ends an attempt of which nothing was sent, if it is in one of these states.
    pub(super) fn take_not_sent(&mut self, id: AttemptId, states: &[AttemptState]) -> Option<()> {
        let attempt = self.in_state(id, states)?;
        attempt.state = AttemptState::NotSent;
        attempt.next_check_at = None;
        self.detail = Some("not_sent".to_owned());
        Some(())
    }

    /// Handles an invoice with a payment page.
    fn take_invoice(
        &mut self,
        id: AttemptId,
        invoice_id: &InvoiceId,
        page: Result<&String, &RefusedPage>,
        ends: Timestamp,
    ) -> Option<bool> {
        let now = self.now;
        let has_money = self.case.order.status.has_money();
        let attempt = self.attempt(id)?;
        // Another request for the same attempt was answered first. This page is shown to nobody.
        if attempt
            .invoice_id
            .as_ref()
            .is_some_and(|known| known != invoice_id)
        {
            return Some(false);
        }
        attempt.invoice_id = Some(invoice_id.clone());
        attempt.answered_at.get_or_insert(now);
        attempt.expires_at.get_or_insert(ends);
        let is_awaited = matches!(
            attempt.state,
            AttemptState::Prepared
                | AttemptState::Submitted
                | AttemptState::NotSent
                | AttemptState::Refused
        );
        match page {
            Ok(page) => {
                attempt.page_url = Some(page.clone());
                if is_awaited {
                    accept(attempt, now);
                }
            }
            Err(refused) => {
                if is_awaited {
                    attempt.state = AttemptState::Refused;
                    attempt.failure_code = Some(PAGE_HOST.to_owned());
                    attempt.next_check_at = None;
                }
                self.refuse_page(id, refused);
                self.detail = Some(format!("{PAGE_HOST}: {refused}"));
                return Some(true);
            }
        }
        // The order was paid on an older page meanwhile: the worker closes this one.
        if has_money && attempt.state == AttemptState::Accepted {
            attempt.next_check_at = Some(now);
        }
        Some(true)
    }

    /// Opens an alarm about a page that nobody is shown.
    fn refuse_page(&mut self, id: AttemptId, refused: &RefusedPage) {
        self.alarms.push((refused.alarm(), id));
        self.refused_page = Some(refused.clone());
    }

    /// Makes room for an answered invoice if a report told of another one before, whose page was shown to nobody. The
    /// other one becomes a stray invoice, which the worker closes.
    fn step_aside(&mut self, id: AttemptId, answered: &InvoiceId, fresh: AttemptId) {
        let now = self.now;
        let Some(attempt) = self.attempt(id) else {
            return;
        };
        let is_unpaid = attempt
            .told
            .as_ref()
            .is_none_or(|told| told.status == InvoiceStatus::Created);
        let Some(known) = attempt.invoice_id.clone().filter(|known| {
            known != answered
                && is_unpaid
                && attempt.state == AttemptState::Accepted
                && attempt.page_url.is_none()
                && !attempt.is_stray
        }) else {
            return;
        };
        let mut stray = stray_of(attempt, fresh, known, now);
        stray.told = attempt.told.take();
        attempt.invoice_id = None;
        attempt.state = AttemptState::Submitted;
        self.case.attempts.push(stray);
    }

    fn take_charge(
        &mut self,
        id: AttemptId,
        invoice_id: &InvoiceId,
        page: Option<&str>,
    ) -> Option<bool> {
        let now = self.now;
        let attempt = self.attempt(id)?;
        if attempt
            .invoice_id
            .as_ref()
            .is_some_and(|known| known != invoice_id)
        {
            // Two charges under one reference. The statement or a report reveals the fate of the other.
            self.alarms.push((AlarmKind::StrayInvoicePaid, id));
            return Some(false);
        }
        attempt.invoice_id = Some(invoice_id.clone());
        attempt.answered_at.get_or_insert(now);
        if let Some(page) = page {
            attempt.page_url = Some(page.to_owned());
        }
        if matches!(
            attempt.state,
            AttemptState::Prepared
                | AttemptState::Submitted
                | AttemptState::NotSent
                | AttemptState::Refused
        ) {
            accept(attempt, now);
        }
        Some(true)
    }
}
