//! Asking the acquirer for a payment under an attempt's reference.

use cabinet_domain::payment::{
    AcquirerName, Answer, Attempt, AttemptKind, AttemptState, Case, NewAttempt, News, PaymentState,
    SettlementVerdict,
};
use cabinet_domain::{AttemptId, Count, Order, OrderId, TruncatedPan};
use cabinet_gateways::acquirer::{
    AcquirerError, CardToken, InvoiceKind, InvoiceLine, InvoiceRequest, InvoiceStatus,
    PaymentMarks, PaymentReference, SavedCardPayment,
};
use cabinet_storage::order::orders;
use cabinet_storage::payment::payments;
use jiff::SignedDuration;
use tracing::Instrument as _;

use super::Payments;
use super::sending_time::SendingTime;
use crate::kernel::refusal::{AppError, Result};
use crate::kernel::texts;
use crate::order::span::span_of_order;
use crate::payment::approval::Approved;

/// How an order is paid.
#[derive(Clone)]
pub(crate) enum PaymentMethodRequest {
    /// On the acquirer's page.
    Page,
    /// With a saved card.
    Card {
        /// The card's token.
        token: CardToken,
        /// That it may be charged for the order.
        approved: Approved,
    },
}

/// A saved card with which somebody wants to pay.
#[derive(Clone)]
pub(crate) struct WantedCard {
    /// The card's token.
    pub(crate) token: CardToken,
    /// Its mask.
    pub(crate) pan: TruncatedPan,
}

/// An attempt that was begun, and who is asked.
#[derive(Clone, Copy)]
pub(crate) struct Begun {
    pub(crate) id: AttemptId,
    pub(crate) acquirer: AcquirerName,
}

impl Begun {
    pub(crate) const fn of(attempt: &Attempt) -> Begun {
        Begun {
            id: attempt.id,
            acquirer: attempt.acquirer,
        }
    }
}

/// What came of sending an attempt.
enum Sent {
    /// The acquirer answered, or not. The case as it was settled, where that is known.
    Settled(Option<Case>),
    /// Nothing was sent, and another acquirer is asked by this attempt; `None`: the attempt was given up meanwhile.
    Elsewhere(Option<Begun>),
}

/// Returns the address for the reports of an acquirer.
pub(crate) fn report_url(public_url: &str, acquirer: AcquirerName) -> String {
    match acquirer {
        AcquirerName::Monobank => format!("{public_url}/api/acquirer/report"),
        AcquirerName::LiqPay => format!("{public_url}/api/acquirer/report/liqpay"),
    }
}

impl Payments {
    /// Sends the request of a prepared attempt and settles the answer. The attempt is stored as submitted first, so one that is
    /// still prepared later was certainly not sent. Without an answer it stays submitted. A request that could be sent only late is not
    /// sent: the order may be on its way by another. If certainly nothing was sent, the next acquirer is asked for a page, by an attempt of
    /// its own. Returns the case after the last settlement, where it is known.
    ///
    /// # Errors
    /// Fails when the database fails. The worker then continues with the attempt.
    pub(crate) async fn submit(
        &self,
        order: &Order,
        begun: Begun,
        method: &PaymentMethodRequest,
    ) -> Result<Option<Case>> {
        let mut next = Some(begun);
        while let Some(begun) = next {
            let sending_time = SendingTime::begin(&*self.clock);
            if !self.mark_submitted(order, begun).await? {
                // Another process has given it up or sent it.
                return Ok(None);
            }
            if sending_time.is_over(&*self.clock) {
                tracing::warn!(order.id = %order.id, "A payment is not sent to the acquirer, because it is too late");
                let news = News::Answered(begun.id, Answer::NotSent);
                let settled = self.settler.settle(order.id, news).await?;
                return Ok(settled.map(|settled| settled.case));
            }
            let sent = self
                .send(order, begun, method, self.acquirers.after(begun.acquirer))
                .instrument(span_of_order(order))
                .await?;
            next = match sent {
                Sent::Settled(case) => return Ok(case),
                Sent::Elsewhere(begun) => begun,
            };
        }
        Ok(None)
    }

