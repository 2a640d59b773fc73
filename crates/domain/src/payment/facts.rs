//! Merges what the acquirer reports into the facts of one attempt.

use jiff::{SignedDuration, Timestamp};

use super::schedule::{FIRST_CHECK, next_check};
use super::{
    Attempt, AttemptState, Clocks, InvoiceId, InvoiceNews, InvoiceStatus, NewAttempt, Told,
};
use crate::{AttemptId, Money, OrderStatus};

/// Returns an attempt for an invoice that stands under the reference of a known one.
pub(super) fn stray_of(
    known: &Attempt,
    id: AttemptId,
    invoice_id: InvoiceId,
    now: Timestamp,
) -> Attempt {
    Attempt {
        is_stray: true,
        payment_reference: known.payment_reference,
        state: AttemptState::Accepted,
        invoice_id: Some(invoice_id),
        answered_at: Some(now),
        submitted_at: known.submitted_at,
        next_check_at: Some(now + FIRST_CHECK),
        ..NewAttempt {
            id,
            order_id: known.order_id,
            acquirer: known.acquirer,
            kind: known.kind,
            amount: known.amount,
            created_at: now,
        }
        .prepared()
    }
}

/// The acquirer has an invoice for the attempt.
pub(super) fn accept(attempt: &mut Attempt, now: Timestamp) {
    attempt.state = AttemptState::Accepted;
    attempt.absence = None;
    attempt.last_error = None;
    attempt.next_check_at = Some(now + FIRST_CHECK);
}

/// Nothing more is expected of the attempt.
pub(super) fn end(attempt: &mut Attempt, outcome: OrderStatus) {
    attempt.state = AttemptState::Finished;
    attempt.outcome = Some(outcome);
    attempt.next_check_at = None;
}

/// What a state was beside the facts that were known.
pub(super) struct Joined {
    /// It contained anything new.
    pub(super) is_new: bool,
    /// It contradicts a charge.
    pub(super) contradicts_charge: bool,
    /// It is a later state, and tells a smaller sum given back than before.
    pub(super) contradicts_refund: bool,
}

/// Merges a state into the facts. `unmade` is what refunds of ours that are not known to be made ask for: an acquirer may have told of it already.
pub(super) fn join(
    attempt: &mut Attempt,
    news: &InvoiceNews,
    unmade: Money,
    now: Timestamp,
) -> Joined {
    attempt.absence = None;
    let before = attempt.clone();
    let modified_at = moment_of(attempt, news);
    let told = attempt.told.as_ref();
    let is_later = told.is_some_and(|told| told.modified_at < modified_at);
    let contradicts_refund =
        news.status == InvoiceStatus::Success && is_later && tells_less(attempt, news, unmade);
    attempt.invoice_id.get_or_insert(news.invoice_id.clone());
    attempt.answered_at.get_or_insert(now);
    let is_newer = tell(attempt, news);
    if is_newer && news.failure_code.is_some() {
        attempt.failure_code.clone_from(&news.failure_code);
    }
    // Nothing can be given back before a charge, whatever the acquirer names as the rest.
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
            join_fee(attempt, news);
        }
        InvoiceStatus::Reversed => {
            let reversed = attempt
                .reversed_at
                .map_or(modified_at, |at| at.min(modified_at));
            attempt.reversed_at = Some(reversed);
            join_card(attempt, news);
            join_fee(attempt, news);
        }
        _ => {}
    }
    let told = attempt.told.as_ref().map(|told| &told.status);
    let contradicts_charge = is_newer
        && attempt.has_standing_charge()
        && matches!(told, Some(InvoiceStatus::Failure | InvoiceStatus::Expired));
    Joined {
        is_new: *attempt != before,
        contradicts_charge,
        contradicts_refund,
    }
}

/// Returns whether a state tells a smaller sum given back than was told before. One that tells none, nor a list of refunds, may just not name it.
fn tells_less(attempt: &Attempt, news: &InvoiceNews, unmade: Money) -> bool {
    let known = match attempt.reversed_at {
        Some(_) => attempt.amount,
        None => attempt.refunded,
    };
    let names_it = !news.refunded.is_zero() || !news.refunds.is_empty();
    names_it && news.refunded.kopiykas() + unmade.kopiykas() < known.kopiykas()
}

/// Stores a state with another sum or currency than ours. It does not pay the order, and the attempt is checked until
/// the money has been given back. Returns whether it contained anything new.
pub(super) fn doubt(attempt: &mut Attempt, news: &InvoiceNews, now: Timestamp) -> bool {
    attempt.absence = None;
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

/// Stores the state if it is the latest. Returns whether it is.
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

/// Returns the acquirer's time of a state. A state without any time is not newer than the known one.
fn moment_of(attempt: &Attempt, news: &InvoiceNews) -> Timestamp {
    news.modified_at.or(news.created_at).unwrap_or_else(|| {
        attempt
            .told
            .as_ref()
            .map_or(Timestamp::UNIX_EPOCH, |told| told.modified_at)
    })
}

/// Keeps the fee of the charge. A state from after a refund may name another fee, so it counts only while no other is known.
fn join_fee(attempt: &mut Attempt, news: &InvoiceNews) {
    let is_of_charge = news.status == InvoiceStatus::Success && news.refunded == Money::ZERO;
    if news.acquirer_fee.is_some() && (is_of_charge || attempt.acquirer_fee.is_none()) {
        attempt.acquirer_fee = news.acquirer_fee;
    }
}

fn join_card(attempt: &mut Attempt, news: &InvoiceNews) {
    let card = &news.card;
    fn join<T: Clone>(known: &mut Option<T>, told: &Option<T>) {
        if told.is_some() {
            known.clone_from(told);
        }
    }
    join(&mut attempt.masked_pan, &card.masked_pan);
    join(&mut attempt.payment_system, &card.payment_system);
    join(&mut attempt.approval_code, &card.approval_code);
    join(&mut attempt.rrn, &card.rrn);
}

/// Ends an attempt whose outcome is final; schedules the next check of any other.
pub(super) fn conclude(attempt: &mut Attempt, at: Clocks) {
    attempt.last_error = None;
    if attempt.reversed_at.is_some() {
        return end(attempt, OrderStatus::Refunded);
    }
    if attempt.charged_at.is_some() {
        return end(attempt, OrderStatus::Paid);
    }
    let told = attempt.told.as_ref().map(|told| &told.status);
    // A report of a declined card does not exclude a later payment on the same page.
    let is_page_over =
        at.is_after(attempt.page_end(), SignedDuration::ZERO) || attempt.withdrawn_at.is_some();
    match told {
        Some(InvoiceStatus::Expired) => end(attempt, OrderStatus::Expired),
        Some(InvoiceStatus::Failure) if attempt.is_failure_final() || is_page_over => {
            end(attempt, OrderStatus::Failed);
        }
        _ => {
            attempt.state = AttemptState::Accepted;
            attempt.outcome = None;
            attempt.next_check_at = Some(at.ours + next_check(attempt.checks));
        }
    }
}
