//! Closing a payment page, so that nobody can pay there any more.

use cabinet_domain::payment::{Attempt, Case, InvoiceId, News, Renewal};
use cabinet_domain::{AttemptId, Key};
use cabinet_gateways::acquirer::{AcquirerError, AcquirerName};

use super::Payments;
use super::inquire::Told;
use crate::kernel::refusal::{Refusal, RefusalKind, Result};

/// Rounds of closing the pages of an order at most. Each attempt of an order is asked about once.
pub(super) const ROUNDS_MAX: usize = 12;

/// What became of the request to close a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Withdrawal {
    /// Nothing can be paid there any more.
    Closed,
    /// The acquirer will not close it.
    Refused,
    /// The acquirer did not answer.
    Unknown,
}

impl Payments {
    /// Carries out the next step towards an order of which nothing can be charged. Returns whether there was one; if not, nothing
    /// is open. `step` was decided as for an order whose terms don't hold, because then no open page is left open.
    ///
    /// # Errors
    /// The key of the step; `payment_outcome_unknown` while a charge is in progress; `acquirer_unavailable`.
    pub(super) async fn close_next(
        &self,
        step: Renewal,
        case: &Case,
        tried: &mut Vec<AttemptId>,
    ) -> Result<bool> {
        match step {
            Renewal::Fresh | Renewal::ReturnToCart => return Ok(false),
            Renewal::Give(_) => return Err(Refusal::conflict(Key::PaymentOutcomeUnknown).into()),
            Renewal::Refuse(key) => return Err(Refusal::conflict(key).into()),
            Renewal::GiveUpUnsent(attempt) => {
                let news = News::GivenUpUnsent(attempt);
                self.settler.settle(case.order.id, news).await?;
            }
            Renewal::Resubmit(attempt) | Renewal::Search(attempt) => {
                tried.push(attempt);
                if let Some(attempt) = case.attempt(attempt) {
                    self.search_statement(attempt).await?;
                }
            }
            Renewal::Withdraw(attempt) => {
                tried.push(attempt);
                if let Some(attempt) = case.attempt(attempt)
                    && self.withdraw(attempt).await? == Withdrawal::Unknown
                {
                    let key = Key::AcquirerUnavailable;
                    return Err(Refusal::new(RefusalKind::Unavailable, key).into());
                }
            }
        }
        Ok(true)
    }

    /// Closes the page of an attempt. Where that fails, what the acquirer says of the invoice is settled. That it knows no such invoice closes
    /// nothing: it made it. A page that is proved to be over is closed without it: that acquirer may be out of the settings.
    pub(super) async fn withdraw(&self, attempt: &Attempt) -> Result<Withdrawal> {
        let (id, order) = (attempt.id, attempt.order_id);
        let Some(invoice) = attempt.invoice_id.as_ref() else {
            self.settler.settle(order, News::Withdrawn(id)).await?;
            return Ok(Withdrawal::Closed);
        };
        match self.remove_invoice(attempt.acquirer, invoice).await {
            Ok(()) => {
                self.settler.settle(order, News::Withdrawn(id)).await?;
                Ok(Withdrawal::Closed)
            }
            Err(error) => {
                if attempt.acquirer.keeps_unpaid_invoices() {
                    tracing::warn!(attempt.id = %id, %error, "A payment page can't be closed");
                }
                self.settler.settle(order, News::NotWithdrawn(id)).await?;
                let told = self.ask_for_state(id).await?;
                // Without an answer the page may have been closed all the same.
                let is_refusal = matches!(error, AcquirerError::Refused { .. });
                Ok(if attempt.is_over_unpaid() {
                    Withdrawal::Closed
                } else if told != Told::Nothing && is_refusal {
                    Withdrawal::Refused
                } else {
                    Withdrawal::Unknown
                })
            }
        }
    }

    /// Removes an invoice. A 404 of a proxy in front of the acquirer says nothing.
    async fn remove_invoice(
        &self,
        acquirer: AcquirerName,
        invoice: &InvoiceId,
    ) -> Result<(), AcquirerError> {
        match self.acquirers.of(acquirer).remove_invoice(invoice).await {
            Err(error) if error.is_bare_not_found() => Err(AcquirerError::Unknown),
            other => other,
        }
    }
}
