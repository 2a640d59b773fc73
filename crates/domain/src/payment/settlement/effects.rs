//! The effects of news.

use crate::payment::{AlarmKind, Attempt, Case, OrderFacts, Refund};
use crate::{AttemptId, OrderEventKind, OrderStatus};

/// Something to be stored. All effects of one settlement are stored in one unit of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// An attempt is new or has changed.
    SaveAttempt(Box<Attempt>),
    /// A refund is new or has changed.
    SaveRefund(Box<Refund>),
    /// The order has changed.
    SaveOrder(Box<OrderFacts>),
    /// An event of the order's history.
    Record {
        /// What happened.
        kind: OrderEventKind,
        /// The status after, where it changed.
        to: Option<OrderStatus>,
        /// Details for the operator. No personal data.
        detail: Option<String>,
    },
    /// Open an alarm about an attempt.
    Raise {
        /// What is wrong.
        kind: AlarmKind,
        /// The attempt.
        attempt: AttemptId,
        /// What else is known. No personal data.
        detail: Option<String>,
    },
    /// Plan the transfers of the order. Planned ones stay.
    PlanTransfers,
    /// Cancel transfers that were not sent yet.
    CallOffTransfers,
    /// Keep the transfers that a refund gives back from being sent.
    HoldForRefund(Box<Refund>),
    /// A refund has not given anything back, or the order is paid by another charge: its transfers may be sent again.
    ReleaseFromRefund(Box<Refund>),
    /// A refund has given its money back: its transfer is not sent.
    GiveBackTransfer(Box<Refund>),
    /// This charge was given back whole, and another one pays the order: open an alarm if a part was marked as given back by hand before, because
    /// the other charge has brought that part again.
    LookForPartsByHand(AttemptId),
    /// Store what the order's receipts show. Stored data stay, unless the charge they name was given back and another
    /// one counts.
    KeepReceipt,
    /// Copy the order's items into the cart.
    ReturnItems,
}

/// The result of handling news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettlementVerdict {
    /// It contained something new.
    Applied,
    /// It contained nothing newer than what is known.
    Late,
    /// It belongs to no attempt of the order.
    Unknown,
    /// It contradicts what is known. An alarm is opened, but not for money that was given back before it counted for the order.
    Contradiction,
}

impl SettlementVerdict {
    /// Returns the name in storage and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Late => "late",
            Self::Unknown => "unknown",
            Self::Contradiction => "contradiction",
        }
    }
}

/// The effects of news, and the order after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// What is stored, in this order.
    pub effects: Vec<Effect>,
    /// The result.
    pub verdict: SettlementVerdict,
    /// The case after all effects.
    pub case: Case,
}
