//! What a fact about a payment does to its order.
//!
//! The facts of an attempt are joined, never overwritten: the latest state that the acquirer told, the first moment of a
//! charge, the first moment of its reversal, the largest sum given back. The status of the order follows from the facts
//! of its attempts alone. So the same reports end in the same state in whatever order they come, and however often.

use jiff::{SignedDuration, Timestamp};

use super::schedule::{CHARGE_APPEARS_WITHIN, CHARGE_APPEARS_WITHIN_UNTIMED};
use super::{
    AlarmKind, Attempt, AttemptKind, AttemptState, FIRST_CHECK, INVOICE_LIFETIME, InvoiceId,
    InvoiceNews, InvoiceStatus, NewAttempt, PaymentState, Told, decline_key, next_check,
};
use crate::{AttemptId, Key, Money, OrderId, OrderStatus};

/// An acquirer that gives no answer about a payment for so long is an alarm.
const SILENCE_MAX: SignedDuration = SignedDuration::from_hours(3);
/// The smallest time that is stored.
const TICK: SignedDuration = SignedDuration::from_micros(1);
/// A charge whose invoice the acquirer does not know is looked for in its statement after so long.
const FORGOTTEN_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// The acquirer's code for a token that it does not know.
const TOKEN_NOT_FOUND: &str = "TOKEN_NOT_FOUND";
/// The code of an attempt of which the acquirer has no trace.
const NO_TRACE: &str = "no_trace";
/// The code of an attempt whose payment page may not be shown.
const PAGE_HOST: &str = "page_host";

/// What is stored about an order that bears on its payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderFacts {
    /// The order.
    pub id: OrderId,
    /// Where it stands.
    pub status: OrderStatus,
    /// Where its payment stands.
    pub payment_state: PaymentState,
    /// What is charged.
    pub sum: Money,
    /// When it was made.
    pub created_at: Timestamp,
    /// Why it was not paid.
    pub failure: Option<Key>,
    /// The card, masked.
    pub pan: Option<String>,
    /// Where to pay or to confirm.
    pub widget_url: Option<String>,
    /// Its items went back to the cart, so it can't be paid any more.
    pub is_returned_to_cart: bool,
}

/// An order with all its attempts: its own, the earliest first, and then stray invoices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The order.
    pub order: OrderFacts,
    /// Its attempts.
    pub attempts: Vec<Attempt>,
    /// Whether an open alarm puts the order's money in doubt.
    pub has_money_alarm: bool,
}

/// What the acquirer answered to a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It made an invoice. `page` is `None` where its page is on a host that must not be opened.
    Invoice {
        /// The invoice.
        invoice_id: InvoiceId,
        /// Where it is paid.
        page: Option<String>,
        /// When it was made, by the acquirer's clock, where that is known.
        made_at: Option<Timestamp>,
        /// Names the row of the invoice that this one takes the place of, should there be one.
        fresh: AttemptId,
    },
    /// It took the charge of a saved card.
    Charge {
        /// The invoice.
        invoice_id: InvoiceId,
        /// Where the payer confirms it, if she must.
        page: Option<String>,
        /// It named such a page on a host that must not be opened.
        is_page_unlisted: bool,
    },
    /// The request certainly did not reach it, or was turned away before anything was done.
    NotSent,
    /// It refused: nothing was charged and nothing will be.
    Refused {
        /// Its code.
        code: String,
    },
    /// No answer came: it may have done what was asked.
    Unknown {
        /// What went wrong, without personal data.
        error: String,
        /// How long it is left alone at least.
        pause: SignedDuration,
    },
}

/// What was read of the acquirer's statement while looking for an attempt's charge: nothing stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The acquirer's time of the answer, where it told one.
    pub as_of: Option<Timestamp>,
}

/// Something that became known about a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The request is about to be sent. The second field is the acquirer's time, where it is known.
    Submitting(AttemptId, Option<Timestamp>),
    /// The acquirer answered a submission, or did not.
    Answered(AttemptId, Answer),
    /// The acquirer told the state of an invoice. The id names the row of the invoice, should the cabinet not know it.
    Told(Box<InvoiceNews>, AttemptId),
    /// The acquirer does not know the attempt's invoice.
    Missing(AttemptId),
    /// The acquirer's statement was read whole for the time around the attempt, and nothing stands there under its
    /// reference.
    NotOnStatement(AttemptId, Search),
    /// A question about the attempt got no answer.
    Silent {
        /// The attempt.
        attempt: AttemptId,
        /// What went wrong, without personal data.
        error: String,
        /// How long the acquirer is left alone at least.
        pause: SignedDuration,
        /// The acquirer refused to tell.
        is_refusal: bool,
    },
    /// The acquirer closed the attempt's page, or does not know its invoice any more.
    Withdrawn(AttemptId),
    /// The acquirer would not close the attempt's page.
    NotWithdrawn(AttemptId),
    /// The notary asked for a fresh way to pay, and [`super::renewal`] allowed it.
    Renewed(NewAttempt),
    /// The order can't be paid at its old price or account, and its items go back to the cart.
    ReturnedToCart,
    /// An alarm about the order was opened or closed outside of a settlement.
    Reviewed,
}

