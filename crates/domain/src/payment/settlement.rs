//! What a fact about a payment does to its order.
//!
//! The facts of an attempt are joined, never overwritten: the latest state that the acquirer told, the first moment of a
//! charge, the first moment of its reversal, the largest sum given back. The status of the order follows from the facts
//! of its attempts alone. So the same reports end in the same state in whatever order they come, and however often.

use jiff::{SignedDuration, Timestamp};

use super::case::NO_TRACE;
use super::facts::{accept, conclude, doubt, end, join, stray_of};
use super::schedule::{CHARGE_APPEARS_WITHIN, CHARGE_APPEARS_WITHIN_UNTIMED};
use super::{
    AlarmKind, Attempt, AttemptKind, AttemptState, Case, FIRST_CHECK, INVOICE_LIFETIME, InvoiceId,
    InvoiceNews, InvoiceStatus, NewAttempt, OrderFacts, PaymentState, find_attempt, next_check,
};
use crate::{AttemptId, OrderStatus};

/// An acquirer that gives no answer about a payment for so long is an alarm.
const SILENCE_MAX: SignedDuration = SignedDuration::from_hours(3);
/// The smallest time that is stored.
const TICK: SignedDuration = SignedDuration::from_micros(1);
/// A charge whose invoice the acquirer does not know is looked for in its statement after so long.
const FORGOTTEN_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// The code of an attempt whose payment page may not be shown.
const PAGE_HOST: &str = "page_host";

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
    SaveAttempt(Box<Attempt>),
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
                (known != Some(attempt)).then(|| Effect::SaveAttempt(Box::new(attempt.clone())))
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
