//! Asking about attempts whose outcome is open: by the worker when it is due, and when somebody looks at an order.

use cabinet_domain::payment::{
    Answer, Attempt, AttemptKind, AttemptState, Case, InvoiceId, News, NextCall, Search, next_call,
    statement_window,
};
use cabinet_domain::{AttemptId, OrderId};
use cabinet_gateways::acquirer::{AcquirerError, PaymentReference};
use cabinet_storage::{StorageError, Tx, attempts, orders, payments};
use jiff::SignedDuration;

use super::PaymentMethodRequest;
use crate::App;
use crate::refusal::Outcome;

/// Attempts that are asked about in one round of the worker, or a few more.
const ROUND_MAX: usize = 50;
/// Attempts that are claimed and asked about at once, so that one slow answer does not hold up the others.
const AT_ONCE: u32 = 8;
/// A claimed attempt is left alone by other workers for so long: longer than all that is asked about one may take.
const CLAIM: SignedDuration = SignedDuration::from_secs(120);

/// What became of the wish to close a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Withdrawal {
    /// Nothing can be paid there any more.
    Closed,
    /// The acquirer will not close it.
    Refused,
    /// The acquirer did not answer.
    Unknown,
}

impl App {
    /// One round of the worker: asks about every attempt that is due. Returns how many there were.
    ///
    /// # Errors
    /// Fails where the database can't be used. A single attempt's failure is logged and tried again later.
    pub async fn check_due_orders(&self) -> Outcome<usize> {
        let mut count = 0;
        while count < ROUND_MAX {
            let now = self.now();
            // No more than are asked about at once: a claim would run out while it waits for others.
            let due = self
                .inner
                .store
                .write(move |tx| attempts::claim_due(tx, now, now + CLAIM, AT_ONCE))
                .await?;
            if due.is_empty() {
                break;
            }
            count += due.len();
            let asked = due.iter().map(async |attempt| {
                if let Err(error) = self.poll(attempt.id).await {
                    tracing::error!(order.id = %attempt.order_id, %error, "An order can't be asked about");
                }
                self.note_worker_alive();
            });
            futures_util::future::join_all(asked).await;
        }
        Ok(count)
    }

    /// Asks about the order now, if more can come of it. Returns whether its state is known as of now.
    pub(crate) async fn ask_about_order(&self, order: OrderId) -> Outcome<bool> {
        let case = self
            .inner
            .store
            .read(move |tx| payments::case_of(tx, order))
            .await?;
        let Some(latest) = case.as_ref().and_then(Case::latest) else {
            return Ok(true);
        };
        match latest.state {
            AttemptState::Accepted => self.ask_state(latest.id).await,
            // Without an error its charge is still under way. Nobody has the page of an invoice without an answer.
            AttemptState::Submitted
                if latest.kind == AttemptKind::CardToken && latest.last_error.is_some() =>
            {
                self.search_statement(latest).await
            }
            _ => Ok(true),
        }
    }

    /// Does what is next about one attempt.
    async fn poll(&self, attempt: AttemptId) -> Outcome<()> {
        // Others came before it in this round, and a report may have come meanwhile.
        let Some((case, attempt)) = self.case_with(attempt).await? else {
            return Ok(());
        };
        match next_call(&case, &attempt) {
            NextCall::Nothing => Ok(()),
            NextCall::GiveUpUnsent => {
                let news = News::Answered(attempt.id, Answer::NotSent);
                self.settle(case.order.id, news).await.map(drop)
            }
            NextCall::SearchStatement => {
                if self.search_statement(&attempt).await? {
                    self.resubmit(attempt.id).await?;
                }
                Ok(())
            }
            NextCall::AskState => self.ask_state(attempt.id).await.map(drop),
            NextCall::Withdraw => self.withdraw(&attempt).await.map(drop),
        }
    }