    /// Stores that the request of an attempt is about to be sent. Returns whether it is for us to send it.
    async fn mark_submitted(&self, order: &Order, begun: Begun) -> Result<bool> {
        let time = self.acquirers.of(begun.acquirer).time();
        let news = News::Submitting(begun.id, time);
        let settled = self.settler.settle(order.id, news).await?;
        Ok(settled.is_some_and(|settled| {
            settled
                .case
                .attempt(begun.id)
                .is_some_and(|attempt| attempt.state == AttemptState::Submitted)
                && settled.verdict == SettlementVerdict::Applied
        }))
    }

    /// Sends the request of a submitted attempt and settles the answer. `next` is asked instead, if nothing was sent.
    async fn send(
        &self,
        order: &Order,
        begun: Begun,
        method: &PaymentMethodRequest,
        next: Option<AcquirerName>,
    ) -> Result<Sent> {
        let request = self.invoice_request(order, begun)?;
        match method {
            PaymentMethodRequest::Page => {
                let acquirer = self.acquirers.of(begun.acquirer);
                let answer = match (acquirer.create_invoice(&request).await, next) {
                    (Ok(invoice), _) => Answer::Invoice {
                        page: self.page_hosts.allow(invoice.page_url),
                        invoice_id: invoice.id,
                        made_at: acquirer.time(),
                        fresh: self.ids.attempt_id(order.id),
                    },
                    (
                        Err(error @ (AcquirerError::Unavailable | AcquirerError::TooMany { .. })),
                        Some(next),
                    ) => {
                        tracing::warn!(
                            %error,
                            "{} was not asked for a payment page, so {} is",
                            begun.acquirer.as_str(),
                            next.as_str()
                        );
                        return self.ask_next(order, begun, next).await.map(Sent::Elsewhere);
                    }
                    (Err(error), _) => answer_of(order.id, error),
                };
                let news = News::Answered(begun.id, answer);
                let settled = self.settler.settle(order.id, news).await?;
                Ok(Sent::Settled(settled.map(|settled| settled.case)))
            }
            PaymentMethodRequest::Card { token, approved } => {
                if approved.order() != order.id {
                    return Err(AppError::Broken(
                        "the charge of another order was approved".to_owned(),
                    ));
                }
                let payment = SavedCardPayment {
                    payment_reference: request.payment_reference,
                    amount: request.amount,
                    destination: request.destination,
                    token: token.clone(),
                    redirect_url: request.redirect_url,
                    report_url: request.report_url,
                    lines: request.lines,
                    marks: request.marks,
                };
                let case = self.charge(order.id, begun.id, &payment).await?;
                Ok(Sent::Settled(case))
            }
        }
    }

    /// Begins an attempt with the next acquirer, in the unit of work that ends the one of which nothing was sent.
    async fn ask_next(
        &self,
        order: &Order,
        unsent: Begun,
        next: AcquirerName,
    ) -> Result<Option<Begun>> {
        let fresh = NewAttempt {
            id: self.ids.attempt_id(order.id),
            order_id: order.id,
            acquirer: next,
            kind: AttemptKind::Invoice,
            amount: order.sum,
            created_at: self.clock.now(),
        };
        let id = fresh.id;
        let news = News::AskedElsewhere(unsent.id, fresh);
        let settled = self.settler.settle(order.id, news).await?;
        let begun = settled.and_then(|settled| settled.case.attempt(id).map(Begun::of));
        Ok(begun)
    }

    /// Requests the page of an attempt again after its answer was lost, unless somebody may have that page. By the statement nobody has
    /// paid it. Nobody else is asked: the first request may have been carried out.
    pub(super) async fn resubmit(&self, attempt: AttemptId) -> Result<()> {
        let Some((case, attempt)) = self.case_with(attempt).await? else {
            return Ok(());
        };
        if attempt.state != AttemptState::Submitted
            || attempt.kind != AttemptKind::Invoice
            || attempt.may_have_been_shown()
        {
            return Ok(());
        }
        let id = case.order.id;
        let order = self.store.read(move |tx| orders::by_id(tx, id)).await?;
        if let Some(order) = order {
            let page = PaymentMethodRequest::Page;
            self.send(&order, Begun::of(&attempt), &page, None).await?;
        }
        Ok(())
    }

