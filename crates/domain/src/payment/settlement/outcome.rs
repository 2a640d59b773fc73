//! What follows from the facts after news was merged into them.

use super::{Effect, Settlement, SettlementVerdict, Work};
use crate::payment::{
    AlarmKind, AttemptKind, AttemptState, Case, PaymentState, RefundScope, RefundState,
};
use crate::{AttemptId, OrderEventKind, OrderStatus};

impl Work<'_> {
    /// Derives the new state of the order, and lists what changed.
    pub(super) fn finish(mut self, taken: Option<bool>) -> Settlement {
        if taken.is_none() {
            return Settlement {
                effects: Vec::new(),
                verdict: SettlementVerdict::Unknown,
                case: self.case,
            };
        }
        let (from, to) = (self.before.order.status, self.case.status());
        let was_open = self.before.latest().is_some_and(|latest| {
            latest.state == AttemptState::Accepted && latest.page_url.is_some()
        });
        self.alarms_of_charges(to);
        self.alarms_of_parts();
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
        let is_cancelled_now = self.case.order.is_cancelled && !self.before.order.is_cancelled;
        if from != to {
            self.step(from, to, was_open, &mut effects);
        } else if is_cancelled_now || is_returned_now {
            effects.push(Effect::Record {
                kind: self.step.unwrap_or(OrderEventKind::ReturnedToCart),
                to: None,
                detail: None,
            });
        } else if to == OrderStatus::Paid && self.is_any_newly_reversed() {
            effects.push(Effect::Record {
                kind: OrderEventKind::DuplicateRefunded,
                to: None,
                detail: None,
            });
            effects.push(Effect::KeepReceipt);
        }
        self.refund_effects(&mut effects);
        let gone = self.case.gone_beside_payment();
        let known = self.before.gone_beside_payment();
        let gone = gone.into_iter().filter(|charge| !known.contains(charge));
        effects.extend(gone.map(Effect::LookForPartsByHand));
        let raised = self.alarms.iter().map(|(kind, attempt)| Effect::Raise {
            kind: *kind,
            attempt: *attempt,
            detail: self
                .refused_page
                .as_ref()
                .filter(|refused| refused.alarm() == *kind)
                .map(ToString::to_string),
        });
        effects.extend(raised);
        let verdict = match (self.is_contradicted, taken) {
            (true, _) => SettlementVerdict::Contradiction,
            (false, Some(true)) => SettlementVerdict::Applied,
            (false, _) => SettlementVerdict::Late,
        };
        Settlement {
            effects,
            verdict,
            case: self.case,
        }
    }

    /// Lists what follows from refunds: their rows, their steps in the history, and what becomes of transfers.
    fn refund_effects(&self, effects: &mut Vec<Effect>) {
        for refund in &self.case.refunds {
            let known = self.before.refund(refund.id);
            if known == Some(refund) {
                continue;
            }
            let boxed = Box::new(refund.clone());
            effects.push(Effect::SaveRefund(boxed.clone()));
            let state = refund.stage.state();
            let step = match (known.map(|known| known.stage.state()), state) {
                (Some(from), to) if from == to => continue,
                (None, RefundState::Prepared) => OrderEventKind::RefundAsked,
                (_, RefundState::Done) => OrderEventKind::RefundDone,
                (_, RefundState::NotSent | RefundState::Refused) => OrderEventKind::RefundNotMade,
                _ => continue,
            };
            let detail = match refund.stage.code() {
                Some(code) => format!("{}: {code}", refund.amount.decimal()),
                None => refund.amount.decimal(),
            };
            effects.push(Effect::Record {
                kind: step,
                to: None,
                detail: Some(detail),
            });
            effects.push(match state {
                RefundState::Done => Effect::GiveBackTransfer(boxed),
                RefundState::NotSent | RefundState::Refused => Effect::ReleaseFromRefund(boxed),
                _ => Effect::HoldForRefund(boxed),
            });
        }
        // Where another charge pays the order, nothing that it pays for is kept back; it is again where that one is given back, too.
        for refund in &self.case.refunds {
            let is_beside = |case: &Case| case.is_given_back_beside_payment(refund.id);
            effects.extend(match (is_beside(self.before), is_beside(&self.case)) {
                (false, true) => Some(Effect::ReleaseFromRefund(Box::new(refund.clone()))),
                (true, false) if self.case.order.status == OrderStatus::Paid => {
                    Some(Effect::HoldForRefund(Box::new(refund.clone())))
                }
                _ => None,
            });
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
        let payment_page_url = self.case.payment_page_url(status);
        let payment_state = PaymentState::of(status, self.case.latest(), self.case.has_money_alarm);
        let pan = self
            .case
            .shown_charge(status)
            .and_then(|charge| charge.masked_pan.clone());
        let paid_at = self.case.paid_at(self.before, status, self.now);
        let order = &mut self.case.order;
        order.status = status;
        order.paid_at = paid_at;
        order.failure = failure;
        order.payment_page_url = payment_page_url;
        order.payment_state = payment_state;
        if let Some(pan) = pan {
            order.pan = Some(pan);
        }
    }

    /// Opens an alarm for every standing charge but the one that counts, and for money beside or after a refund.
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
        let is_after_refund = status == OrderStatus::Refunded
            || self.is_paid_against_a_refund(before.order.status, status);
        let kind = if is_after_refund {
            AlarmKind::PaidAfterRefund
        } else {
            AlarmKind::ChargedTwice
        };
        let doubted = charges
            .into_iter()
            .filter(|id| is_after_refund || Some(*id) != counts);
        self.alarms.extend(doubted.map(|id| (kind, id)));
    }

    /// Opens an alarm where a charge was given back whole of which a part had been given back as the order's, and another charge pays the order:
    /// that one has brought the part again.
    fn alarms_of_parts(&mut self) {
        let parts = |case: &Case| -> Vec<AttemptId> {
            let gone = case.gone_beside_payment();
            let refunds = case.refunds.iter();
            let of_part = refunds.filter(|refund| {
                refund.is_done()
                    && refund.scope != RefundScope::Whole
                    && gone.contains(&refund.attempt_id)
            });
            of_part.map(|refund| refund.attempt_id).collect()
        };
        let known = parts(self.before);
        let mut news = parts(&self.case);
        news.retain(|charge| !known.contains(charge));
        news.dedup();
        let news = news.into_iter();
        self.alarms
            .extend(news.map(|charge| (AlarmKind::RefundContradicted, charge)));
    }

    /// Returns whether an order becomes paid again although the operator gave its payment back: an earlier charge was not known then, and
    /// nobody has said that the payment is wanted. Where the acquirer's clerk gave a charge back, it was the duplicate.
    fn is_paid_against_a_refund(&self, from: OrderStatus, to: OrderStatus) -> bool {
        let is_given_back_by_us = self.case.refunds.iter().any(|refund| {
            let charge = self.case.attempt(refund.attempt_id);
            refund.is_done() && charge.is_some_and(|charge| charge.reversed_at.is_some())
        });
        from == OrderStatus::Refunded && to == OrderStatus::Paid && is_given_back_by_us
    }

    /// Makes the worker close the other pages at once: the order has its money.
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
            OrderStatus::InProgress => OrderEventKind::PayAgain,
            OrderStatus::Pending => OrderEventKind::AcquirerWaits,
            OrderStatus::Paid
                if from == OrderStatus::Refunded && !self.is_paid_against_a_refund(from, to) =>
            {
                OrderEventKind::DuplicateRefunded
            }
            OrderStatus::Paid => OrderEventKind::AcquirerPaid,
            OrderStatus::Failed => OrderEventKind::AcquirerFailed,
            OrderStatus::Expired => OrderEventKind::AcquirerExpired,
            OrderStatus::Refunded => OrderEventKind::AcquirerRefunded,
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
