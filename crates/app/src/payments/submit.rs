//! Asking the acquirer for a payment under an attempt's reference.

use cabinet_domain::payment::{Answer, AttemptState, INVOICE_LIFETIME, News, PaymentState};
use cabinet_domain::{AttemptId, Count, MaskedCard, OrderId};
use cabinet_gateways::acquirer::{
    AcquirerError, CardToken, InvoiceKind, InvoiceLine, InvoiceRequest, InvoiceStatus,
    PaymentReference, SavedCardPayment,
};
use cabinet_storage::orders::Order;
use cabinet_storage::payments;
use jiff::SignedDuration;

use super::settle::is_on_its_way;
use crate::refusal::{AppError, Outcome};
use crate::{App, texts};

/// How an order is paid.
#[derive(Clone)]
pub(crate) enum PaymentMethodRequest {
    /// On the acquirer's page.
    Page,
    /// With a saved card.
    Card {
        /// The card's token.
        token: CardToken,
        /// Its mask.
        pan: MaskedCard,
    },
}

impl App {
    /// Sends the request of a prepared attempt and settles the answer. That it is sent is written down first, so an attempt
    /// that is still prepared later was certainly not sent. An answer that does not come leaves it submitted.
    ///
    /// # Errors
    /// Fails where nothing can be written down. The worker then goes on with the attempt.
    pub(crate) async fn submit(
        &self,
        order: &Order,
        attempt: AttemptId,
        method: &PaymentMethodRequest,
    ) -> Outcome<()> {
        let news = News::Submitting(attempt, self.acquirer().time());
        let settled = self.settle(order.id, news).await?;
        let is_ours = settled.is_some_and(|settled| {
            settled
                .case
                .attempt(attempt)
                .is_some_and(|attempt| attempt.state == AttemptState::Submitted)
                && settled.verdict == cabinet_domain::payment::SettlementVerdict::Applied
        });
        if !is_ours {
            // Somebody else has given it up, or sent it.
            return Ok(());
        }
        self.send(order, attempt, method).await
    }

    /// Sends the request of a submitted attempt and settles the answer.
    pub(super) async fn send(
        &self,
        order: &Order,
        attempt: AttemptId,
        method: &PaymentMethodRequest,
    ) -> Outcome<()> {
        let request = self.invoice_request(order, attempt)?;
        match method {
            PaymentMethodRequest::Page => {
                let answer = match self.acquirer().create_invoice(&request).await {
                    Ok(invoice) => Answer::Invoice {
                        page: self
                            .is_payment_page(&invoice.page_url)
                            .then_some(invoice.page_url),
                        invoice_id: invoice.id,
                        made_at: self.acquirer().time(),
                        fresh: self.new_attempt_id(order.id),
                    },
                    Err(error) => answer_of(order.id, error),
                };
                self.settle(order.id, News::Answered(attempt, answer))
                    .await?;
                Ok(())
            }
            PaymentMethodRequest::Card { token, .. } => {
                let payment = SavedCardPayment {
                    reference: request.reference,
                    amount: request.amount,
                    destination: request.destination,
                    token: token.clone(),
                    redirect_url: request.redirect_url,
                    report_url: request.report_url,
                    lines: request.lines,
                };
                self.charge(order.id, attempt, &payment).await
            }
        }
    }

    async fn charge(
        &self,
        order: OrderId,
        attempt: AttemptId,
        payment: &SavedCardPayment,
    ) -> Outcome<()> {
        let (answer, is_over) = match self.acquirer().pay_with_saved_card(payment).await {
            Ok(answer) => {
                let named = answer.three_d_secure_url.as_deref();
                let page = named.filter(|url| self.is_payment_page(url));
                let is_over = matches!(
                    answer.status,
                    InvoiceStatus::Success | InvoiceStatus::Failure
                );
                let charge = Answer::Charge {
                    is_page_unlisted: named.is_some() && page.is_none(),
                    page: page.map(str::to_owned),
                    invoice_id: answer.invoice_id,
                };
                (charge, is_over)
            }
            Err(error) => (answer_of(order, error), false),
        };
        self.settle(order, News::Answered(attempt, answer)).await?;
        if is_over {
            // The whole state (amounts, approval code) is in the invoice, so it is read rather than half believed.
            self.ask_state(attempt).await?;
        }
        Ok(())
    }

    /// Whether the acquirer's first answer for the order is still awaited by whoever asked.
    pub(crate) async fn is_being_submitted(&self, order: OrderId) -> Outcome<bool> {
        let case = self
            .inner
            .store
            .read(move |tx| payments::case_of(tx, order))
            .await?;
        Ok(case.is_some_and(|case| {
            case.order.payment_state == PaymentState::Unknown && is_on_its_way(&case)
        }))
    }

    fn invoice_request(&self, order: &Order, attempt: AttemptId) -> Outcome<InvoiceRequest> {
        let public_url = &self.settings().public_url;
        let reference = PaymentReference::parse(&attempt.to_string())
            .ok_or_else(|| AppError::Broken("an attempt's id is no reference".to_owned()))?;
        Ok(InvoiceRequest {
            reference,
            amount: order.sum,
            destination: texts::payment_destination(order.locale, &order.number.to_string()),
            redirect_url: format!("{public_url}/order/{}/payment-status", order.id),
            report_url: format!("{public_url}/api/acquirer/report"),
            validity_seconds: u32::try_from(INVOICE_LIFETIME.as_secs()).unwrap_or(u32::MAX),
            lines: vec![InvoiceLine {
                name: texts::basket_line(order.locale).to_owned(),
                code: order.number.to_string(),
                quantity: Count::ONE,
                unit_amount: order.sum,
                split_receiver: None,
            }],
            // The page may offer to keep the card; the notary's next payment is then one click.
            save_card: self.keys().wallet(order.notary_id),
            kind: InvoiceKind::Debit,
            in_frame: false,
        })
    }

    /// Whether an address may be opened as the acquirer's page: one of its hosts, https outside this machine.
    pub(crate) fn is_payment_page(&self, url: &str) -> bool {
        let rest = url.strip_prefix("https://").or_else(|| {
            self.settings()
                .demonstration
                .then(|| url.strip_prefix("http://"))
                .flatten()
        });
        let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
        let is_listed =
            host.is_some_and(|host| self.settings().page_hosts.iter().any(|known| known == host));
        if !is_listed {
            tracing::error!(
                "The acquirer's payment page is on a host that is not in CABINET_ACQUIRER_PAGE_HOSTS"
            );
        }
        is_listed
    }
}

/// What an error says about a submission. The four errors differ in whether money can have moved.
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
