//! Whether an order gets a fresh way to be paid.

use jiff::{SignedDuration, Timestamp};

use super::{Attempt, AttemptKind, AttemptState, Case, InvoiceStatus};
use crate::{AttemptId, Key, OrderStatus};

/// An order older than this is not paid any more: its items go back to the cart.
pub const ORDER_AGE_MAX: SignedDuration = SignedDuration::from_hours(24 * 30);

/// What is done for somebody who wants to pay an order now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// This page is still good.
    Give(String),
    /// The order can't be paid, for this reason.
    Refuse(Key),
    /// Nothing of this attempt was sent: it is given up.
    GiveUpUnsent(AttemptId),
    /// The page whose answer was lost is asked for again under the same reference.
    Resubmit(AttemptId),
    /// The statement is read for this charge of a saved card.
    Search(AttemptId),
    /// This attempt's page is closed first.
    Withdraw(AttemptId),
    /// Nothing of the order can take money any more: a fresh page is asked for.
    Fresh,
    /// The same, but its price or account has changed, or it is too old: its items go back to the cart.
    ReturnToCart,
}

/// Decides about a fresh way to pay. None is given while an older one may still take money.
///
/// `prices_hold`: every item costs today what it cost, and goes to the same account. `tried`: attempts that were asked
/// about or withdrawn for this wish already, so that they are not tried again. `now` is our time, `acquirer_now` the
/// acquirer's where it is known: pages end by the latter.
#[must_use]
pub fn renewal(
    case: &Case,
    prices_hold: bool,
    tried: &[AttemptId],
    now: Timestamp,
    acquirer_now: Timestamp,
) -> Renewal {
    let order = &case.order;
    if order.status.has_money() {
        return Renewal::Refuse(Key::OrderNotPayable);
    }
    if case.has_money_alarm {
        return Renewal::Refuse(Key::OrderUnderReview);
    }
    if order.is_returned_to_cart {
        return Renewal::Refuse(Key::OrderReturnedToCart);
    }
    let latest = case.latest().map(|latest| latest.id);
    for attempt in case
        .attempts
        .iter()
        .filter(|attempt| !attempt.is_certainly_closed())
    {
        let was_tried = tried.contains(&attempt.id);
        let is_over = acquirer_now >= attempt.page_ends_at();
        // The acquirer neither closes it nor takes money there any more.
        if was_tried && is_over && attempt.kind == AttemptKind::Invoice && attempt.is_declined() {
            continue;
        }
        let told = attempt.told.as_ref().map(|told| &told.status);
        let is_latest = Some(attempt.id) == latest;
        let page = attempt.page_url.clone().filter(|_| is_latest && !is_over);
        match (attempt.state, attempt.kind) {
            (AttemptState::Prepared, _) if is_due(attempt, now) => {
                return Renewal::GiveUpUnsent(attempt.id);
            }
            // Somebody is about to send it, or waits for its answer at this moment.
            (AttemptState::Prepared, _) => return Renewal::Refuse(Key::PaymentOutcomeUnknown),
            (AttemptState::Submitted, _)
                if attempt.last_error.is_none() && !is_due(attempt, now) =>
            {
                return Renewal::Refuse(Key::PaymentOutcomeUnknown);
            }
            (AttemptState::Submitted, _) if was_tried => {
                return Renewal::Refuse(Key::PaymentOutcomeUnknown);
            }
            (AttemptState::Submitted, AttemptKind::Invoice) => {
                return Renewal::Resubmit(attempt.id);
            }
            (AttemptState::Submitted, AttemptKind::CardToken) => {
                return Renewal::Search(attempt.id);
            }
            // A charge is under way: only a saved card's page of confirmation is given.
            _ if attempt.kind == AttemptKind::CardToken
                || matches!(told, Some(InvoiceStatus::Processing | InvoiceStatus::Hold)) =>
            {
                return page.map_or(Renewal::Refuse(Key::PaymentOutcomeUnknown), |page| {
                    if attempt.kind == AttemptKind::CardToken {
                        Renewal::Give(page)
                    } else {
                        Renewal::Refuse(Key::PaymentOutcomeUnknown)
                    }
                });
            }
            // A page that waits for its payer, or one that the acquirer will not close.
            _ if order.status == OrderStatus::Pending || was_tried => match page {
                Some(page) => return Renewal::Give(page),
                None if was_tried => return Renewal::Refuse(Key::PaymentOutcomeUnknown),
                None => return Renewal::Withdraw(attempt.id),
            },
            _ => return Renewal::Withdraw(attempt.id),
        }
    }
    let is_too_old = now.duration_since(order.created_at) > ORDER_AGE_MAX;
    if prices_hold && !is_too_old {
        Renewal::Fresh
    } else {
        Renewal::ReturnToCart
    }
}

/// Whether the worker would ask about the attempt by now: whoever sent it is not waiting any more.
fn is_due(attempt: &Attempt, now: Timestamp) -> bool {
    attempt.next_check_at.is_some_and(|due| due <= now)
}
