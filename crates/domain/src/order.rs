//! The statuses of an order and the one table of steps between them.
//!
//! Readings, "Statuses". Which status an order has follows from the facts of its payments ([`crate::payment::settle`]);
//! this table says which steps there are, and every stored step is guarded by it.

/// The status of an order or of an item in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderStatus {
    /// Being created or handed to the acquirer. A payment that was asked for and not answered stays here.
    InProgress,
    /// Waiting for the payer or the bank.
    Pending,
    /// Paid.
    Paid,
    /// Declined or refused; this try took no money.
    Failed,
    /// Not paid in time, or its items went back to the cart.
    Expired,
    /// Paid, and given back.
    Refunded,
}

impl OrderStatus {
    /// All statuses.
    pub const ALL: [Self; 6] = [
        Self::InProgress,
        Self::Pending,
        Self::Paid,
        Self::Failed,
        Self::Expired,
        Self::Refunded,
    ];

    /// The name on the wire and in storage.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Pending => "pending",
            Self::Paid => "paid",
            Self::Failed => "failed",
            Self::Expired => "expired",
            Self::Refunded => "refunded",
        }
    }

    /// Reads a status; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether nothing more is expected of the acquirer. A later report may still come, and is heard.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::InProgress | Self::Pending)
    }

    /// Whether the money came, also where it was given back later.
    #[must_use]
    pub const fn has_money(self) -> bool {
        matches!(self, Self::Paid | Self::Refunded)
    }

    /// The table: whether an order in this status may take the other one. Money that came is only left by a refund, and
    /// a refund only where it turns out that another charge counts.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Paid, next) => matches!(next, Self::Refunded),
            (Self::Refunded, next) => matches!(next, Self::Paid),
            (Self::InProgress, next) => !matches!(next, Self::InProgress),
            (Self::Pending, next) => !matches!(next, Self::Pending),
            // A fresh way to pay, another card on the same page, money that came late, and the end of the page's time.
            (Self::Failed, next) => !matches!(next, Self::Failed),
            (Self::Expired, next) => !matches!(next, Self::Expired),
        }
    }
}