    async fn case_with(&self, attempt: AttemptId) -> Outcome<Option<(Case, Attempt)>> {
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let Some(found) = attempts::by_id(tx, attempt)? else {
                return Ok(None);
            };
            let case = payments::case_of(tx, found.order_id)?;
            Ok(case.and_then(|case| case.attempt(attempt).cloned().map(|found| (case, found))))
        };
        Ok(self.inner.store.read(read).await?)
    }

    /// Reads the invoice of an attempt and settles what it says. `false`: the acquirer did not tell where it stands.
    pub(super) async fn ask_state(&self, attempt: AttemptId) -> Outcome<bool> {
        let Some((case, attempt)) = self.case_with(attempt).await? else {
            return Ok(true);
        };
        let (order, id) = (case.order.id, attempt.id);
        let Some(invoice) = attempt.invoice_id else {
            return Ok(true);
        };
        match self.acquirer().invoice_status(&invoice).await {
            Ok(state) => {
                self.settle_state(order, &state).await?;
                Ok(true)
            }
            Err(error) if error.is_not_found() => {
                tracing::warn!(order.id = %order, attempt.id = %id, "The acquirer does not know an invoice of order {order}");
                let settled = self.settle(order, News::Missing(id)).await?;
                Ok(settled.is_some_and(|settled| {
                    settled
                        .case
                        .attempt(id)
                        .is_some_and(|attempt| attempt.state == AttemptState::Finished)
                }))
            }
            Err(error) => {
                tracing::warn!(order.id = %order, attempt.id = %id, %error, "An invoice's state is not known");
                self.settle(order, silence(id, &error)).await?;
                Ok(false)
            }
        }
    }

    /// Looks for a payment under the attempt's reference in the acquirer's statement, and settles what is found. `false`:
    /// the acquirer did not answer.
    pub(super) async fn search_statement(&self, attempt: &Attempt) -> Outcome<bool> {
        let (id, order) = (attempt.id, attempt.order_id);
        let Some(reference) = PaymentReference::parse(&attempt.reference.to_string()) else {
            return Ok(true);
        };
        let now = self.acquirer().time().unwrap_or_else(|| self.now());
        let (from, until) = statement_window(attempt, now);
        let found = match self
            .acquirer()
            .find_by_reference(&reference, from, until)
            .await
        {
            Ok(found) => found,
            Err(error) => {
                self.settle(order, silence(id, &error)).await?;
                return Ok(false);
            }
        };
        if found.is_empty() {
            let search = Search {
                as_of: self.acquirer().time(),
            };
            self.settle(order, News::NotOnStatement(id, search)).await?;
            return Ok(true);
        }
        // Each payment under the reference is the order's, also where there are two.
        let mut is_told = true;
        for item in found {
            match self.acquirer().invoice_status(&item.invoice_id).await {
                Ok(state) => drop(self.settle_state(order, &state).await?),
                Err(error) => {
                    self.settle(order, silence(id, &error)).await?;
                    is_told = false;
                }
            }
        }
        Ok(is_told)
    }

    /// Asks again for the page of an attempt whose answer was lost. Nobody was shown that page, and the statement has
    /// just said that nobody paid it.
    pub(super) async fn resubmit(&self, attempt: AttemptId) -> Outcome<()> {
        let Some((case, attempt)) = self.case_with(attempt).await? else {
            return Ok(());
        };
        if attempt.state != AttemptState::Submitted || attempt.kind != AttemptKind::Invoice {
            return Ok(());
        }
        let id = case.order.id;
        let order = self
            .inner
            .store
            .read(move |tx| orders::by_id(tx, id))
            .await?;
        match order {
            Some(order) => {
                self.send(&order, attempt.id, &PaymentMethodRequest::Page)
                    .await
            }
            None => Ok(()),
        }
    }

    /// Closes the page of an attempt. Where that fails, what the acquirer says of the invoice is settled.
    pub(super) async fn withdraw(&self, attempt: &Attempt) -> Outcome<Withdrawal> {
        let (id, order) = (attempt.id, attempt.order_id);
        let Some(invoice) = attempt.invoice_id.as_ref() else {
            self.settle(order, News::Withdrawn(id)).await?;
            return Ok(Withdrawal::Closed);
        };
        match self.remove(invoice).await {
            Ok(()) => {
                self.settle(order, News::Withdrawn(id)).await?;
                Ok(Withdrawal::Closed)
            }
            Err(error) => {
                tracing::warn!(attempt.id = %id, %error, "A payment page can't be closed");
                self.settle(order, News::NotWithdrawn(id)).await?;
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

    /// Closes an invoice. One that the acquirer says it does not know takes no money either; a 404 of whatever stands before
    /// the acquirer says nothing.
    async fn remove(&self, invoice: &InvoiceId) -> Result<(), AcquirerError> {
        match self.acquirer().remove_invoice(invoice).await {
            Err(error) if error.is_unknown_invoice() => Ok(()),
            Err(error) if error.is_not_found() => Err(AcquirerError::Unknown),
            other => other,
        }
    }
}

fn silence(attempt: AttemptId, error: &AcquirerError) -> News {
    let pause = match error {
        AcquirerError::TooMany {
            retry_after: Some(wait),
        } => SignedDuration::try_from(*wait).unwrap_or_default(),
        _ => SignedDuration::ZERO,
    };
    News::Silent {
        attempt,
        error: error.to_string(),
        pause,
        is_refusal: matches!(error, AcquirerError::Refused { .. }),
    }
}
