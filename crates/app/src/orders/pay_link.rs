//! `GET /order/{id}/update/pay-link`: a link that can be paid now.

use cabinet_domain::{AttemptId, Key, NotaryId, OrderEvent, OrderStatus};
use cabinet_gateways::acquirer::{AcquirerError, InvoiceId};
use cabinet_storage::attempts::{self, AttemptKind};
use cabinet_storage::orders::{self, Order};
use cabinet_storage::{StorageError, Tx};

use super::apply::step_order;
use super::create::{Means, new_attempt};
use super::view::not_found;
use crate::App;
use crate::refusal::{Outcome, Refusal, Sort};

impl App {
    /// The order's link while it is good, a fresh one where it has expired or failed. The old invoice is cancelled first, so that
    /// both can't be paid.
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
        if let Some(invoice) = current
            .and_then(|attempt| attempt.invoice_id)
            .and_then(|id| InvoiceId::parse(&id))
            && order.status != OrderStatus::Expired
        {
            self.cancel(&order, &invoice).await?;
        }
        self.ask_anew(notary, order, known).await
    }

    /// Cancels an invoice; whatever keeps it alive keeps the order from being paid a second time.
    async fn cancel(&self, order: &Order, invoice: &InvoiceId) -> Outcome<()> {
        match self.acquirer().remove_invoice(invoice).await {
            Ok(()) => Ok(()),
            Err(AcquirerError::Refused { code }) => {
                self.ask_about_order(order.id).await?;
                let id = order.id;
                let now = self
                    .inner
                    .store
                    .read(move |tx| orders::by_id(tx, id))
                    .await?;
                let is_over = now.is_some_and(|order| {
                    matches!(order.status, OrderStatus::Failed | OrderStatus::Expired)
                });
                // A failed invoice can't always be cancelled, and can't be paid by anybody who does not have its page open.
                if is_over && code != "ORDER_IN_PROGRESS" {
                    return Ok(());
                }
                Err(Refusal::conflict(Key::PaymentOutcomeUnknown).into())
            }
            Err(_) => Err(Refusal::new(Sort::Unavailable, Key::AcquirerUnavailable).into()),
        }
    }

    /// Asks for a fresh invoice in place of the attempt that is known, unless somebody else has meanwhile.
    async fn ask_anew(
        &self,
        notary: NotaryId,
        order: Order,
        known: Option<AttemptId>,
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
                    attempts::supersede(tx, current)?;
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