/// Something to be written down. All effects of one settlement are written in one unit of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// An attempt changed, or is new (a fresh way to pay, or a stray invoice).
    SaveAttempt {
        /// The attempt as it stands now.
        attempt: Box<Attempt>,
        /// Whether there was no row of it.
        is_new: bool,
    },
    /// The order's row changed.
    SaveOrder(Box<OrderFacts>),
    /// A line of the order's history.
    Record {
        /// What happened.
        kind: &'static str,
        /// The status after, where it changed.
        to: Option<OrderStatus>,
        /// For people who look after the service. No personal data.
        detail: Option<String>,
    },
    /// A person must look at this.
    Raise(AlarmKind, AttemptId),
    /// Write down who is owed what out of the order. What is written already stays.
    PlanTransfers,
    /// What was not sent yet is owed to nobody any more.
    CallOffTransfers,
    /// Keep what the order's receipts name. What is kept stays, unless the charge that it names was given back and another
    /// one stands.
    KeepReceipt,
    /// Copy the order's items into the cart.
    ReturnItems,
}

/// How news was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It told something new.
    Applied,
    /// It told nothing newer than what is known.
    Late,
    /// No attempt of the order answers for it.
    Unknown,
    /// It can't be true together with what is known. A person is told.
    Contradiction,
}

impl Verdict {
    /// The name in storage and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Late => "late",
            Self::Unknown => "unknown",
            Self::Contradiction => "contradiction",
        }
    }
}

/// What follows from news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// What is written down, in this order.
    pub effects: Vec<Effect>,
    /// How the news was taken.
    pub verdict: Verdict,
    /// The case after all effects.
    pub case: Case,
}

impl Case {
    /// Returns the attempt that stands for the order: the latest one that is no stray invoice.
    #[must_use]
    pub fn latest(&self) -> Option<&Attempt> {
        self.attempts.iter().rfind(|attempt| !attempt.is_stray)
    }

    /// Returns an attempt of the order.
    #[must_use]
    pub fn attempt(&self, id: AttemptId) -> Option<&Attempt> {
        self.attempts.iter().find(|attempt| attempt.id == id)
    }

    /// Returns the charge that counts for the order: the first one that stands.
    #[must_use]
    pub fn counting_charge(&self) -> Option<&Attempt> {
        self.attempts
            .iter()
            .filter(|attempt| attempt.has_standing_charge())
            .min_by_key(|attempt| (attempt.charged_at, attempt.id))
    }

    /// Whether the order's payment had been given back before its first standing charge was made.
    fn is_charged_after_refund(&self) -> bool {
        let reversed = self
            .attempts
            .iter()
            .filter_map(|attempt| attempt.reversed_at)
            .max();
        let charged = self.counting_charge().and_then(|charge| charge.charged_at);
        matches!((reversed, charged), (Some(reversed), Some(charged)) if charged > reversed)
    }

    /// The status that follows from the facts.
    fn status(&self) -> OrderStatus {
        let is_reversed = self
            .attempts
            .iter()
            .any(|attempt| attempt.reversed_at.is_some());
        if self.counting_charge().is_some() && !self.is_charged_after_refund() {
            return OrderStatus::Paid;
        }
        if is_reversed {
            return OrderStatus::Refunded;
        }
        if self.order.is_returned_to_cart {
            return OrderStatus::Expired;
        }
        let Some(latest) = self.latest() else {
            return self.order.status;
        };
        match latest.state {
            AttemptState::Prepared | AttemptState::Submitted => OrderStatus::InProgress,
            AttemptState::NotSent | AttemptState::Refused => OrderStatus::Failed,
            AttemptState::Accepted => match latest.told.as_ref().map(|told| &told.status) {
                Some(InvoiceStatus::Failure) => OrderStatus::Failed,
                _ => OrderStatus::Pending,
            },
            AttemptState::Finished => match latest.outcome {
                Some(OrderStatus::Failed) => OrderStatus::Failed,
                _ => OrderStatus::Expired,
            },
        }
    }

    /// Why the order is not paid, as far as there is more to say than its status.
    fn failure(&self, status: OrderStatus) -> Option<Key> {
        match status {
            OrderStatus::Expired if self.order.is_returned_to_cart => {
                Some(Key::OrderReturnedToCart)
            }
            OrderStatus::Failed => self.latest().map(|latest| match latest.state {
                AttemptState::NotSent => Key::AcquirerUnavailable,
                AttemptState::Refused => match latest.failure_code.as_deref() {
                    Some(TOKEN_NOT_FOUND) => Key::CardNotFound,
                    Some(NO_TRACE) => Key::PaymentNoTrace,
                    _ => Key::AcquirerRefused,
                },
                _ => decline_key(latest.failure_code.as_deref()),
            }),
            _ => None,
        }
    }

