//! The statuses of an order and the table of steps between them (specification, point 4, and "Readings:
//! orders").
//!
//! The status of an order follows from the facts of its payments ([`crate::payment::decide_settlement`]). The table lists the possible
//! steps, and every stored step is checked against it.

use crate::kernel::words::words;

words! {
    /// The status of an order or of an item in it.
    OrderStatus {
        /// Being created or submitted to the acquirer. An order whose submission was not answered stays here.
        InProgress = "in_progress",
        /// Waiting for the payer or the bank.
        Pending = "pending",
        /// Paid.
        Paid = "paid",
        /// Declined or refused; no money was taken.
        Failed = "failed",
        /// Not paid in time, or its items went back to the cart.
        Expired = "expired",
        /// Paid, and given back.
        Refunded = "refunded",
    }
}

impl OrderStatus {
    /// Returns whether nothing more is expected of the acquirer. A later report may still come and is settled.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::InProgress | Self::Pending)
    }

    /// Returns whether the order was paid, even if the money was given back later.
    #[must_use]
    pub const fn has_money(self) -> bool {
        matches!(self, Self::Paid | Self::Refunded)
    }

    /// Returns whether an order in this status may take the next one. A paid order can only become refunded; a refunded
    /// one can only become paid, if another charge turns out to count.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Paid, next) => matches!(next, Self::Refunded),
            (Self::Refunded, next) => matches!(next, Self::Paid),
            (Self::InProgress, next) => !matches!(next, Self::InProgress),
            (Self::Pending, next) => !matches!(next, Self::Pending),
            // A fresh payment page, another card on the same page, a late payment, or the end of the page's time.
            (Self::Failed, next) => !matches!(next, Self::Failed),
            (Self::Expired, next) => !matches!(next, Self::Expired),
        }
    }
}
