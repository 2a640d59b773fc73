//! Asking about orders whose outcome is open: by the worker when it is due, and when somebody looks at one.

use cabinet_domain::{AttemptId, Key, OrderEvent, OrderId, OrderStatus};
use cabinet_gateways::acquirer::{AcquirerError, InvoiceId, PaymentReference};
use cabinet_storage::attempts::{self, Attempt, AttemptKind, AttemptState};
use cabinet_storage::{StorageError, Tx, orders};
use jiff::SignedDuration;

use super::apply::{Verdict, apply_absence, apply_state, is_asked, step_order};
use super::ask::{pause_after, tell_of_silence};
use super::create::Means;
use super::{TRACE_TIME_MAX, next_check};
use crate::App;
use crate::refusal::Outcome;

/// Attempts that are looked at in one round of the worker, or a few more.
const ROUND_MAX: usize = 50;
/// Attempts that are claimed and looked after at once, so that one slow answer does not hold up the others.
const AT_ONCE: u32 = 8;
/// A claimed attempt is left alone by other workers for so long: longer than all that is asked about one may take.
const CLAIM: SignedDuration = SignedDuration::from_secs(120);

impl App {
    /// One round of the worker: asks about every order that is due.
    ///
    /// # Errors
    /// When the database can't be used. A single order's failure is logged and tried again later.
    pub async fn check_due_orders(&self) -> Outcome<usize> {
        let mut count = 0;
        while count < ROUND_MAX {
            let now = self.now();
            // No more than are looked after at once: a claim would run out while it waits for others.
            let due = self
                .inner
                .store
                .write(move |tx| attempts::claim_due(tx, now, now + CLAIM, AT_ONCE))
                .await?;
            if due.is_empty() {
                break;
            }
            count += due.len();
            let looked_after = due.iter().map(async |attempt| {
                if let Err(error) = self.look_after(attempt).await {
                    tracing::error!(order.id = %attempt.order_id, %error, "An order can't be asked about");
                }
                self.note_worker_alive();
            });
            futures_util::future::join_all(looked_after).await;
        }
        Ok(count)
    }

    /// Asks about the order now, if its outcome is open. The acquirer's silence changes nothing: then the answer is `false`.
    pub(super) async fn ask_about_order(&self, order: OrderId) -> Outcome<bool> {
        let current = self
            .inner
            .store
            .read(move |tx| attempts::current_of(tx, order))
            .await?;
        match current {
            Some(attempt) if attempt.invoice_id.is_some() => self.ask_about(attempt.id).await,
            // Without an error its charge is still under way; of an invoice without an answer nobody has the page, so nobody pays it.
            Some(attempt)
                if is_asked(&attempt)
                    && attempt.kind == AttemptKind::CardToken
                    && attempt.last_error.is_some() =>
            {
                self.look_for_trace(&attempt).await
            }
            _ => Ok(true),
        }
    }

    /// Reads the invoice of an attempt and applies what it says. `false`: the acquirer did not tell where the invoice stands.
    pub(super) async fn ask_about(&self, attempt: AttemptId) -> Outcome<bool> {
        let found = self
            .inner
            .store
            .read(move |tx| attempts::by_id(tx, attempt))
            .await?;
        let Some((order, invoice)) = found.and_then(|attempt| {
            let invoice = InvoiceId::parse(attempt.invoice_id.as_deref()?)?;
            Some((attempt.order_id, invoice))
        }) else {
            return Ok(true);
        };
        match self.acquirer().invoice_status(&invoice).await {
            Ok(state) => {
                let facts = self.facts();
                let write = move |tx: &mut Tx| apply_state(tx, &state, &facts);
                let verdict = self.inner.store.write(write).await?;
                if verdict == Verdict::Applied {
                    self.announce_invoice(invoice.as_str().to_owned()).await;
                }
                Ok(true)
            }
            Err(error) if error.is_not_found() => {
                tracing::warn!(order.id = %order, attempt.id = %attempt, "The acquirer knows nothing of an invoice of order {order}");
                let facts = self.facts();
                let write = move |tx: &mut Tx| apply_absence(tx, (order, attempt), &facts);
                let is_over = self.inner.store.write(write).await?;
                if is_over {
                    self.announce_order(order).await;
                } else {
                    metrics::counter!("alarms_total", "kind" => "invoice_not_found").increment(1);
                }
                Ok(is_over)
            }
            Err(error) => {
                tracing::warn!(order.id = %order, attempt.id = %attempt, %error, "An invoice's state is not known");
                if matches!(error, AcquirerError::Refused { .. }) {
                    metrics::counter!("alarms_total", "kind" => "question_refused").increment(1);
                }
                Ok(false)
            }
        }
    }

    async fn look_after(&self, attempt: &Attempt) -> Outcome<()> {
        let id = attempt.id;
        // Others came before it in this round, and a report, or another worker, may have come meanwhile.
        let known = self
            .inner
            .store
            .read(move |tx| attempts::by_id(tx, id))
            .await?;
        if known.is_none_or(|known| {
            (known.state, known.next_check_at) != (attempt.state, attempt.next_check_at)
        }) {
            return Ok(());
        }
        if attempt.kind == AttemptKind::Invoice && self.is_paid_otherwise(attempt).await? {
            return self.withdraw(attempt).await;
        }
        if is_asked(attempt) {
            return match attempt.kind {
                AttemptKind::Invoice => self.ask_for_invoice_again(attempt).await,
                AttemptKind::CardToken => self.look_for_trace(attempt).await.map(drop),
            };
        }
        if matches!(
            attempt.state,
            AttemptState::Accepted | AttemptState::Superseded
        ) {
            // Should the acquirer be silent, the next time is this far off; an answer sets its own.
            let next = self.now() + next_check(attempt.checks);
            self.inner
                .store
                .write(move |tx| attempts::schedule(tx, id, Some(next), None))
                .await?;
            self.ask_about(id).await?;
            // Another page of the order may have been found paid at the same moment, before the next time was set here.
            if attempt.kind == AttemptKind::Invoice && self.is_paid_otherwise(attempt).await? {
                return self.withdraw(attempt).await;
            }
        }
        Ok(())
    }

