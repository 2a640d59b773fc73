//! Refunds: what the acquirer answers to them, and what the state of their invoice says.

use jiff::{SignedDuration, Timestamp};

use super::{SILENCE_MAX, Work};
use crate::payment::absence::NO_TRACE;
use crate::payment::refund::FAILED;
use crate::payment::schedule::{FIRST_CHECK, next_check};
use crate::payment::{
    AlarmKind, Evidence, InvoiceNews, InvoiceStatus, Missing, Refund, RefundAnswer, RefundEnd,
    RefundNews, RefundScope, RefundStage,
};
use crate::{AttemptId, Money, RefundId};

impl Work<'_> {
    /// Takes a refund that was admitted. Another one that is under way keeps it out.
    pub(super) fn take_refund(&mut self, refund: &Refund) -> bool {
        let is_admitted = refund.order_id == self.case.order.id
            && !self.case.refunds.iter().any(Refund::is_under_way);
        if is_admitted {
            self.case.refunds.push(refund.clone());
        }
        is_admitted
    }

    /// Takes what the acquirer gave back without our asking, or the end of a refund that is under way. One that is under way beside it is
    /// told by the sum, which has grown by that.
    pub(super) fn take_known_refund(&mut self, known: &Refund) -> bool {
        let now = self.now;
        if known.order_id != self.case.order.id || !known.is_done() {
            return false;
        }
        if let Some(ours) = self.refund(known.id) {
            let is_open = ours.is_with_acquirer();
            if is_open {
                ours.stage = known.stage.clone();
            }
            return is_open;
        }
        let beside = self.case.refunds.iter_mut();
        for ours in beside.filter(|ours| ours.attempt_id == known.attempt_id) {
            let before = ours.given_back_before.plus(known.amount);
            if let RefundStage::Submitted { next_check_at, .. }
            | RefundStage::Accepted { next_check_at, .. } = &mut ours.stage
                && let Ok(before) = before
            {
                *next_check_at = now;
                ours.given_back_before = before;
            }
        }
        self.case.refunds.push(known.clone());
        true
    }

    /// Marks a refund as about to be sent. Only one sender gets `Some`.
    pub(super) fn take_refund_submission(
        &mut self,
        id: RefundId,
        acquirer_time: Option<Timestamp>,
    ) -> Option<()> {
        let next_check_at = self.now + FIRST_CHECK;
        let refund = self.refund(id)?;
        let RefundStage::Prepared { .. } = refund.stage else {
            return None;
        };
        refund.stage = RefundStage::Submitted {
            submitted_at: acquirer_time,
            next_check_at,
            last_error: None,
        };
        Some(())
    }

    /// Ends a refund that nobody has sent. Its operator has no answer, so a person is called.
    pub(super) fn take_unsent_refund(&mut self, id: RefundId) -> Option<()> {
        let at = self.now;
        let refund = self.refund(id)?;
        let RefundStage::Prepared { .. } = refund.stage else {
            return None;
        };
        refund.stage = RefundStage::NotSent { at };
        let charge = refund.attempt_id;
        self.alarms.push((AlarmKind::RefundNotMade, charge));
        Some(())
    }

    pub(super) fn take_refund_answer(&mut self, id: RefundId, answer: &RefundAnswer) -> Option<()> {
        let now = self.now;
        let refund = self.refund(id)?;
        let RefundStage::Submitted { submitted_at, .. } = refund.stage else {
            // What the state of the invoice has told meanwhile is more.
            return None;
        };
        let charge = refund.attempt_id;
        match answer {
            RefundAnswer::Accepted => {
                refund.stage = RefundStage::Accepted {
                    submitted_at,
                    next_check_at: now + FIRST_CHECK,
                    last_error: None,
                };
            }
            RefundAnswer::NotSent => refund.stage = RefundStage::NotSent { at: now },
            RefundAnswer::Refused { code } => {
                refund.stage = refused(code, now);
                self.alarms.push((AlarmKind::RefundNotMade, charge));
            }
            RefundAnswer::Unknown { error, pause } => self.put_refund_off(id, error, *pause)?,
        }
        Some(())
    }

    /// Postpones the next check of a refund after a missing answer, and calls a person after hours.
    pub(super) fn put_refund_off(
        &mut self,
        id: RefundId,
        error: &str,
        pause: SignedDuration,
    ) -> Option<()> {
        let now = self.now;
        let refund = self.refund(id)?;
        let at = now + next_check(refund.checks).max(pause);
        match &mut refund.stage {
            RefundStage::Submitted {
                next_check_at,
                last_error,
                ..
            }
            | RefundStage::Accepted {
                next_check_at,
                last_error,
                ..
            } => {
                *next_check_at = at;
                *last_error = Some(error.to_owned());
            }
            _ => return None,
        }
        self.call_about_silence(id);
        Some(())
    }

    /// Merges what the state of an invoice says about the refunds of its charge. Returns whether it contained anything new.
    pub(super) fn take_refund_states(&mut self, charge: AttemptId, news: &InvoiceNews) -> bool {
        let before = self.case.refunds.clone();
        let of_charge: Vec<RefundId> = before
            .iter()
            .filter(|refund| refund.attempt_id == charge)
            .map(|refund| refund.id)
            .collect();
        for id in of_charge {
            let told = news.refunds.iter().find(|told| told.refund == Some(id));
            match told {
                Some(told) => self.take_told_refund(id, told, news),
                None => self.take_unlisted_refund(id, news),
            }
        }
        before
            .iter()
            .zip(&self.case.refunds)
            .any(|(before, after)| before.stage.state() != after.stage.state())
    }

    fn take_told_refund(&mut self, id: RefundId, told: &RefundNews, news: &InvoiceNews) {
        let now = self.now;
        let Some(refund) = self.refund(id) else {
            return;
        };
        refund.absence = None;
        let charge = refund.attempt_id;
        let was_under_way = refund.is_under_way();
        let was_over = !was_under_way && !refund.is_done();
        let next_check_at = now + next_check(refund.checks);
        match told.end {
            RefundEnd::Done if !refund.is_done() => {
                let is_other_sum = told.amount.is_some_and(|amount| amount != refund.amount);
                refund.stage = RefundStage::Done {
                    at: news.modified_at.unwrap_or(now),
                };
                // All that was left went back, and the acquirer does not call the payment given back.
                let is_rest_open =
                    refund.scope == RefundScope::Whole && news.status != InvoiceStatus::Reversed;
                if was_over || is_other_sum || is_rest_open {
                    self.alarms.push((AlarmKind::RefundContradicted, charge));
                }
            }
            RefundEnd::Failed if was_under_way => {
                refund.stage = refused(FAILED, now);
                self.alarms.push((AlarmKind::RefundNotMade, charge));
            }
            RefundEnd::Open if was_under_way => {
                refund.stage = RefundStage::Accepted {
                    submitted_at: refund.stage.submitted_at(),
                    next_check_at,
                    last_error: None,
                };
                self.call_about_silence(id);
            }
            RefundEnd::Done | RefundEnd::Failed | RefundEnd::Open => {}
        }
    }

    /// Handles a state of the invoice that does not name a refund.
    ///
    /// Where the acquirer lists refunds, one that it accepted is done if nothing is left of the charge. One whose answer was lost is done if
    /// nothing is left and the list does not explain all of that. It is given up if the list is complete and the refund must be in it.
    ///
    /// Where the acquirer tells only how much went back in all, a refund is done if that sum has grown by its amount, or if nothing is left
    /// of the charge. It is given up if the sum has not grown for long enough. That holds also for one that was accepted, because the
    /// acquirer may drop it later.
    fn take_unlisted_refund(&mut self, id: RefundId, news: &InvoiceNews) {
        let (now, at) = (self.now, self.clocks(news.as_of));
        let within = self.delays.until(news.acquirer, Missing::Refund);
        let lists = news.acquirer.lists_refunds();
        let Some(refund) = self.refund(id) else {
            return;
        };
        let (charge, before) = (refund.attempt_id, refund.given_back_before);
        let with_it = before.plus(refund.amount);
        // A state that tells less than is known is older, or contradicts it: what it tells in all says nothing about a refund.
        let known = self.case.attempt(charge).map(|charge| charge.refunded);
        let is_all_told = known.is_none_or(|known| known <= news.refunded);
        let is_told_by_sum = !lists && is_all_told && with_it == Ok(news.refunded);
        let is_list_whole = if lists {
            is_all_listed(news)
        } else {
            is_all_told && news.refunded == before
        };
        let Some(refund) = self.refund(id) else {
            return;
        };
        let evidence = if is_list_whole && !names_open_refund(news) {
            refund.lacks(at, within)
        } else {
            Evidence::TooEarly
        };
        let next = now + evidence.pause(next_check(refund.checks));
        let is_accepted = matches!(refund.stage, RefundStage::Accepted { .. });
        // Where refunds have no names, nobody says of an accepted one that it failed.
        let is_ruled_out = evidence.is_proof() && !(is_accepted && lists);
        let is_all_back = news.status == InvoiceStatus::Reversed && (is_accepted || !is_list_whole);
        match &mut refund.stage {
            RefundStage::Submitted { .. } | RefundStage::Accepted { .. }
                if is_all_back || is_told_by_sum =>
            {
                refund.stage = RefundStage::Done {
                    at: news.modified_at.unwrap_or(now),
                };
            }
            RefundStage::Submitted { .. } | RefundStage::Accepted { .. } if is_ruled_out => {
                refund.stage = refused(NO_TRACE, now);
                self.alarms.push((AlarmKind::RefundNotMade, charge));
            }
            RefundStage::Submitted { next_check_at, .. }
            | RefundStage::Accepted { next_check_at, .. } => {
                *next_check_at = next;
                self.call_about_silence(id);
            }
            RefundStage::Prepared { .. }
            | RefundStage::Done { .. }
            | RefundStage::NotSent { .. }
            | RefundStage::Refused { .. } => {}
        }
    }

    /// Returns whether a state of the invoice tells of a refund that we did not ask for. Either more of the charge was given back than our
    /// refunds and earlier states explain, or the acquirer works at such a refund.
    pub(super) fn is_given_back_unasked(&self, charge: AttemptId, news: &InvoiceNews) -> bool {
        let lists = news.acquirer.lists_refunds();
        // Where refunds have no names, an open one may be of another payment, for which the money of this one is kept.
        let names_open_one = |told: &RefundNews| {
            let ours = told.refund.and_then(|id| self.case.refund(id));
            lists && told.end == RefundEnd::Open && ours.is_none_or(is_ruled_out)
        };
        let told = self
            .case
            .attempt(charge)
            .and_then(|charge| charge.told.as_ref());
        let is_latest = told.is_none_or(|told| Some(told.modified_at) <= news.modified_at);
        if is_latest && news.refunds.iter().any(names_open_one) {
            return true;
        }
        let known = self.before.given_back_without(charge, Refund::is_done);
        let now = if lists && !is_all_listed(news) {
            // One that the acquirer has taken may be in the sum already.
            self.case
                .given_back_without(charge, Refund::is_known_to_acquirer)
        } else {
            self.case.given_back_without(charge, Refund::is_done)
        };
        now > known
    }

    /// Calls a person about a refund whose end is not known for hours.
    fn call_about_silence(&mut self, id: RefundId) {
        let now = self.now;
        let Some(refund) = self.refund(id) else {
            return;
        };
        if now.duration_since(refund.created_at) >= SILENCE_MAX {
            let charge = refund.attempt_id;
            self.alarms.push((AlarmKind::RefundUnanswered, charge));
        }
    }

    fn refund(&mut self, id: RefundId) -> Option<&mut Refund> {
        self.case.refunds.iter_mut().find(|refund| refund.id == id)
    }
}

