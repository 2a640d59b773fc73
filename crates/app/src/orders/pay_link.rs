//! `GET /order/{id}/update/pay-link`: a link that can be paid now.

use cabinet_domain::{AttemptId, Key, NotaryId, OrderEvent, OrderStatus};
use cabinet_gateways::acquirer::{AcquirerError, InvoiceId};
use cabinet_storage::attempts::{self, AttemptKind};
use cabinet_storage::orders::{self, Order};
use cabinet_storage::{StorageError, Tx};

use super::FIRST_CHECK;
use super::apply::step_order;
use super::create::{Means, new_attempt};
use super::view::not_found;
use crate::App;
use crate::refusal::{Outcome, Refusal, Sort};

impl App {
    /// The order's link while it is good, a fresh one where it has expired or failed. The old invoice is cancelled first, so that
    /// both can't be paid; one that can't be cancelled is asked about until its time is over.
    ///
    /// # Errors
    /// `order_not_found`, `order_not_payable`, `payment_outcome_unknown`, `acquirer_unavailable`.
    pub async fn pay_link(&self, notary: NotaryId, order: &str) -> Outcome<String> {
        let order = self.order_row(notary, order).await?;
        if !order.status.is_final() || order.status.can_be_paid_again() {
            // It may have been paid a moment ago.
            self.ask_about_order(order.id).await?;
        }
        // Of one moment: the attempt that is cancelled below must be the one that this status came from.
        let order_id = order.id;
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let order = orders::order_of(tx, notary, order_id)?;
            Ok(order.zip(Some(attempts::current_of(tx, order_id)?)))
        };
        let (order, current) = self.inner.store.read(read).await?.ok_or_else(not_found)?;
        match order.status {
            OrderStatus::Paid | OrderStatus::Refunded => {
                return Err(Refusal::conflict(Key::OrderNotPayable).into());
            }
            OrderStatus::InProgress => {
                return Err(Refusal::conflict(Key::PaymentOutcomeUnknown).into());
            }
            OrderStatus::Pending | OrderStatus::Failed | OrderStatus::Expired => {}
        }
        let known = current.as_ref().map(|attempt| attempt.id);
        if order.status == OrderStatus::Pending {
            let open = current
                .as_ref()
                .and_then(|attempt| attempt.page_url.clone());
            if let Some(url) = open.filter(|_| {
                current
                    .as_ref()
                    .and_then(|attempt| attempt.expires_at)
                    .is_some_and(|end| self.now() < end)
            }) {
                return Ok(url);
            }
            // A saved card's payment that the bank is still at has no page to open, and must not be doubled.
            if current
                .as_ref()
                .is_some_and(|attempt| attempt.kind == AttemptKind::CardToken)
            {
                return Err(Refusal::conflict(Key::PaymentOutcomeUnknown).into());
            }
        }
        let mut is_closed = true;
        if let Some(attempt) = current
            && let Some(invoice) = attempt.invoice_id.as_deref().and_then(InvoiceId::parse)
            && order.status != OrderStatus::Expired
        {
            is_closed = self.cancel(&order, attempt.id, &invoice).await?;
        }
        self.ask_anew(notary, order, (known, is_closed)).await
    }

    /// Cancels an invoice; whatever keeps it alive keeps the order from being paid a second time. `false`: it can't be cancelled, and
    /// nobody is paying it.
    async fn cancel(
        &self,
        order: &Order,
        attempt: AttemptId,
        invoice: &InvoiceId,
    ) -> Outcome<bool> {
        let unavailable = || Refusal::new(Sort::Unavailable, Key::AcquirerUnavailable);
        match self.acquirer().remove_invoice(invoice).await {
            Ok(()) => Ok(true),
            Err(AcquirerError::Refused { code }) => {
                // The refusal alone does not tell whether a card is being charged at this moment.
                if !self.ask_about(attempt).await? {
                    return Err(unavailable().into());
                }
                let id = order.id;
                let read = move |tx: &mut Tx| -> Result<_, StorageError> {
                    Ok(orders::by_id(tx, id)?.zip(attempts::by_id(tx, attempt)?))
                };
                let now = self.inner.store.read(read).await?;
                let is_over = now.is_some_and(|(order, attempt)| {
                    matches!(order.status, OrderStatus::Failed | OrderStatus::Expired)
                        && matches!(
                            attempt.acquirer_status.as_deref(),
                            Some("failure" | "expired")
                        )
                });
                // A failed invoice can't always be cancelled, and can't be paid by anybody who does not have its page open.
                if is_over && code != "ORDER_IN_PROGRESS" {
                    return Ok(false);
                }
                Err(Refusal::conflict(Key::PaymentOutcomeUnknown).into())
            }
            Err(_) => Err(unavailable().into()),
        }
    }

    /// Asks for a fresh invoice in place of the attempt that is known, unless somebody else has meanwhile. An invoice that is not
    /// closed is asked about on: its page still stands open somewhere.
    async fn ask_anew(
        &self,
        notary: NotaryId,
        order: Order,
        (known, is_closed): (Option<AttemptId>, bool),
    ) -> Outcome<String> {
        let attempt = AttemptId::new(self.randomness().uuid_v4());
        let facts = self.facts();
        let (id, sum, before) = (order.id, order.sum, order.status);
        let written = self
            .inner
            .store
            .write(move |tx: &mut Tx| -> Result<bool, StorageError> {
                // Two tabs that ask at once get one invoice: the second finds the order moved on.
                if orders::by_id(tx, id)?.is_none_or(|order| order.status != before) {
                    return Ok(false);
                }
                let current = attempts::current_of(tx, id)?.map(|attempt| attempt.id);
                if current != known {
                    return Ok(false);
                }
                if let Some(current) = current {
                    let next = (!is_closed).then_some(facts.now + FIRST_CHECK);
                    attempts::supersede(tx, current, next)?;
                }
                attempts::insert(
                    tx,
                    &new_attempt(attempt, id, AttemptKind::Invoice, sum, facts.now),
                )?;
                orders::set_widget_url(tx, id, None)?;
                orders::set_failure(tx, id, None)?;
                step_order(tx, id, OrderEvent::PayAgain, None, &facts)?;
                Ok(true)
            })
            .await?;
        if written {
            self.ask_acquirer(&order, attempt, &Means::Page).await?;
        }
        let order = self.order_row(notary, &order.id.to_string()).await?;
        match (order.status, order.widget_url) {
            (OrderStatus::Pending, Some(url)) => Ok(url),
            (OrderStatus::Paid | OrderStatus::Refunded, _) => {
                Err(Refusal::conflict(Key::OrderNotPayable).into())
            }
            (OrderStatus::Failed, _) => {
                Err(Refusal::new(Sort::Outside, Key::AcquirerRefused).into())
            }
            _ => Err(Refusal::new(Sort::Unavailable, Key::AcquirerUnavailable).into()),
        }
    }
}