    /// Whether the attempt's order was paid, or paid and given back, by another attempt. One that was given back before the order
    /// was ever paid by it leaves the order waiting for this one.
    async fn is_paid_otherwise(&self, attempt: &Attempt) -> Outcome<bool> {
        let (id, order) = (attempt.id, attempt.order_id);
        let read = move |tx: &mut Tx| -> Result<bool, StorageError> {
            let is_paid = orders::by_id(tx, order)?.is_some_and(|order| order.status.has_money());
            Ok(is_paid
                && attempts::of_order(tx, order)?.iter().any(|other| {
                    other.id != id && other.outcome.is_some_and(OrderStatus::has_money)
                }))
        };
        Ok(self.inner.store.read(read).await?)
    }

    /// Closes the page of an attempt whose order another attempt has paid, so that nobody pays the order a second time. Tried again
    /// for as long as the acquirer does not answer or is at a payment; what was paid all the same raises its alarm.
    async fn withdraw(&self, attempt: &Attempt) -> Outcome<()> {
        let (id, next) = (attempt.id, self.now() + next_check(attempt.checks));
        if let Some(invoice) = attempt.invoice_id.as_deref().and_then(InvoiceId::parse)
            && let Err(error) = self.acquirer().remove_invoice(&invoice).await
        {
            tracing::warn!(attempt.id = %id, %error, "The page of an order that is paid can't be closed yet");
            let put_off = move |tx: &mut Tx| attempts::schedule(tx, id, Some(next), None);
            self.inner.store.write(put_off).await?;
            self.ask_about(id).await?;
            return Ok(());
        }
        // Without an invoice's id nobody was ever shown its page.
        let close = move |tx: &mut Tx| attempts::supersede(tx, id, None);
        self.inner.store.write(close).await?;
        Ok(())
    }

    /// Nobody was ever shown the invoice whose answer was lost, so nobody can pay it: another is asked for under the same
    /// reference.
    async fn ask_for_invoice_again(&self, attempt: &Attempt) -> Outcome<()> {
        let order = attempt.order_id;
        let found = self
            .inner
            .store
            .read(move |tx| orders::by_id(tx, order))
            .await?;
        match found {
            Some(order) => self.ask_acquirer(&order, attempt.id, &Means::Page).await,
            None => Ok(()),
        }
    }

    /// A charge whose answer was lost is looked for in the acquirer's statement. Without a trace after the time a charge may
    /// take to show, it was never made. `false`: the acquirer did not answer.
    async fn look_for_trace(&self, attempt: &Attempt) -> Outcome<bool> {
        const CLOCKS_APART: SignedDuration = SignedDuration::from_mins(5);
        /// A charge stands on the statement not later than so long after it was asked for. What came after it is not looked through:
        /// there would be ever more of it, and one entry that can't be read leaves all of the answer unknown.
        const CHARGED_WITHIN: SignedDuration = SignedDuration::from_hours(1);
        let (id, order, now) = (attempt.id, attempt.order_id, self.now());
        let Some(reference) = PaymentReference::parse(&id.to_string()) else {
            return Ok(true);
        };
        match self
            .acquirer()
            .find_by_reference(
                &reference,
                attempt.created_at - CLOCKS_APART,
                (now + CLOCKS_APART).min(attempt.created_at + CHARGED_WITHIN),
            )
            .await
        {
            Ok(found) => match found.into_iter().next() {
                Some(entry) => {
                    let invoice = entry.invoice_id.as_str().to_owned();
                    let write = move |tx: &mut Tx| {
                        attempts::record_accepted(
                            tx,
                            id,
                            &invoice,
                            None,
                            None,
                            now + super::FIRST_CHECK,
                            now,
                        )
                    };
                    self.inner.store.write(write).await?;
                    self.ask_about(id).await
                }
                None if now.duration_since(attempt.created_at) >= TRACE_TIME_MAX => {
                    self.give_up(id, order).await?;
                    Ok(true)
                }
                None => {
                    let next = now + next_check(attempt.checks);
                    self.inner
                        .store
                        .write(move |tx| attempts::schedule(tx, id, Some(next), None))
                        .await?;
                    Ok(true)
                }
            },
            Err(error) => {
                let next = now + pause_after(&error, attempt.checks);
                let text = error.to_string();
                self.inner
                    .store
                    .write(move |tx| attempts::schedule(tx, id, Some(next), Some(&text)))
                    .await?;
                tell_of_silence(attempt, now);
                Ok(false)
            }
        }
    }

    async fn give_up(&self, attempt: AttemptId, order: OrderId) -> Outcome<()> {
        let facts = self.facts();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            // Locked before its attempt, as a report about it does.
            orders::by_id(tx, order)?;
            if !attempts::record_refused(tx, attempt, None, "no_trace", facts.now)? {
                // A report, or somebody who asked at the same moment, knows more by now.
                return Ok(());
            }
            orders::set_failure(tx, order, Some(Key::PaymentNotConfirmed.as_str()))?;
            step_order(
                tx,
                order,
                OrderEvent::AcquirerFailed,
                Some("no_trace"),
                &facts,
            )
        };
        self.inner.store.write(write).await?;
        self.announce_order(order).await;
        Ok(())
    }
}
