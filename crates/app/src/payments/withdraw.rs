//! Closing a payment page, so that nobody can pay there any more.

use cabinet_domain::payment::{Attempt, InvoiceId, News};
use cabinet_gateways::acquirer::AcquirerError;

use super::Payments;
use crate::refusal::Result;

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
    /// Closes the page of an attempt. Where that fails, what the acquirer says of the invoice is settled.
    pub(super) async fn withdraw(&self, attempt: &Attempt) -> Result<Withdrawal> {
        let (id, order) = (attempt.id, attempt.order_id);
        let Some(invoice) = attempt.invoice_id.as_ref() else {
            self.settler.settle(order, News::Withdrawn(id)).await?;
            return Ok(Withdrawal::Closed);
        };
        match self.remove_invoice(invoice).await {
            Ok(()) => {
                self.settler.settle(order, News::Withdrawn(id)).await?;
                Ok(Withdrawal::Closed)
            }
            Err(error) => {
                tracing::warn!(attempt.id = %id, %error, "A payment page can't be closed");
                self.settler.settle(order, News::NotWithdrawn(id)).await?;
                let is_told = self.ask_state(id).await?;
                // Without an answer the page may have been closed all the same.
                let is_refusal = matches!(error, AcquirerError::Refused { .. });
                Ok(if is_told && is_refusal {
                    Withdrawal::Refused
                } else {
                    Withdrawal::Unknown
                })
            }
        }
    }

    /// Removes an invoice. One that the acquirer does not know takes no money either. A 404 of a proxy in front of the
    /// acquirer says nothing.
    async fn remove_invoice(&self, invoice: &InvoiceId) -> Result<(), AcquirerError> {
        match self.acquirer.remove_invoice(invoice).await {
            Err(error) if error.is_unknown() => Ok(()),
            Err(error) if error.is_bare_not_found() => Err(AcquirerError::Unknown),
            other => other,
        }
    }
}