    /// Where the order is paid or confirmed now.
    fn link(&self, status: OrderStatus) -> Option<String> {
        let is_payable = matches!(status, OrderStatus::Pending | OrderStatus::Failed);
        self.latest()
            .filter(|latest| is_payable && latest.state == AttemptState::Accepted)
            .and_then(|latest| latest.page_url.clone())
    }
}

/// Returns the attempt that an invoice belongs to: by the invoice, or by our reference where the attempt knows no invoice
/// yet.
#[must_use]
pub fn find_attempt<'case>(
    case: &'case Case,
    invoice: &InvoiceId,
    reference: Option<AttemptId>,
) -> Option<&'case Attempt> {
    let by_invoice = case
        .attempts
        .iter()
        .find(|attempt| attempt.invoice_id.as_ref() == Some(invoice));
    by_invoice.or_else(|| {
        case.attempts.iter().find(|attempt| {
            Some(attempt.reference) == reference
                && !attempt.is_stray
                && attempt.invoice_id.is_none()
        })
    })
}

/// What the acquirer is asked next about an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextCall {
    /// Nothing.
    Nothing,
    /// Nothing was sent, and nobody is about to send it: the attempt has ended ([`Answer::NotSent`]).
    GiveUpUnsent,
    /// Its statement is read for a payment under our reference.
    SearchStatement,
    /// The state of the invoice.
    AskState,
    /// Its page is closed.
    Withdraw,
}

/// Returns what the acquirer is asked next about an attempt whose time has come.
#[must_use]
pub fn next_call(case: &Case, attempt: &Attempt) -> NextCall {
    let is_latest = case.latest().is_some_and(|latest| latest.id == attempt.id);
    match attempt.state {
        AttemptState::Prepared => NextCall::GiveUpUnsent,
        AttemptState::Submitted => NextCall::SearchStatement,
        AttemptState::Accepted => {
            let is_needless = case.order.status.has_money() || !is_latest;
            if attempt.kind == AttemptKind::Invoice && is_needless {
                NextCall::Withdraw
            } else {
                NextCall::AskState
            }
        }
        AttemptState::NotSent | AttemptState::Refused | AttemptState::Finished => NextCall::Nothing,
    }
}

/// Decides what news does to an order. Total: every news about every case has an answer.
#[must_use]
pub fn settle(case: &Case, news: &News, now: Timestamp) -> Settlement {
    let mut work = Work {
        before: case,
        case: case.clone(),
        alarms: Vec::new(),
        detail: None,
        step: None,
        is_contradicted: false,
        now,
    };
    let is_new = work.take(news);
    work.finish(is_new)
}

struct Work<'case> {
    before: &'case Case,
    case: Case,
    alarms: Vec<(AlarmKind, AttemptId)>,
    detail: Option<String>,
    /// The name of the step, where the statuses alone do not give it.
    step: Option<&'static str>,
    is_contradicted: bool,
    now: Timestamp,
}

