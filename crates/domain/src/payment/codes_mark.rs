//! Whether an order may be marked as paid by QR codes, and whether the mark may be taken back (decision 34).

use super::renewal::step_for_open_attempts;
use super::{Case, Clocks, Renewal};
use crate::{AttemptId, CodesState, Key, OrderStatus};

/// What marking an order as paid by QR codes needs next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodesMark {
    /// It may be marked: nothing can be charged for it.
    Mark,
    /// It is marked. What the payer's receipt says may be changed.
    Marked,
    /// This must happen first, so that nothing can be charged.
    Close(Renewal),
    /// It may not be marked, for this reason.
    Refuse(Key),
}

/// Decides whether an order may be marked as paid by QR codes. `tried` is that of [`renewal`](super::renewal).
///
/// An order whose money was given back to the card may be marked, too: that is how it goes on where the client had paid by both.
#[must_use]
pub fn codes_mark(case: &Case, tried: &[AttemptId], now: Clocks) -> CodesMark {
    let order = &case.order;
    match order.codes {
        CodesState::NotGiven => return CodesMark::Refuse(Key::PaymentCodesNotGiven),
        CodesState::Paid => return CodesMark::Marked,
        CodesState::Given => {}
    }
    if order.status == OrderStatus::Paid {
        return CodesMark::Refuse(Key::OrderNotPayable);
    }
    if case.has_money_alarm {
        return CodesMark::Refuse(Key::OrderUnderReview);
    }
    if order.is_cancelled {
        return CodesMark::Refuse(Key::OrderCancelled);
    }
    if order.is_returned_to_cart {
        return CodesMark::Refuse(Key::OrderReturnedToCart);
    }
    // What may come of a refund decides about the order.
    if case.refunds.iter().any(|refund| refund.is_under_way()) {
        return CodesMark::Refuse(Key::PaymentOutcomeUnknown);
    }
    match step_for_open_attempts(case, false, tried, now) {
        None => CodesMark::Mark,
        Some(Renewal::Refuse(key)) => CodesMark::Refuse(key),
        Some(step) => CodesMark::Close(step),
    }
}

/// Decides whether the mark may be taken back. `has_held_transfers`: money that came by card all the same waits for the operator, who asks
/// whether the codes were paid; the mark is the answer until that is decided.
///
/// # Errors
/// `order_under_review`.
pub fn may_undo_codes_mark(case: &Case, has_held_transfers: bool) -> Result<(), Key> {
    let is_open = case.refunds.iter().any(|refund| refund.is_under_way());
    if case.has_money_alarm || has_held_transfers || is_open {
        return Err(Key::OrderUnderReview);
    }
    Ok(())
}
