//! Asking the acquirer for a payment, and writing down what it answers.

use cabinet_domain::{AttemptId, Count, Key, OrderEvent, OrderId};
use cabinet_gateways::acquirer::{
    AcquirerError, Invoice, InvoiceKind, InvoiceLine, InvoiceRequest, InvoiceStatus, PaymentAnswer,
    PaymentReference, SavedCardPayment,
};
use cabinet_storage::attempts::{self, Attempt, AttemptState};
use cabinet_storage::orders::{self, Order};
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};

use super::apply::{Facts, is_asked, step_order};
use super::create::Means;
use super::{FIRST_CHECK, INVOICE_LIFETIME, failure, next_check};
use crate::refusal::{AppError, Outcome};
use crate::{App, texts};

/// The code of a charge that the acquirer was never brought to make.
const NOT_CHARGED: &str = "not_charged";
/// A person is called to a payment about which the acquirer has given no answer for so long.
const SILENCE_MAX: SignedDuration = SignedDuration::from_hours(3);

impl App {
    /// Asks for the payment under the attempt's id and writes down the answer. An answer that did not come leaves the attempt
    /// asked.
    ///
    /// # Errors
    /// When the answer can't be written down. The attempt then stays asked, and the worker goes on with it.
    pub(super) async fn ask_acquirer(
        &self,
        order: &Order,
        attempt: AttemptId,
        means: &Means,
    ) -> Outcome<()> {
        match means {
            Means::Page => {
                let answer = self
                    .acquirer()
                    .create_invoice(&self.invoice_request(order, attempt)?)
                    .await;
                self.note_invoice(order.id, attempt, answer).await
            }
            Means::Card { token, .. } => {
                let invoice = self.invoice_request(order, attempt)?;
                let request = SavedCardPayment {
                    reference: invoice.reference,
                    amount: invoice.amount,
                    destination: invoice.destination,
                    token: token.clone(),
                    redirect_url: invoice.redirect_url,
                    report_url: invoice.report_url,
                    lines: invoice.lines,
                };
                let answer = self.acquirer().pay_with_saved_card(&request).await;
                self.note_card_payment(order.id, attempt, answer).await
            }
        }
    }