impl Work<'_> {
    /// Joins the news into the facts. `None`: no attempt answers for it; `Some(false)`: it is known.
    fn take(&mut self, news: &News) -> Option<bool> {
        let now = self.now;
        match news {
            News::Submitting(id, acquirer_time) => {
                let attempt = self.in_state(*id, &[AttemptState::Prepared])?;
                attempt.state = AttemptState::Submitted;
                attempt.submitted_at = *acquirer_time;
                attempt.next_check_at = Some(now + FIRST_CHECK);
            }
            News::Answered(id, answer) => return self.take_answer(*id, answer),
            News::Told(state, fresh) => return self.take_state(state, *fresh),
            News::Missing(id) => return self.take_absence(*id),
            News::NotOnStatement(id, search) => return self.take_search(*id, *search),
            News::Silent {
                attempt: id,
                error,
                pause,
                is_refusal,
            } => {
                self.put_off(*id, error, *pause)?;
                if *is_refusal {
                    self.alarms.push((AlarmKind::QuestionRefused, *id));
                }
            }
            News::Withdrawn(id) => {
                let attempt = self.attempt(*id)?;
                attempt.withdrawn_at = Some(now);
                if !attempt.has_standing_charge() && attempt.reversed_at.is_none() {
                    let is_declined = attempt.is_declined();
                    end(
                        attempt,
                        if is_declined {
                            OrderStatus::Failed
                        } else {
                            OrderStatus::Expired
                        },
                    );
                }
                self.detail = Some("withdrawn".to_owned());
            }
            News::NotWithdrawn(id) => {
                let attempt = self.attempt(*id)?;
                if attempt.state == AttemptState::Accepted {
                    attempt.next_check_at = Some(now + next_check(attempt.checks));
                }
            }
            News::Renewed(fresh) => {
                // The latest attempt is the one that was begun last, also where the clock was set back.
                let after = self
                    .case
                    .latest()
                    .map_or(fresh.created_at, |latest| latest.created_at + TICK);
                let fresh = NewAttempt {
                    created_at: fresh.created_at.max(after),
                    ..fresh.clone()
                };
                self.case.attempts.push(fresh.prepared());
                self.step = Some("pay_again");
            }
            News::Reviewed => {}
            News::ReturnedToCart => {
                self.case.order.is_returned_to_cart = true;
                self.step = Some("returned_to_cart");
            }
        }
        Some(true)
    }

    fn attempt(&mut self, id: AttemptId) -> Option<&mut Attempt> {
        self.case
            .attempts
            .iter_mut()
            .find(|attempt| attempt.id == id)
    }

    fn in_state(&mut self, id: AttemptId, states: &[AttemptState]) -> Option<&mut Attempt> {
        self.attempt(id)
            .filter(|attempt| states.contains(&attempt.state))
    }

    fn take_answer(&mut self, id: AttemptId, answer: &Answer) -> Option<bool> {
        const WAITING: [AttemptState; 2] = [AttemptState::Prepared, AttemptState::Submitted];
        let now = self.now;
        match answer {
            Answer::Invoice {
                invoice_id,
                page,
                made_at,
                fresh,
            } => {
                self.step_aside(id, invoice_id, *fresh);
                let ends = made_at.unwrap_or(now) + INVOICE_LIFETIME;
                return self.take_invoice(id, invoice_id, page.as_deref(), ends);
            }
            Answer::Charge {
                invoice_id,
                page,
                is_page_unlisted,
            } => {
                if *is_page_unlisted {
                    self.alarms.push((AlarmKind::PageHostUnlisted, id));
                }
                return self.take_charge(id, invoice_id, page.as_deref());
            }
            Answer::NotSent => {
                let attempt = self.in_state(id, &WAITING)?;
                attempt.state = AttemptState::NotSent;
                attempt.next_check_at = None;
                self.detail = Some("not_sent".to_owned());
            }
            Answer::Refused { code } => {
                let attempt = self.in_state(id, &WAITING)?;
                attempt.state = AttemptState::Refused;
                attempt.failure_code = Some(code.clone());
                attempt.answered_at = Some(now);
                attempt.next_check_at = None;
                self.detail = Some(code.clone());
            }
            Answer::Unknown { error, pause } => {
                self.in_state(id, &WAITING)?.state = AttemptState::Submitted;
                self.put_off(id, error, *pause)?;
                self.detail = Some(error.clone());
            }
        }
        Some(true)
    }

    /// The acquirer has an invoice with a page for the attempt.
    fn take_invoice(
        &mut self,
        id: AttemptId,
        invoice_id: &InvoiceId,
        page: Option<&str>,
        ends: Timestamp,
    ) -> Option<bool> {
        let now = self.now;
        let has_money = self.case.order.status.has_money();
        let attempt = self.attempt(id)?;
        // Another request for the same attempt was answered first. Nobody is shown this page.
        if attempt
            .invoice_id
            .as_ref()
            .is_some_and(|known| known != invoice_id)
        {
            return Some(false);
        }
        attempt.invoice_id = Some(invoice_id.clone());
        attempt.answered_at.get_or_insert(now);
        attempt.expires_at.get_or_insert(ends);
        let is_awaited = matches!(
            attempt.state,
            AttemptState::Prepared
                | AttemptState::Submitted
                | AttemptState::NotSent
                | AttemptState::Refused
        );
        match page {
            Some(page) => {
                attempt.page_url = Some(page.to_owned());
                if is_awaited {
                    accept(attempt, now);
                }
            }
            None => {
                if is_awaited {
                    attempt.state = AttemptState::Refused;
                    attempt.failure_code = Some(PAGE_HOST.to_owned());
                    attempt.next_check_at = None;
                }
                self.alarms.push((AlarmKind::PageHostUnlisted, id));
                self.detail = Some(PAGE_HOST.to_owned());
                return Some(true);
            }
        }
        // Paid on an older page while this one was being made: the worker closes it.
        if has_money && attempt.state == AttemptState::Accepted {
            attempt.next_check_at = Some(now);
        }
        Some(true)
    }

    /// An invoice that a report told of and whose page nobody was shown makes room for the one that was answered now. It
    /// becomes a stray one, which the worker closes.
    fn step_aside(&mut self, id: AttemptId, answered: &InvoiceId, fresh: AttemptId) {
        let now = self.now;
        let Some(attempt) = self.attempt(id) else {
            return;
        };
        let is_unpaid = attempt
            .told
            .as_ref()
            .is_none_or(|told| told.status == InvoiceStatus::Created);
        let Some(known) = attempt.invoice_id.clone().filter(|known| {
            known != answered
                && is_unpaid
                && attempt.state == AttemptState::Accepted
                && attempt.page_url.is_none()
                && !attempt.is_stray
        }) else {
            return;
        };
        let mut stray = stray_of(attempt, fresh, known, now);
        stray.told = attempt.told.take();
        attempt.invoice_id = None;
        attempt.state = AttemptState::Submitted;
        self.case.attempts.push(stray);
    }

    fn take_charge(
        &mut self,
        id: AttemptId,
        invoice_id: &InvoiceId,
        page: Option<&str>,
    ) -> Option<bool> {
        let now = self.now;
        let attempt = self.attempt(id)?;
        if attempt
            .invoice_id
            .as_ref()
            .is_some_and(|known| known != invoice_id)
        {
            // Two charges under one reference. The statement or a report tells what became of the other.
            self.alarms.push((AlarmKind::StrayInvoicePaid, id));
            return Some(false);
        }
        attempt.invoice_id = Some(invoice_id.clone());
        attempt.answered_at.get_or_insert(now);
        if let Some(page) = page {
            attempt.page_url = Some(page.to_owned());
        }
        if matches!(
            attempt.state,
            AttemptState::Prepared
                | AttemptState::Submitted
                | AttemptState::NotSent
                | AttemptState::Refused
        ) {
            accept(attempt, now);
        }
        Some(true)
    }

    fn take_state(&mut self, news: &InvoiceNews, fresh: AttemptId) -> Option<bool> {
        let now = self.now;
        let id = match find_attempt(&self.case, &news.invoice_id, news.reference) {
            Some(attempt) => attempt.id,
            None => self.adopt(news, fresh)?,
        };
        let is_taken = matches!(
            news.status,
            InvoiceStatus::Success | InvoiceStatus::Reversed
        );
        let attempt = self.attempt(id)?;
        let differs = news.amount != attempt.amount || !news.is_hryvnia;
        if is_taken && differs {
            let is_newer = doubt(attempt, news, now);
            // A person has given it back: that is the end of it.
            if is_newer && news.status != InvoiceStatus::Reversed {
                self.alarms.push((AlarmKind::AmountDiffers, id));
            }
            self.is_contradicted = true;
            return Some(is_newer);
        }
        let was_charged = attempt.charged_at.is_some();
        let was_refunded = attempt.refunded;
        let (is_new, is_contradiction) = join(attempt, news, now);
        let is_stray_charge = attempt.is_stray && !was_charged && attempt.charged_at.is_some();
        if is_contradiction {
            self.alarms.push((AlarmKind::PaymentContradicted, id));
            self.is_contradicted = true;
        }
        if is_stray_charge {
            self.alarms.push((AlarmKind::StrayInvoicePaid, id));
        }
        let attempt = self.attempt(id)?;
        conclude(attempt, news.as_of, now);
        let is_refunded_further = news.refunded > was_refunded && news.refunded < news.amount;
        if is_refunded_further && news.status == InvoiceStatus::Success {
            self.alarms.push((AlarmKind::RefundedInPart, id));
        }
        self.detail = Some(news.status.as_str().to_owned());
        Some(is_new)
    }

    /// Makes an attempt of an invoice that the cabinet did not know: it stands under one of the order's references, or under
    /// one that names the order and that a restored copy of the database forgot. Only a page can have been asked for then:
    /// a saved card is charged by an order's first attempt, which is written down with the order.
    fn adopt(&mut self, news: &InvoiceNews, id: AttemptId) -> Option<AttemptId> {
        let reference = news.reference?;
        let order = &self.case.order;
        let forgotten = || NewAttempt {
            id: reference,
            order_id: order.id,
            kind: AttemptKind::Invoice,
            amount: order.sum,
            created_at: self.now,
        };
        let of_order = &self.case.attempts;
        let stray = match of_order
            .iter()
            .find(|attempt| attempt.reference == reference)
        {
            Some(known) => stray_of(known, id, news.invoice_id.clone(), self.now),
            None if reference.names(order.id) => {
                let known = forgotten().prepared();
                stray_of(&known, id, news.invoice_id.clone(), self.now)
            }
            None => return None,
        };
        self.case.attempts.push(stray);
        Some(id)
    }

    fn take_absence(&mut self, id: AttemptId) -> Option<bool> {
        let now = self.now;
        let attempt = self.in_state(id, &[AttemptState::Accepted])?;
        let nobody_paid = !attempt.told.as_ref().is_some_and(|told| {
            matches!(
                told.status,
                InvoiceStatus::Processing | InvoiceStatus::Hold | InvoiceStatus::Success
            )
        });
        let is_over =
            attempt.kind == AttemptKind::Invoice && nobody_paid && now >= attempt.page_ends_at();
        let is_forgotten = attempt.kind == AttemptKind::CardToken
            && now.duration_since(attempt.created_at) >= FORGOTTEN_AFTER;
        if is_forgotten && attempt.charged_at.is_none() {
            // The statement tells whether it was charged.
            attempt.state = AttemptState::Submitted;
            attempt.last_error = Some("not_found".to_owned());
            attempt.next_check_at = Some(now);
            self.alarms.push((AlarmKind::InvoiceNotFound, id));
        } else if is_over && attempt.charged_at.is_none() {
            end(attempt, OrderStatus::Expired);
            self.detail = Some("not_found".to_owned());
        } else {
            attempt.next_check_at = Some(now + next_check(attempt.checks));
            self.alarms.push((AlarmKind::InvoiceNotFound, id));
        }
        Some(is_over)
    }

    /// Nothing stands on the statement. A charge of a saved card is given up once it must have appeared there, by the
    /// acquirer's clock. Nobody was shown the page of an invoice whose answer was lost, so it may be asked for again.
    fn take_search(&mut self, id: AttemptId, search: Search) -> Option<bool> {
        let now = self.now;
        let is_latest = self.case.latest().is_some_and(|latest| latest.id == id);
        let is_needless = self.case.order.status.has_money() || !is_latest;
        let attempt = self.in_state(id, &[AttemptState::Submitted])?;
        if attempt.kind == AttemptKind::Invoice && is_needless {
            end(attempt, OrderStatus::Expired);
            return Some(true);
        }
        let must_have_appeared = match (search.as_of, attempt.submitted_at) {
            (Some(as_of), Some(sent)) => as_of.duration_since(sent) >= CHARGE_APPEARS_WITHIN,
            (Some(as_of), None) => {
                as_of.duration_since(attempt.created_at) >= CHARGE_APPEARS_WITHIN_UNTIMED
            }
            (None, _) => now.duration_since(attempt.created_at) >= CHARGE_APPEARS_WITHIN_UNTIMED,
        };
        if attempt.kind == AttemptKind::CardToken && must_have_appeared {
            attempt.state = AttemptState::Refused;
            attempt.failure_code = Some(NO_TRACE.to_owned());
            attempt.answered_at = Some(now);
            attempt.next_check_at = None;
            self.detail = Some(NO_TRACE.to_owned());
        } else {
            attempt.next_check_at = Some(now + next_check(attempt.checks));
        }
        Some(true)
    }

    /// No answer: the acquirer is left alone for a while, and somebody is told after hours.
    fn put_off(&mut self, id: AttemptId, error: &str, pause: SignedDuration) -> Option<()> {
        let now = self.now;
        let attempt = self.attempt(id)?;
        if !matches!(
            attempt.state,
            AttemptState::Submitted | AttemptState::Accepted
        ) {
            return None;
        }
        attempt.last_error = Some(error.to_owned());
        attempt.next_check_at = Some(now + next_check(attempt.checks).max(pause));
        let is_silent =
            attempt.is_unanswered() && now.duration_since(attempt.created_at) >= SILENCE_MAX;
        if is_silent {
            self.alarms.push((AlarmKind::PaymentUnanswered, id));
        }
        Some(())
    }

    /// Derives everything that follows from the facts, and lists what changed.
    fn finish(mut self, taken: Option<bool>) -> Settlement {
        if taken.is_none() {
            return Settlement {
                effects: Vec::new(),
                verdict: Verdict::Unknown,
                case: self.case,
            };
        }
        let (from, to) = (self.before.order.status, self.case.status());
        let was_open = self.before.latest().is_some_and(|latest| {
            latest.state == AttemptState::Accepted && latest.page_url.is_some()
        });
        self.alarms_of_charges(to);
        self.case.has_money_alarm |= self.alarms.iter().any(|(kind, _)| kind.holds_payment());
        self.order_after(to);
        if to.has_money() && from != to {
            self.withdraw_the_others();
        }
        let mut effects = self.changed_attempts();
        if self.case.order != self.before.order {
            effects.push(Effect::SaveOrder(Box::new(self.case.order.clone())));
        }
        let is_returned_now =
            self.case.order.is_returned_to_cart && !self.before.order.is_returned_to_cart;
        if is_returned_now {
            effects.push(Effect::ReturnItems);
        }
        if from != to {
            self.step(from, to, was_open, &mut effects);
        } else if is_returned_now {
            effects.push(Effect::Record {
                kind: "returned_to_cart",
                to: None,
                detail: None,
            });
        } else if to == OrderStatus::Paid && self.is_any_newly_reversed() {
            effects.push(Effect::Record {
                kind: "duplicate_refunded",
                to: None,
                detail: None,
            });
            effects.push(Effect::KeepReceipt);
        }
        let raised = self
            .alarms
            .iter()
            .map(|(kind, attempt)| Effect::Raise(*kind, *attempt));
        effects.extend(raised);
        let verdict = match (self.is_contradicted, taken) {
            (true, _) => Verdict::Contradiction,
            (false, Some(true)) => Verdict::Applied,
            (false, _) => Verdict::Late,
        };
        Settlement {
            effects,
            verdict,
            case: self.case,
        }
    }

    fn is_any_newly_reversed(&self) -> bool {
        self.case.attempts.iter().any(|attempt| {
            let known = self.before.attempt(attempt.id);
            attempt.reversed_at.is_some() && known.is_none_or(|known| known.reversed_at.is_none())
        })
    }

    fn order_after(&mut self, status: OrderStatus) {
        let failure = self.case.failure(status);
        let widget_url = self.case.link(status);
        let payment_state = PaymentState::of(status, self.case.latest(), self.case.has_money_alarm);
        let reversed = || {
            let attempts = self.case.attempts.iter();
            attempts
                .filter(|attempt| attempt.reversed_at.is_some())
                .min_by_key(|attempt| attempt.id)
        };
        let pan = self
            .case
            .counting_charge()
            .or_else(reversed)
            .and_then(|charge| charge.masked_pan.clone());
        let order = &mut self.case.order;
        order.status = status;
        order.failure = failure;
        order.widget_url = widget_url;
        order.payment_state = payment_state;
        if let Some(pan) = pan {
            order.pan = Some(pan);
        }
    }

    /// Every standing charge but the one that counts is an alarm, and so is money after a refund.
    fn alarms_of_charges(&mut self, status: OrderStatus) {
        let standing = |case: &Case| -> Vec<AttemptId> {
            case.attempts
                .iter()
                .filter(|attempt| attempt.has_standing_charge())
                .map(|attempt| attempt.id)
                .collect()
        };
        let counting = |case: &Case| case.counting_charge().map(|charge| charge.id);
        let before = self.before;
        let known = (standing(before), counting(before), before.order.status);
        let (charges, counts) = (standing(&self.case), counting(&self.case));
        if known == (charges.clone(), counts, status) {
            return;
        }
        let is_refunded = status == OrderStatus::Refunded;
        let kind = if is_refunded {
            AlarmKind::PaidAfterRefund
        } else {
            AlarmKind::ChargedTwice
        };
        let doubted = charges
            .into_iter()
            .filter(|id| is_refunded || Some(*id) != counts);
        self.alarms.extend(doubted.map(|id| (kind, id)));
    }

    /// The order has its money, so no other page may take any: the worker closes them at once.
    fn withdraw_the_others(&mut self) {
        let now = self.now;
        for attempt in &mut self.case.attempts {
            if attempt.state == AttemptState::Accepted && attempt.kind == AttemptKind::Invoice {
                attempt.next_check_at = Some(now);
            }
        }
    }

    fn changed_attempts(&self) -> Vec<Effect> {
        self.case
            .attempts
            .iter()
            .filter_map(|attempt| {
                let known = self.before.attempt(attempt.id);
                (known != Some(attempt)).then(|| Effect::SaveAttempt {
                    attempt: Box::new(attempt.clone()),
                    is_new: known.is_none(),
                })
            })
            .collect()
    }

    fn step(
        &mut self,
        from: OrderStatus,
        to: OrderStatus,
        was_open: bool,
        effects: &mut Vec<Effect>,
    ) {
        let is_late = from.is_final() && !was_open && from != OrderStatus::Refunded;
        let kind = match to {
            OrderStatus::InProgress => "pay_again",
            OrderStatus::Pending => "acquirer_waits",
            OrderStatus::Paid if from == OrderStatus::Refunded => "duplicate_refunded",
            OrderStatus::Paid => "acquirer_paid",
            OrderStatus::Failed => "acquirer_failed",
            OrderStatus::Expired => "acquirer_expired",
            OrderStatus::Refunded => "acquirer_refunded",
        };
        effects.push(Effect::Record {
            kind: self.step.unwrap_or(kind),
            to: Some(to),
            detail: self.detail.take(),
        });
        match to {
            OrderStatus::Paid => {
                effects.push(Effect::PlanTransfers);
                effects.push(Effect::KeepReceipt);
                if is_late && let Some(charge) = self.case.counting_charge() {
                    self.alarms.push((AlarmKind::LatePayment, charge.id));
                }
            }
            OrderStatus::Refunded => effects.push(Effect::CallOffTransfers),
            _ => {}
        }
    }
}