    /// Charges a saved card and settles the answer. Returns the case after the last settlement.
    async fn charge(
        &self,
        order: OrderId,
        attempt: AttemptId,
        payment: &SavedCardPayment,
    ) -> Result<Option<Case>> {
        let (answer, is_over) = match self.acquirers.cards().pay_with_saved_card(payment).await {
            Ok(answer) => {
                let named = answer.three_d_secure_url;
                let is_over = matches!(
                    answer.status,
                    InvoiceStatus::Success | InvoiceStatus::Failure
                );
                let charge = Answer::Charge {
                    page: named.map(|url| self.page_hosts.allow(url)),
                    invoice_id: answer.invoice_id,
                };
                (charge, is_over)
            }
            Err(error) => (answer_of(order, error), false),
        };
        let news = News::Answered(attempt, answer);
        let Some(settled) = self.settler.settle(order, news).await? else {
            return Ok(None);
        };
        let case = settled.case;
        if is_over && let Some(charged) = case.attempt(attempt) {
            // Only the invoice has the whole state, such as amounts and the approval code.
            let (_, asked) = self.ask_about(&case, charged).await?;
            return Ok(asked.or(Some(case)));
        }
        Ok(Some(case))
    }

    /// Whether the call that submitted the order still waits for the acquirer's first answer.
    pub(crate) async fn is_being_submitted(&self, order: OrderId) -> Result<bool> {
        let case = self
            .store
            .read(move |tx| payments::case_of(tx, order))
            .await?;
        Ok(case.is_some_and(|case| {
            case.order.payment_state == PaymentState::Unknown && is_on_its_way(&case)
        }))
    }

    fn invoice_request(&self, order: &Order, begun: Begun) -> Result<InvoiceRequest> {
        let public_url = &self.public_url;
        let time = self.acquirers.of(begun.acquirer).time();
        let lifetime = begun.acquirer.page_lifetime();
        let payment_reference = PaymentReference::parse(&begun.id.to_string())
            .ok_or_else(|| AppError::Broken("an attempt's id is no reference".to_owned()))?;
        Ok(InvoiceRequest {
            payment_reference,
            amount: order.sum,
            destination: texts::payment_destination(order.locale, &order.number.to_string()),
            redirect_url: format!("{public_url}/order/{}/payment-status", order.id),
            report_url: report_url(public_url, begun.acquirer),
            asked_at: time.unwrap_or_else(|| self.clock.now()),
            validity_seconds: u32::try_from(lifetime.as_secs()).unwrap_or(u32::MAX),
            lines: vec![InvoiceLine {
                name: texts::basket_line(order.locale).to_owned(),
                code: order.number.to_string(),
                quantity: Count::ONE,
                unit_amount: order.sum,
                split_receiver: None,
            }],
            kind: InvoiceKind::Debit,
            in_frame: false,
            marks: Some(PaymentMarks {
                order_number: order.number,
                notary: order.notary_id,
            }),
        })
    }
}

/// Whether the request of the latest attempt is on its way, and the call that sent it still runs.
fn is_on_its_way(case: &Case) -> bool {
    case.latest().is_some_and(|latest| {
        matches!(
            latest.state,
            AttemptState::Prepared | AttemptState::Submitted
        ) && latest.last_error.is_none()
    })
}

/// Returns what an error says about a submission. The errors differ in whether money can have moved.
fn answer_of(order: OrderId, error: AcquirerError) -> Answer {
    tracing::warn!(order.id = %order, %error, "The acquirer did not take a payment");
    match error {
        AcquirerError::Refused { code } => Answer::Refused { code },
        AcquirerError::Unavailable | AcquirerError::TooMany { .. } => Answer::NotSent,
        AcquirerError::Unknown => Answer::Unknown {
            error: error.to_string(),
            pause: SignedDuration::ZERO,
        },
    }
}