    /// Whether the acquirer's first answer for the order is still awaited.
    pub(super) async fn is_being_asked(&self, order: OrderId) -> Outcome<bool> {
        let current = self
            .inner
            .store
            .read(move |tx| attempts::current_of(tx, order))
            .await?;
        // An attempt that was looked after by the worker is no longer in anybody's hands.
        Ok(current.is_some_and(|attempt| {
            attempt.state == AttemptState::Asked && attempt.last_error.is_none()
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

    /// Writes down the answer to a request for an invoice.
    pub(super) async fn note_invoice(
        &self,
        order: OrderId,
        attempt: AttemptId,
        answer: Result<Invoice, AcquirerError>,
    ) -> Outcome<()> {
        let now = self.now();
        let facts = self.facts();
        match answer {
            Ok(invoice) if self.is_payment_page(&invoice.page_url) => {
                let write = move |tx: &mut Tx| -> Result<(), StorageError> {
                    // Locked before its attempt, here and below, as a report about it does: the two come at nearly the same moment.
                    let Some(found) = orders::by_id(tx, order)? else {
                        return Ok(());
                    };
                    let (page, end) = (
                        Some(invoice.page_url.as_str()),
                        Some(now + INVOICE_LIFETIME),
                    );
                    if attempts::record_accepted(
                        tx,
                        attempt,
                        invoice.id.as_str(),
                        page,
                        end,
                        now + FIRST_CHECK,
                        now,
                    )? {
                        if found.status.has_money() {
                            // Paid on an older page while this one was being made: nobody is shown it, and the worker closes it.
                            return attempts::schedule(tx, attempt, Some(now), None);
                        }
                        orders::set_widget_url(tx, order, page)?;
                        step_order(tx, order, OrderEvent::AcquirerWaits, None, &facts)?;
                        return Ok(());
                    }
                    // The report may have told of an invoice that was asked for before this one and whose answer was lost.
                    attempts::replace_invoice(tx, attempt, invoice.id.as_str())?;
                    note_page(tx, (order, attempt), (invoice.id.as_str(), page), end)
                };
                self.inner.store.write(write).await?;
                self.announce_order(order).await;
                Ok(())
            }
            Ok(_) => {
                tracing::error!(order.id = %order, "The acquirer's payment page is on a host that is not in CABINET_ACQUIRER_PAGE_HOSTS");
                self.note_refusal(order, attempt, "page_host").await
            }
            Err(error) => self.note_error(order, attempt, error).await,
        }
    }

    async fn note_card_payment(
        &self,
        order: OrderId,
        attempt: AttemptId,
        answer: Result<PaymentAnswer, AcquirerError>,
    ) -> Outcome<()> {
        let now = self.now();
        match answer {
            Ok(answer) => {
                let confirm_url = answer
                    .three_d_secure_url
                    .clone()
                    .filter(|url| self.is_payment_page(url));
                let invoice_id = answer.invoice_id.as_str().to_owned();
                let facts = self.facts();
                let write = {
                    let confirm_url = confirm_url.clone();
                    move |tx: &mut Tx| -> Result<(), StorageError> {
                        orders::by_id(tx, order)?;
                        let page = confirm_url.as_deref();
                        if attempts::record_accepted(
                            tx,
                            attempt,
                            &invoice_id,
                            page,
                            None,
                            now + FIRST_CHECK,
                            now,
                        )? {
                            orders::set_widget_url(tx, order, page)?;
                            step_order(tx, order, OrderEvent::AcquirerWaits, None, &facts)?;
                            return Ok(());
                        }
                        note_page(tx, (order, attempt), (&invoice_id, page), None)
                    }
                };
                self.inner.store.write(write).await?;
                self.announce_order(order).await;
                if matches!(
                    answer.status,
                    InvoiceStatus::Success | InvoiceStatus::Failure
                ) {
                    // The whole state (amounts, approval code) is in the invoice, so it is read rather than half believed.
                    self.ask_about(attempt).await?;
                }
                Ok(())
            }
            // The card was certainly not charged, so the order need not wait for a trace of it: the payer may try again.
            Err(error @ (AcquirerError::Unavailable | AcquirerError::TooMany { .. })) => {
                tracing::warn!(order.id = %order, %error, "A saved card could not be charged");
                self.note_refusal(order, attempt, NOT_CHARGED).await
            }
            Err(error) => self.note_error(order, attempt, error).await,
        }
    }

    async fn note_error(
        &self,
        order: OrderId,
        attempt: AttemptId,
        error: AcquirerError,
    ) -> Outcome<()> {
        match error {
            AcquirerError::Refused { code } => {
                tracing::warn!(order.id = %order, code, "The acquirer refused a payment");
                self.note_refusal(order, attempt, &code).await
            }
            error => {
                tracing::warn!(order.id = %order, %error, "The acquirer's answer for a payment is not known");
                let (text, facts) = (error.to_string(), self.facts());
                let write = move |tx: &mut Tx| -> Result<(), StorageError> {
                    orders::by_id(tx, order)?;
                    if let Some(attempt) = attempts::by_id(tx, attempt)? {
                        let next = facts.now + pause_after(&error, attempt.checks);
                        attempts::schedule(tx, attempt.id, Some(next), Some(&text))?;
                        tell_of_silence(&attempt, facts.now);
                    }
                    step_order(tx, order, OrderEvent::NoAnswer, Some(&text), &facts)
                };
                self.inner.store.write(write).await?;
                self.announce_order(order).await;
                Ok(())
            }
        }
    }

    /// A definite refusal: nothing was charged and nothing will be.
    pub(super) async fn note_refusal(
        &self,
        order: OrderId,
        attempt: AttemptId,
        code: &str,
    ) -> Outcome<()> {
        let (code, facts) = (code.to_owned(), self.facts());
        let key = match code.as_str() {
            "TOKEN_NOT_FOUND" => Key::CardNotFound,
            NOT_CHARGED => Key::AcquirerUnavailable,
            _ => Key::AcquirerRefused,
        };
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            orders::by_id(tx, order)?;
            if !attempts::record_refused(tx, attempt, Some(&code), "refused", facts.now)? {
                // A report, or another worker, knows more by now.
                return Ok(());
            }
            orders::set_failure(tx, order, Some(key.as_str()))?;
            orders::set_widget_url(tx, order, None)?;
            step_order(tx, order, OrderEvent::AcquirerFailed, Some(&code), &facts)
        };
        self.inner.store.write(write).await?;
        self.announce_order(order).await;
        Ok(())
    }

    /// Whether an address may be opened as the acquirer's page: one of its hosts, https outside this machine.
    pub(super) fn is_payment_page(&self, url: &str) -> bool {
        let rest = url.strip_prefix("https://").or_else(|| {
            self.settings()
                .demonstration
                .then(|| url.strip_prefix("http://"))
                .flatten()
        });
        let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
        host.is_some_and(|host| self.settings().page_hosts.iter().any(|known| known == host))
    }

    /// The time and ids a unit of work needs, drawn outside it.
    pub(super) fn facts(&self) -> Facts {
        Facts::draw(self)
    }
}

/// How long an acquirer that gave no answer is left alone: ever longer, and never shorter than it asks for.
pub(super) fn pause_after(error: &AcquirerError, checks: i64) -> SignedDuration {
    let wished = match error {
        AcquirerError::TooMany {
            retry_after: Some(wait),
        } => SignedDuration::try_from(*wait).unwrap_or_default(),
        _ => SignedDuration::ZERO,
    };
    next_check(checks).max(wished)
}

/// Calls a person to a payment that has waited too long for the acquirer's first answer.
pub(super) fn tell_of_silence(attempt: &Attempt, now: Timestamp) {
    if is_asked(attempt) && now.duration_since(attempt.created_at) >= SILENCE_MAX {
        tracing::error!(order.id = %attempt.order_id, "The acquirer has given no answer about order {} for hours", attempt.order_id);
        metrics::counter!("alarms_total", "kind" => "payment_unanswered").increment(1);
    }
}

/// Writes down the page of an attempt that a report had accepted before the answer came, unless it has ended by now. The page of
/// another invoice than the attempt's is shown to nobody: what is paid there would not be known for this order's.
fn note_page(
    tx: &mut Tx,
    (order, attempt): (OrderId, AttemptId),
    (invoice, page): (&str, Option<&str>),
    expires_at: Option<Timestamp>,
) -> Result<(), StorageError> {
    let is_open = attempts::current_of(tx, order)?.is_some_and(|current| {
        current.id == attempt
            && current.state == AttemptState::Accepted
            && current.page_url.is_none()
            && current.invoice_id.as_deref() == Some(invoice)
    });
    if let Some(page) = page.filter(|_| is_open) {
        attempts::record_page(tx, attempt, page, expires_at)?;
        orders::set_widget_url(tx, order, Some(page))?;
    }
    Ok(())
}

/// The key of a failure the acquirer reports.
pub(super) fn failure_key(code: Option<&str>) -> &'static str {
    failure::key_of(code).as_str()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_busy_acquirer_is_left_alone_for_as_long_as_it_asks() {
        let busy = |seconds| AcquirerError::TooMany {
            retry_after: Some(Duration::from_secs(seconds)),
        };
        for (error, checks, seconds) in [
            (busy(1), 0, 60),
            (busy(600), 0, 600),
            (busy(600), 100, 7_200),
            (AcquirerError::TooMany { retry_after: None }, 3, 180),
            (AcquirerError::Unavailable, 0, 60),
            (AcquirerError::Unknown, 6, 600),
        ] {
            let pause = pause_after(&error, checks);
            assert_eq!(pause.as_secs(), seconds, "{error:?} {checks}");
        }
    }
}