fn stray_of(known: &Attempt, id: AttemptId, invoice_id: InvoiceId, now: Timestamp) -> Attempt {
    Attempt {
        is_stray: true,
        reference: known.reference,
        state: AttemptState::Accepted,
        invoice_id: Some(invoice_id),
        answered_at: Some(now),
        submitted_at: known.submitted_at,
        next_check_at: Some(now + FIRST_CHECK),
        ..NewAttempt {
            id,
            order_id: known.order_id,
            kind: known.kind,
            amount: known.amount,
            created_at: now,
        }
        .prepared()
    }
}

fn accept(attempt: &mut Attempt, now: Timestamp) {
    attempt.state = AttemptState::Accepted;
    attempt.last_error = None;
    attempt.next_check_at = Some(now + FIRST_CHECK);
}

fn end(attempt: &mut Attempt, outcome: OrderStatus) {
    attempt.state = AttemptState::Finished;
    attempt.outcome = Some(outcome);
    attempt.next_check_at = None;
}

/// Joins a state into what is known. Returns whether it told anything new, and whether it contradicts a charge.
fn join(attempt: &mut Attempt, news: &InvoiceNews, now: Timestamp) -> (bool, bool) {
    let before = attempt.clone();
    let modified_at = moment_of(attempt, news);
    attempt.invoice_id.get_or_insert(news.invoice_id.clone());
    attempt.answered_at.get_or_insert(now);
    let is_newer = tell(attempt, news);
    if is_newer && news.failure_code.is_some() {
        attempt.failure_code.clone_from(&news.failure_code);
    }
    // Before a charge there is nothing to give back, whatever the acquirer names as the rest.
    if matches!(
        news.status,
        InvoiceStatus::Success | InvoiceStatus::Reversed
    ) {
        attempt.refunded = attempt.refunded.max(news.refunded);
    }
    match news.status {
        InvoiceStatus::Success => {
            let charged = attempt
                .charged_at
                .map_or(modified_at, |at| at.min(modified_at));
            attempt.charged_at = Some(charged);
            join_card(attempt, news);
        }
        InvoiceStatus::Reversed => {
            let reversed = attempt
                .reversed_at
                .map_or(modified_at, |at| at.min(modified_at));
            attempt.reversed_at = Some(reversed);
            join_card(attempt, news);
        }
        _ => {}
    }
    let told = attempt.told.as_ref().map(|told| &told.status);
    let is_contradiction = is_newer
        && attempt.has_standing_charge()
        && matches!(told, Some(InvoiceStatus::Failure | InvoiceStatus::Expired));
    (*attempt != before, is_contradiction)
}

