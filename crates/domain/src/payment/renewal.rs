//! Whether an order gets a fresh payment page.

use jiff::{SignedDuration, Timestamp};

use super::{Attempt, AttemptKind, AttemptState, Case, Clocks, InvoiceStatus};
use crate::{AttemptId, CodesState, Key, OrderStatus};

/// An order older than this cannot be paid any more: its items are returned to the cart.
const ORDER_AGE_MAX: SignedDuration = SignedDuration::from_hours(24 * 30);

/// The next step for a notary who wants to pay an order now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// Return this page, which is still valid.
    Give(String),
    /// Refuse for this reason.
    Refuse(Key),
    /// Give this attempt up: nothing of it was sent.
    GiveUpUnsent(AttemptId),
    /// Request the page whose answer was lost again, under the same reference.
    Resubmit(AttemptId),
    /// Read the statement for this charge of a saved card, or on this page that may have been shown before a copy was restored.
    Search(AttemptId),
    /// Close the page of this attempt first.
    Withdraw(AttemptId),
    /// Request a fresh page: no attempt of the order can take money any more.
    Fresh,
    /// Return the items to the cart: a price or an account has changed, or the order is too old. No page is open.
    ReturnToCart,
}

/// Decides about a payment page. There is no fresh one while an older attempt may still take money.
///
/// `prices_hold`: every item still has its price and account. Otherwise, and where the order is too old, an open payment
/// page is withdrawn and never returned. The confirmation page of a charge in progress is returned all the same.
/// `tried`: attempts that were already checked or withdrawn
/// for this request, and are not tried again. A page is not given any more once its time is over by the acquirer's clock, and takes no money
/// any more once it is over by both.
#[must_use]
pub fn renewal(case: &Case, prices_hold: bool, tried: &[AttemptId], now: Clocks) -> Renewal {
    let order = &case.order;
    if order.status.has_money() || order.codes == CodesState::Paid {
        return Renewal::Refuse(Key::OrderNotPayable);
    }
    if case.has_money_alarm {
        return Renewal::Refuse(Key::OrderUnderReview);
    }
    if order.is_cancelled {
        return Renewal::Refuse(Key::OrderCancelled);
    }
    if order.is_returned_to_cart {
        return Renewal::Refuse(Key::OrderReturnedToCart);
    }
    let is_too_old = now.ours.duration_since(order.created_at) > ORDER_AGE_MAX;
    let terms_hold = prices_hold && !is_too_old;
    if let Some(step) = step_for_open_attempts(case, terms_hold, tried, now) {
        return step;
    }
    if terms_hold {
        Renewal::Fresh
    } else {
        Renewal::ReturnToCart
    }
}

/// Returns what must happen before no attempt of the order can take money any more; `None` if none can.
pub(super) fn step_for_open_attempts(
    case: &Case,
    terms_hold: bool,
    tried: &[AttemptId],
    now: Clocks,
) -> Option<Renewal> {
    let mut open_attempts = case
        .attempts
        .iter()
        .filter(|attempt| !attempt.is_certainly_closed());
    open_attempts.find_map(|attempt| {
        let was_tried = tried.contains(&attempt.id);
        step_for_open(case, attempt, terms_hold, was_tried, now)
    })
}

/// Returns what must happen because of an attempt that is not certainly closed; `None` if it takes no money any more.
fn step_for_open(
    case: &Case,
    attempt: &Attempt,
    terms_hold: bool,
    was_tried: bool,
    now: Clocks,
) -> Option<Renewal> {
    let is_over = now.is_after(attempt.page_end(), SignedDuration::ZERO);
    let seems_over = now.theirs.unwrap_or(now.ours) >= attempt.page_ends_at();
    // The acquirer neither closes the page nor takes money there any more. Where it does not know the page, another card may have paid, until
    // that is a proof.
    let is_known = attempt.absence.is_none();
    let is_declined = attempt.kind == AttemptKind::Invoice && attempt.is_declined();
    if was_tried && (attempt.has_expired() || is_over && is_known && is_declined) {
        return None;
    }
    let unknown = Renewal::Refuse(Key::PaymentOutcomeUnknown);
    Some(match (attempt.state, attempt.kind) {
        (AttemptState::Prepared, _) if is_due(attempt, now.ours) => {
            Renewal::GiveUpUnsent(attempt.id)
        }
        // Another request is about to send it, or waits for its answer.
        (AttemptState::Prepared, _) => unknown,
        (AttemptState::Submitted, _)
            if attempt.last_error.is_none() && !is_due(attempt, now.ours) =>
        {
            unknown
        }
        (AttemptState::Submitted, _) if was_tried => unknown,
        (AttemptState::Submitted, AttemptKind::Invoice) if !attempt.may_have_been_shown() => {
            Renewal::Resubmit(attempt.id)
        }
        (AttemptState::Submitted, _) => Renewal::Search(attempt.id),
        _ => {
            let is_latest = case.latest().is_some_and(|latest| latest.id == attempt.id);
            let page = attempt
                .page_url
                .clone()
                .filter(|_| is_latest && !seems_over);
            step_for_page(case, attempt, terms_hold, was_tried, page)
        }
    })
}

/// Returns what must happen because of an attempt whose request was answered. `page` is its page while it is open.
/// `terms_hold`: the order may still be paid at its price and to its accounts.
fn step_for_page(
    case: &Case,
    attempt: &Attempt,
    terms_hold: bool,
    was_tried: bool,
    page: Option<String>,
) -> Renewal {
    let unknown = Renewal::Refuse(Key::PaymentOutcomeUnknown);
    let status = attempt.told.as_ref().map(|told| &told.status);
    // A charge is in progress: only the confirmation page of a saved card is returned.
    if attempt.kind == AttemptKind::CardToken {
        return page.map_or(unknown, Renewal::Give);
    }
    if let Some(InvoiceStatus::Processing | InvoiceStatus::Hold) = status {
        return unknown;
    }
    // A page that waits for its payer, or that the acquirer refuses to close.
    if case.order.status == OrderStatus::Pending || was_tried {
        return match page.filter(|_| terms_hold) {
            Some(page) => Renewal::Give(page),
            None if was_tried => unknown,
            None => Renewal::Withdraw(attempt.id),
        };
    }
    Renewal::Withdraw(attempt.id)
}

/// Returns whether the attempt is due for a check, so that its sender is not waiting any more.
fn is_due(attempt: &Attempt, now: Timestamp) -> bool {
    attempt.next_check_at.is_some_and(|due| due <= now)
}
