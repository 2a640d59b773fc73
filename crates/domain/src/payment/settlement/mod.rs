//! What a fact about a payment does to its order.
//!
//! Facts of an attempt are merged, never overwritten: the latest state that the acquirer reported, the earliest moment
//! of a charge and of its reversal, the largest sum given back. The status of the order follows from the facts of its
//! attempts alone. So the same reports lead to the same state in any order, and however often they come.

mod answers;
mod effects;
mod news;
mod outcome;
mod refunds;
mod states;

pub use effects::{Effect, Settlement, SettlementVerdict};
pub use news::{Answer, News, Search};

use jiff::{SignedDuration, Timestamp};

use super::facts::end;
use super::schedule::{FIRST_CHECK, next_check};
use super::{AlarmKind, Attempt, AttemptKind, AttemptState, Case, Delays, NewAttempt, RefusedPage};
use crate::{AttemptId, CancelledItems, MaskedPan, OrderEventKind, OrderStatus};

/// The time without an answer about a payment after which an alarm is opened.
const SILENCE_MAX: SignedDuration = SignedDuration::from_hours(3);
/// The resolution of stored moments.
const TICK: SignedDuration = SignedDuration::from_micros(1);

/// Decides what news does to an order. Every combination of news and case has a result. `delays` tell from when what an acquirer lacks has
/// not happened.
#[must_use]
pub fn decide_settlement(case: &Case, news: &News, delays: &Delays, now: Timestamp) -> Settlement {
    let mut work = Work {
        before: case,
        case: case.clone(),
        alarms: Vec::new(),
        refused_page: None,
        detail: None,
        step: None,
        is_contradicted: false,
        delays,
        now,
    };
    let is_new = work.take(news);
    work.finish(is_new)
}

struct Work<'case> {
    before: &'case Case,
    case: Case,
    alarms: Vec<(AlarmKind, AttemptId)>,
    /// The page that an alarm is about.
    refused_page: Option<RefusedPage>,
    detail: Option<String>,
    /// The kind of the event, if it does not follow from the statuses.
    step: Option<OrderEventKind>,
    is_contradicted: bool,
    delays: &'case Delays,
    now: Timestamp,
}