/// Keeps a state that names another sum or currency than ours: it is no payment of the order, and the attempt is asked about
/// until somebody has given the money back. Returns whether it told anything new.
fn doubt(attempt: &mut Attempt, news: &InvoiceNews, now: Timestamp) -> bool {
    attempt.invoice_id.get_or_insert(news.invoice_id.clone());
    let is_newer = tell(attempt, news);
    if attempt.state == AttemptState::Finished {
        return is_newer;
    }
    if news.status == InvoiceStatus::Reversed {
        attempt.withdrawn_at = Some(now);
        end(attempt, OrderStatus::Expired);
    } else {
        attempt.state = AttemptState::Accepted;
        attempt.next_check_at = Some(now + next_check(attempt.checks));
    }
    is_newer
}

/// Keeps the latest state. Returns whether this one is.
fn tell(attempt: &mut Attempt, news: &InvoiceNews) -> bool {
    let modified_at = moment_of(attempt, news);
    let is_newer = attempt.told.as_ref().is_none_or(|told| {
        (told.modified_at, told.status.finality(), &told.status)
            < (modified_at, news.status.finality(), &news.status)
    });
    if is_newer {
        attempt.told = Some(Told {
            status: news.status.clone(),
            modified_at,
        });
    }
    is_newer
}

/// The acquirer's time of a state. One without any time is no newer than what is known.
fn moment_of(attempt: &Attempt, news: &InvoiceNews) -> Timestamp {
    news.modified_at.or(news.created_at).unwrap_or_else(|| {
        attempt
            .told
            .as_ref()
            .map_or(Timestamp::UNIX_EPOCH, |told| told.modified_at)
    })
}

