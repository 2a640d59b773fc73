//! Asking the acquirer where a payment stands, and settling its answer.

use cabinet_domain::payment::{
    Attempt, AttemptState, Case, Clocks, News, Refund, Search, statement_window,
};
use cabinet_domain::{AttemptId, OrderId};
use cabinet_gateways::acquirer::{Acquirer, AcquirerError, PaymentReference};
use cabinet_storage::payment::{attempts, payments};
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};
use tracing::Instrument as _;

use super::Payments;
use crate::kernel::refusal::Result;
use crate::order::span::span_of;

/// What came of asking about an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Questioned {
    /// The acquirer has no invoice of it that could be asked about.
    Nothing,
    /// It told where each invoice stands.
    Answered,
    /// It did not answer about one of them.
    Silent,
}

/// An attempt of which the acquirer did not say where it stands.
pub(super) struct Unanswered {
    /// As it is after the question.
    pub(super) attempt: Attempt,
    /// The acquirer does not know it, which is no proof before this moment. `None`: it did not answer.
    pub(super) unknown_until: Option<Timestamp>,
}

/// What the acquirer told of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Its state.
    State,
    /// That it does not know it, which is as it should be, or ends its attempt.
    Over,
    /// That it does not know it, although it should.
    Missing,
    /// Nothing.
    Nothing,
}

impl Payments {
    /// Asks about all invoices of an order, also about those whose outcome is known: what was given back, or paid after all, is told
    /// there. Answers are settled as those to the worker. A charge whose answer was lost is looked for in the statement, also after it was
    /// given up.
    pub(crate) async fn question(&self, order: OrderId) -> Result<Questioned> {
        let (asked, silent) = self.question_but(order, None).await?;
        Ok(match (asked, silent.is_empty()) {
            (0, _) => Questioned::Nothing,
            (_, true) => Questioned::Answered,
            (_, false) => Questioned::Silent,
        })
    }

    /// Asks like [`Payments::question`], but not about one attempt. Returns how many attempts were asked about, and those without an answer.
    pub(super) async fn question_but(
        &self,
        order: OrderId,
        left_out: Option<AttemptId>,
    ) -> Result<(usize, Vec<Unanswered>)> {
        self.question_all(order, left_out)
            .instrument(span_of(order))
            .await
    }

    async fn question_all(
        &self,
        order: OrderId,
        left_out: Option<AttemptId>,
    ) -> Result<(usize, Vec<Unanswered>)> {
        let read = move |tx: &mut Tx| payments::case_of(tx, order);
        let case = self.store.read(read).await?;
        let (mut asked, mut silent) = (0, Vec::new());
        let attempts = case.into_iter().flat_map(|case| case.attempts);
        for attempt in attempts.filter(|attempt| Some(attempt.id) != left_out) {
            let is_lost = attempt.is_given_up() || attempt.is_outcome_lost();
            if attempt.invoice_id.is_none() && !is_lost {
                continue;
            }
            asked += 1;
            let told = self.ask_for_state(attempt.id).await?;
            let has_no_invoice = attempt.invoice_id.is_none() || told == Told::Missing;
            // An invoice that is not known says nothing about a charge that is looked for.
            let is_told = if is_lost && has_no_invoice {
                self.search_statement(&attempt).await?
            } else {
                matches!(told, Told::State | Told::Over)
            };
            if is_told {
                continue;
            }
            let now = self.clock.now();
            if let Some((_, attempt)) = self.case_with(attempt.id).await? {
                silent.push(Unanswered {
                    unknown_until: (told == Told::Missing).then(|| attempt.unknown_until(now)),
                    attempt,
                });
            }
        }
        Ok((asked, silent))
    }

    /// Asks about an order now, if its payment may still take money.
    pub(crate) async fn inquire_if_open(&self, order: OrderId) -> Result<()> {
        let read = move |tx: &mut Tx| payments::case_of(tx, order);
        let case = self.store.read(read).await?;
        if case.is_some_and(|case| case.order.payment_state.may_take_money()) {
            self.inquire(order).await?;
        }
        Ok(())
    }

    /// Asks about an order now, if more can come of it. Returns whether its state is known as of now.
    pub(crate) async fn inquire(&self, order: OrderId) -> Result<bool> {
        self.inquire_latest(order).instrument(span_of(order)).await
    }

    async fn inquire_latest(&self, order: OrderId) -> Result<bool> {
        let case = self
            .store
            .read(move |tx| payments::case_of(tx, order))
            .await?;
        let Some(latest) = case.as_ref().and_then(Case::latest) else {
            return Ok(true);
        };
        match latest.state {
            AttemptState::Accepted => self.ask_state(latest.id).await,
            AttemptState::Submitted if latest.is_outcome_lost() => {
                self.search_statement(latest).await
            }
            _ => Ok(true),
        }
    }

    /// Returns an attempt with its order and the other attempts.
    pub(super) async fn case_with(&self, attempt: AttemptId) -> Result<Option<(Case, Attempt)>> {
        let read = move |tx: &mut Tx| -> Result<_, StorageError> {
            let Some(found) = attempts::by_id(tx, attempt)? else {
                return Ok(None);
            };
            let case = payments::case_of(tx, found.order_id)?;
            Ok(case.and_then(|case| case.attempt(attempt).cloned().map(|found| (case, found))))
        };
        Ok(self.store.read(read).await?)
    }

