//! Where a payment stands for the client who opens the link of an order.

use super::{Case, PaymentState};
use crate::kernel::words::words;
use crate::{CodesState, Key};

words! {
    /// What a client is told of the payment. The page of the link has a text for each.
    ClientStanding {
        /// Paid.
        Paid = "paid",
        /// Paid by QR codes, past the service, as the notary has marked.
        PaidByCodes = "paid_by_codes",
        /// Paid and given back.
        Refunded = "refunded",
        /// A person looks into the money. Nobody may pay.
        UnderReview = "under_review",
        /// The outcome is not known, or a card is being charged. Nobody may pay.
        Processing = "processing",
        /// The notary has cancelled the order.
        Cancelled = "cancelled",
        /// Its payments went back to the notary's cart, because its terms don't hold any more.
        Returned = "returned",
        /// A page waits for the payer.
        Waiting = "waiting",
        /// Not paid yet, and no page is open.
        Unpaid = "unpaid",
        /// The bank has declined a card, and another one may be charged on the same page: only that much is known.
        DeclinedPageOpen = "declined_page_open",
        /// The bank has declined the last card, and no page is open.
        Declined = "declined",
        /// A charge without an answer was given up, because the acquirer's statement has no trace of it. Whether money was taken is for people
        /// to say.
        NoTrace = "no_trace",
    }
}

impl ClientStanding {
    /// Returns what the client of an order is told. What is known of money comes first: an order that was given up may have been paid all
    /// the same.
    #[must_use]
    pub fn of(case: &Case) -> Self {
        let order = &case.order;
        match order.payment_state {
            state if order.codes.pays(order.status, state) => Self::PaidByCodes,
            PaymentState::Paid => Self::Paid,
            PaymentState::Refunded => Self::Refunded,
            PaymentState::UnderReview => Self::UnderReview,
            PaymentState::Unknown => Self::Processing,
            _ if case.is_being_charged() => Self::Processing,
            // Whatever is expected of the acquirer, nobody is to pay again.
            _ if order.codes == CodesState::Paid => Self::Processing,
            _ if order.is_cancelled => Self::Cancelled,
            _ if order.is_returned_to_cart => Self::Returned,
            PaymentState::Waiting => Self::Waiting,
            PaymentState::NotSent | PaymentState::Expired => Self::Unpaid,
            PaymentState::Declined if order.failure == Some(Key::PaymentNoTrace) => Self::NoTrace,
            PaymentState::DeclinedPageOpen => Self::DeclinedPageOpen,
            PaymentState::Declined => Self::Declined,
        }
    }

    /// Returns whether nothing is under way or over that forbids to pay.
    #[must_use]
    pub const fn may_pay(self) -> bool {
        matches!(
            self,
            Self::Waiting | Self::Unpaid | Self::DeclinedPageOpen | Self::Declined | Self::NoTrace
        )
    }

    /// Returns why no receipt may be promised. `None`: it may, for the order is paid or can still be.
    #[must_use]
    pub const fn receipt_refusal(self) -> Option<Key> {
        match self {
            Self::Refunded => Some(Key::OrderRefunded),
            // The service has seen no payment of which it could send word by itself.
            Self::PaidByCodes => Some(Key::OrderNotPayable),
            Self::Cancelled => Some(Key::OrderCancelled),
            Self::Returned => Some(Key::OrderReturnedToCart),
            Self::Paid
            | Self::UnderReview
            | Self::Processing
            | Self::Waiting
            | Self::Unpaid
            | Self::DeclinedPageOpen
            | Self::Declined
            | Self::NoTrace => None,
        }
    }
}