fn join_card(attempt: &mut Attempt, news: &InvoiceNews) {
    let card = &news.card;
    let join = |known: &mut Option<String>, told: &Option<String>| {
        if told.is_some() {
            known.clone_from(told);
        }
    };
    join(&mut attempt.masked_pan, &card.masked_pan);
    join(&mut attempt.payment_system, &card.payment_system);
    join(&mut attempt.approval_code, &card.approval_code);
    join(&mut attempt.rrn, &card.rrn);
}

/// Ends an attempt of which nothing more can come, and schedules the next question about any other.
fn conclude(attempt: &mut Attempt, as_of: Option<Timestamp>, now: Timestamp) {
    attempt.last_error = None;
    if attempt.reversed_at.is_some() {
        return end(attempt, OrderStatus::Refunded);
    }
    if attempt.charged_at.is_some() {
        return end(attempt, OrderStatus::Paid);
    }
    let told = attempt.told.as_ref().map(|told| &told.status);
    // A report of a declined card says nothing of what was paid between it and the end of the page.
    let is_page_over = as_of.is_some_and(|as_of| as_of >= attempt.page_ends_at())
        || attempt.withdrawn_at.is_some();
    match told {
        Some(InvoiceStatus::Expired) => end(attempt, OrderStatus::Expired),
        Some(InvoiceStatus::Failure) if attempt.kind == AttemptKind::CardToken || is_page_over => {
            end(attempt, OrderStatus::Failed);
        }
        _ => {
            attempt.state = AttemptState::Accepted;
            attempt.outcome = None;
            attempt.next_check_at = Some(now + next_check(attempt.checks));
        }
    }
}
