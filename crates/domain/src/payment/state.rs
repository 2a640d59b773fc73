//! The state of an order's payment, in more detail than the public status.

use super::{Attempt, AttemptState};
use crate::OrderStatus;
use crate::kernel::words::words;

words! {
    /// The state of an order's payment. The pages have a text for each.
    PaymentState {
        /// The acquirer certainly received nothing. The order can be paid again at once.
        NotSent = "not_sent",
        /// The outcome is not known. Nobody may pay again.
        Unknown = "unknown",
        /// A page waits for the payer, or the bank is at work.
        Waiting = "waiting",
        /// The last card was declined. The bank's page is still open, and another card may be charged there.
        DeclinedPageOpen = "declined_page_open",
        /// Declined or refused; nothing more can come of it.
        Declined = "declined",
        /// Not paid in time, or its items went back to the cart.
        Expired = "expired",
        /// Paid.
        Paid = "paid",
        /// Paid and given back.
        Refunded = "refunded",
        /// Not paid as far as is known, and an open alarm puts the order's money in doubt. Nobody may pay.
        UnderReview = "under_review",
    }
}

impl PaymentState {
    /// Returns the state of an order with this status and current attempt. `has_money_alarm`: an open alarm puts its
    /// money in doubt; a charge that counts is not in doubt.
    #[must_use]
    pub fn of(status: OrderStatus, latest: Option<&Attempt>, has_money_alarm: bool) -> Self {
        match status {
            OrderStatus::Paid => Self::Paid,
            _ if has_money_alarm => Self::UnderReview,
            OrderStatus::InProgress => Self::Unknown,
            OrderStatus::Pending => Self::Waiting,
            OrderStatus::Refunded => Self::Refunded,
            OrderStatus::Expired => Self::Expired,
            OrderStatus::Failed => match latest {
                Some(latest) if latest.state == AttemptState::NotSent => Self::NotSent,
                Some(latest) if latest.state == AttemptState::Accepted && latest.is_declined() => {
                    Self::DeclinedPageOpen
                }
                _ => Self::Declined,
            },
        }
    }

    /// Returns whether an existing attempt may still take money, so that it is worth asking the acquirer.
    #[must_use]
    pub const fn may_take_money(self) -> bool {
        matches!(
            self,
            Self::Unknown | Self::Waiting | Self::DeclinedPageOpen | Self::UnderReview
        )
    }
}
