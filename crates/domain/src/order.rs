//! The statuses of an order and the one table of steps between them.
//!
//! Readings, "Statuses". The steps are monotone: whatever order an acquirer's reports arrive in, and however often, the
//! same status stands at the end. Money that came outweighs any report of a failure, and only a refund outweighs it.

/// The status of an order or of an item in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderStatus {
    /// Being created or handed to the acquirer. A payment that was asked for and not answered stays here.
    InProgress,
    /// Waiting for the payer or the bank.
    Pending,
    /// Paid.
    Paid,
    /// Declined or refused; no money taken.
    Failed,
    /// Not paid in time.
    Expired,
    /// Paid, and given back.
    Refunded,
}

/// Something that happened to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderEvent {
    /// The acquirer gave an address to pay at, or reports that it waits for the payer or for the bank.
    AcquirerWaits,
    /// The acquirer did not answer in time: the outcome is unknown.
    NoAnswer,
    /// The acquirer reports the money taken.
    AcquirerPaid,
    /// The acquirer reports the money taken on a page where a card had been declined before, while the page was open: the payer
    /// tried another card, or the same one again.
    AcquirerPaidAfterDecline,
    /// The acquirer declined or refused, or never heard of the payment.
    AcquirerFailed,
    /// The time to pay ran out, or the invoice was cancelled unpaid.
    AcquirerExpired,
    /// The acquirer reports the money given back.
    AcquirerRefunded,
    /// A fresh link is about to be asked for; the old invoice is cancelled.
    PayAgain,
}

/// What an event does to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The order takes this status.
    To(OrderStatus),
    /// Nothing new; the status stays.
    Stay,
    /// The event cannot be true together with the status. The status stays, and a person is told.
    Contradiction,
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

    /// Whether a fresh link may be asked for (`/order/{id}/update/pay-link`).
    #[must_use]
    pub fn can_be_paid_again(self) -> bool {
        matches!(step(self, OrderEvent::PayAgain), Step::To(_))
    }
}

impl OrderEvent {
    /// All events.
    pub const ALL: [Self; 8] = [
        Self::AcquirerWaits,
        Self::NoAnswer,
        Self::AcquirerPaid,
        Self::AcquirerPaidAfterDecline,
        Self::AcquirerFailed,
        Self::AcquirerExpired,
        Self::AcquirerRefunded,
        Self::PayAgain,
    ];
}

/// The table: what `event` does to an order in status `from`.
#[must_use]
pub const fn step(from: OrderStatus, event: OrderEvent) -> Step {
    use OrderEvent as E;
    use OrderStatus as S;
    use Step::{Contradiction, Stay, To};

    match (event, from) {
        (E::AcquirerWaits, S::InProgress) => To(S::Pending),
        (E::AcquirerWaits, _) => Stay,

        (E::NoAnswer, _) => Stay,

        (
            E::AcquirerPaid | E::AcquirerPaidAfterDecline,
            S::InProgress | S::Pending | S::Failed | S::Expired,
        ) => To(S::Paid),
        (E::AcquirerPaid | E::AcquirerPaidAfterDecline, S::Paid | S::Refunded) => Stay,

        // Failed outweighs expired, so that the two end alike in either order.
        (E::AcquirerFailed, S::InProgress | S::Pending | S::Expired) => To(S::Failed),
        (E::AcquirerFailed, S::Failed) => Stay,
        (E::AcquirerFailed, S::Paid | S::Refunded) => Contradiction,

        (E::AcquirerExpired, S::InProgress | S::Pending) => To(S::Expired),
        (E::AcquirerExpired, S::Failed | S::Expired) => Stay,
        (E::AcquirerExpired, S::Paid | S::Refunded) => Contradiction,

        // A refund may be heard of before the payment that it gives back.
        (E::AcquirerRefunded, S::Refunded) => Stay,
        (E::AcquirerRefunded, _) => To(S::Refunded),

        (E::PayAgain, S::Pending | S::Failed | S::Expired) => To(S::InProgress),
        // While the acquirer has not answered, a second invoice could be paid beside the first.
        (E::PayAgain, S::InProgress | S::Paid | S::Refunded) => Contradiction,
    }
}

/// The name under which a step stands in the order's history.
///
/// A payment of an order that had been given up is a `late_payment`, and what cannot be is a `contradiction_…`: both
/// are worth an alarm. Another card on the same open page is neither: it is what the page is for.
#[must_use]
pub const fn history_name(from: OrderStatus, event: OrderEvent) -> &'static str {
    match (event, step(from, event)) {
        (OrderEvent::AcquirerPaid, Step::To(_)) if from.is_final() => "late_payment",
        (OrderEvent::AcquirerWaits, _) => "acquirer_waits",
        (OrderEvent::NoAnswer, _) => "no_answer",
        (OrderEvent::AcquirerPaid | OrderEvent::AcquirerPaidAfterDecline, _) => "acquirer_paid",
        (OrderEvent::AcquirerFailed, Step::Contradiction) => "contradiction_failed",
        (OrderEvent::AcquirerFailed, _) => "acquirer_failed",
        (OrderEvent::AcquirerExpired, Step::Contradiction) => "contradiction_expired",
        (OrderEvent::AcquirerExpired, _) => "acquirer_expired",
        (OrderEvent::AcquirerRefunded, _) => "acquirer_refunded",
        (OrderEvent::PayAgain, Step::Contradiction) => "contradiction_pay_again",
        (OrderEvent::PayAgain, _) => "pay_again",
    }
}