    /// Reads the invoice of an attempt and settles what it says. Returns whether the acquirer told its state.
    pub(super) async fn ask_state(&self, attempt: AttemptId) -> Result<bool> {
        let told = self.ask_for_state(attempt).await?;
        Ok(matches!(told, Told::State | Told::Over))
    }

    /// Does the work of [`Payments::ask_state`].
    pub(super) async fn ask_for_state(&self, attempt: AttemptId) -> Result<Told> {
        match self.case_with(attempt).await? {
            Some((case, attempt)) => Ok(self.ask_about(&case, &attempt).await?.0),
            None => Ok(Told::State),
        }
    }

    /// Reads the invoice of an attempt of a case that was just read, and settles what it says. Returns the case as it was settled, too.
    pub(super) async fn ask_about(
        &self,
        case: &Case,
        attempt: &Attempt,
    ) -> Result<(Told, Option<Case>)> {
        let (order, id) = (case.order.id, attempt.id);
        let Some(invoice) = &attempt.invoice_id else {
            return Ok((Told::State, None));
        };
        let acquirer = self.acquirers.of(attempt.acquirer);
        let (told, settled) = match acquirer.invoice_status(invoice).await {
            Ok(state) => {
                if case.refunds.iter().any(Refund::is_under_way) {
                    self.call_about_clocks(acquirer.as_ref()).await?;
                }
                let settling = self.settler.settle_state(order, &state, acquirer.as_ref());
                (Told::State, settling.await?)
            }
            // A 404 of a proxy in front of the acquirer says nothing about the invoice.
            Err(error) if error.is_unknown() => {
                self.call_about_clocks(acquirer.as_ref()).await?;
                let is_expected = !attempt.acquirer.keeps_unpaid_invoices();
                if !is_expected {
                    tracing::warn!(order.id = %order, attempt.id = %id, "The acquirer does not know an invoice of order {order}");
                }
                let news = News::Missing(id, acquirer.time());
                let settled = self.settler.settle(order, news).await?;
                let is_over = settled.as_ref().is_some_and(|settled| {
                    let attempt = settled.case.attempt(id);
                    attempt.is_some_and(|attempt| attempt.state == AttemptState::Finished)
                });
                let told = if is_expected || is_over {
                    Told::Over
                } else {
                    Told::Missing
                };
                (told, settled)
            }
            Err(error) => {
                tracing::warn!(order.id = %order, attempt.id = %id, %error, "An invoice's state is not known");
                let settled = self.settler.settle(order, silence(id, &error)).await?;
                (Told::Nothing, settled)
            }
        };
        Ok((told, settled.map(|settled| settled.case)))
    }

    /// Returns this moment by our clock and by an acquirer's.
    fn clocks_of(&self, acquirer: &dyn Acquirer) -> Clocks {
        Clocks {
            ours: self.clock.now(),
            theirs: acquirer.time(),
        }
    }

    /// Calls a person once if an acquirer's clock and ours differ: nothing is concluded from what the acquirer lacks before a day has passed
    /// by both.
    async fn call_about_clocks(&self, acquirer: &dyn Acquirer) -> Result<()> {
        let clocks = self.clocks_of(acquirer);
        if clocks.theirs.is_none() || clocks.agree() {
            return Ok(());
        }
        self.settler.call_about_clocks().await
    }

    /// Looks for a payment under the attempt's reference at its acquirer, and settles what is found. Returns
    /// whether the acquirer answered.
    pub(super) async fn search_statement(&self, attempt: &Attempt) -> Result<bool> {
        let (id, order) = (attempt.id, attempt.order_id);
        let Some(payment_reference) =
            PaymentReference::parse(&attempt.payment_reference.to_string())
        else {
            return Ok(true);
        };
        let acquirer = self.acquirers.of(attempt.acquirer);
        let (from, until) = statement_window(attempt, self.clocks_of(acquirer.as_ref()));
        let found = match acquirer
            .find_by_payment_reference(&payment_reference, from, until)
            .await
        {
            Ok(found) => found,
            Err(error) => {
                self.settler.settle(order, silence(id, &error)).await?;
                return Ok(false);
            }
        };
        if found.is_empty() {
            self.call_about_clocks(acquirer.as_ref()).await?;
            let search = Search {
                as_of: acquirer.time(),
            };
            let news = News::NotOnStatement(id, search);
            self.settler.settle(order, news).await?;
            return Ok(true);
        }
        // Each payment under the reference is the order's, also where there are two.
        let mut is_told = true;
        for invoice in found {
            match acquirer.invoice_status(&invoice).await {
                Ok(state) => {
                    self.settler
                        .settle_state(order, &state, acquirer.as_ref())
                        .await?;
                }
                Err(error) => {
                    self.settler.settle(order, silence(id, &error)).await?;
                    is_told = false;
                }
            }
        }
        Ok(is_told)
    }
}

/// Returns how long to wait after an error, at least.
pub(super) fn pause_of(error: &AcquirerError) -> SignedDuration {
    match error {
        AcquirerError::TooMany {
            retry_after: Some(wait),
        } => SignedDuration::try_from(*wait).unwrap_or_default(),
        _ => SignedDuration::ZERO,
    }
}

fn silence(attempt: AttemptId, error: &AcquirerError) -> News {
    News::Silent {
        attempt,
        error: error.to_string(),
        pause: pause_of(error),
        is_refusal: matches!(error, AcquirerError::Refused { .. }),
    }
}