/// Returns whether a refund ended without a word of the acquirer about it.
fn is_ruled_out(refund: &Refund) -> bool {
    matches!(refund.stage, RefundStage::NotSent { .. }) || refund.is_without_trace()
}

fn refused(code: &str, at: Timestamp) -> RefundStage {
    RefundStage::Refused {
        code: code.to_owned(),
        at,
    }
}

/// Returns whether a state of the invoice lists all refunds. The refunds that are done then add up to all that was given back, and each
/// open one has our reference.
fn is_all_listed(news: &InvoiceNews) -> bool {
    let is_nameless = |told: &RefundNews| told.end == RefundEnd::Open && told.refund.is_none();
    let listed = news.refunds.iter();
    let listed = listed.filter(|told| told.end == RefundEnd::Done);
    Money::sum(listed.filter_map(|told| told.amount)) == Ok(news.refunded)
        && !news.refunds.iter().any(is_nameless)
}

/// Returns whether the acquirer may be working at a refund. Either a state of the invoice lists an open one, or the state is neither paid
/// nor given back and so tells nothing about refunds.
fn names_open_refund(news: &InvoiceNews) -> bool {
    let is_open = |told: &RefundNews| told.end == RefundEnd::Open;
    !matches!(
        news.status,
        InvoiceStatus::Success | InvoiceStatus::Reversed
    ) || news.refunds.iter().any(is_open)
}