impl Work<'_> {
    /// Merges the news into the facts. Returns `None` if it belongs to no attempt, `Some(false)` if it is known.
    fn take(&mut self, news: &News) -> Option<bool> {
        let now = self.now;
        match news {
            News::Submitting(id, acquirer_time) => {
                let attempt = self.in_state(*id, &[AttemptState::Prepared])?;
                attempt.state = AttemptState::Submitted;
                attempt.submitted_at = *acquirer_time;
                attempt.next_check_at = Some(now + FIRST_CHECK);
            }
            // Whoever decided this read the attempt before, and it may have been sent since.
            News::GivenUpUnsent(id) => self.take_not_sent(*id, &[AttemptState::Prepared])?,
            News::Answered(id, answer) => return self.take_answer(*id, answer),
            News::Told(state, fresh) => return self.take_state(state, *fresh),
            News::Missing(id, as_of) => return self.take_absence(*id, *as_of),
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
            News::Withdrawn(id) => self.take_withdrawal(*id)?,
            News::NotWithdrawn(id) => {
                let attempt = self.attempt(*id)?;
                if attempt.state == AttemptState::Accepted {
                    attempt.next_check_at = Some(now + next_check(attempt.checks));
                }
            }
            News::AskedElsewhere(id, fresh) => self.take_next_acquirer(*id, fresh)?,
            News::Renewed(fresh, pan) => self.take_renewal(fresh, pan.as_ref()),
            News::Reviewed => {}
            News::ReturnedToCart => {
                self.case.order.is_returned_to_cart = true;
                self.step = Some(OrderEventKind::ReturnedToCart);
            }
            News::Cancelled(items) => return Some(self.take_cancellation(*items)),
            News::RefundAsked(refund) => return Some(self.take_refund(refund)),
            News::RefundKnown(refund) => return Some(self.take_known_refund(refund)),
            News::RefundSubmitting(id, acquirer_time) => {
                self.take_refund_submission(*id, *acquirer_time)?;
            }
            News::RefundGivenUpUnsent(id) => self.take_unsent_refund(*id)?,
            News::RefundAnswered(id, answer) => self.take_refund_answer(*id, answer)?,
            News::RefundSilent {
                refund,
                error,
                pause,
            } => self.put_refund_off(*refund, error, *pause)?,
        }
        Some(true)
    }

    /// Records that the acquirer closed the page. The attempt ends, unless it was charged before.
    fn take_withdrawal(&mut self, id: AttemptId) -> Option<()> {
        let now = self.now;
        let attempt = self.attempt(id)?;
        attempt.withdrawn_at = Some(now);
        if !attempt.has_standing_charge() && attempt.reversed_at.is_none() {
            let outcome = if attempt.is_declined() {
                OrderStatus::Failed
            } else {
                OrderStatus::Expired
            };
            end(attempt, outcome);
        }
        self.detail = Some("withdrawn".to_owned());
        Some(())
    }

    /// Ends the order at the notary's wish. An order stays as it is if it has money, may still be paid, or has ended so before.
    fn take_cancellation(&mut self, items: CancelledItems) -> bool {
        // Of a declined page [`crate::payment::renewal`] knows whether its time is over.
        let may_be_paid = |attempt: &Attempt| {
            let is_declined = attempt.kind == AttemptKind::Invoice && attempt.is_declined();
            !attempt.is_certainly_closed() && !attempt.has_expired() && !is_declined
        };
        if self.case.attempts.iter().any(may_be_paid) {
            return false;
        }
        let order = &mut self.case.order;
        if order.status.has_money() || order.is_returned_to_cart || order.is_cancelled {
            return false;
        }
        order.is_cancelled = true;
        order.is_returned_to_cart = items == CancelledItems::ToCart;
        self.step = Some(OrderEventKind::Cancelled);
        true
    }

    /// Begins a fresh attempt, with `pan` if a saved card is charged.
    fn take_renewal(&mut self, fresh: &NewAttempt, pan: Option<&MaskedPan>) {
        if let Some(pan) = pan {
            self.case.order.pan = Some(pan.clone());
        }
        self.begin(fresh);
        self.step = Some(OrderEventKind::PayAgain);
    }

    /// Ends an attempt of which nothing was sent, and begins one with the next acquirer. Without the second part where an earlier request of
    /// the attempt may have been carried out, or where the order needs no attempt any more.
    fn take_next_acquirer(&mut self, id: AttemptId, fresh: &NewAttempt) -> Option<()> {
        let order = &self.case.order;
        let is_wanted =
            !(order.status.has_money() || order.is_cancelled || order.is_returned_to_cart);
        let is_latest = self.case.latest().is_some_and(|latest| latest.id == id);
        let attempt = self.attempt(id)?;
        let is_certain = attempt.last_error.is_none() && attempt.kind == AttemptKind::Invoice;
        self.take_not_sent(id, &[AttemptState::Submitted])?;
        if is_wanted && is_latest && is_certain {
            self.begin(fresh);
        }
        Some(())
    }

    /// Begins an attempt. It must become the latest one even if the clock was set back.
    fn begin(&mut self, fresh: &NewAttempt) {
        let after = self
            .case
            .latest()
            .map_or(fresh.created_at, |latest| latest.created_at + TICK);
        let fresh = NewAttempt {
            created_at: fresh.created_at.max(after),
            ..fresh.clone()
        };
        self.case.attempts.push(fresh.prepared());
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

    /// Opens an alarm about an attempt of which nobody knows for hours how it ends: since it was sent, where no answer came or a saved card was
    /// charged without a page, or since its page ended.
    fn call_about_open_end(&mut self, id: AttemptId, as_of: Timestamp) -> Option<()> {
        let attempt = self.attempt(id)?;
        let since = if attempt.is_unanswered() || attempt.kind == AttemptKind::CardToken {
            attempt.created_at
        } else {
            attempt.page_ends_at()
        };
        let is_open = matches!(
            attempt.state,
            AttemptState::Submitted | AttemptState::Accepted
        );
        if is_open && as_of.duration_since(since) >= SILENCE_MAX {
            self.alarms.push((AlarmKind::PaymentUnanswered, id));
        }
        Some(())
    }

    /// Postpones the next check after a missing answer, and opens an alarm after hours.
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
        self.call_about_open_end(id, now)
    }
}
