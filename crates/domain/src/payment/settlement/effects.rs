//! What follows from news.

use crate::payment::{AlarmKind, Attempt, Case, OrderFacts};
use crate::{AttemptId, OrderStatus};

/// Something to be written down. All effects of one settlement are written in one unit of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// An attempt changed, or is new (a fresh way to pay, or a stray invoice).
    SaveAttempt(Box<Attempt>),
    /// The order's row changed.
    SaveOrder(Box<OrderFacts>),
    /// A line of the order's history.
    Record {
        /// What happened.
        kind: &'static str,
        /// The status after, where it changed.
        to: Option<OrderStatus>,
        /// For people who look after the service. No personal data.
        detail: Option<String>,
    },
    /// A person must look at this.
    Raise(AlarmKind, AttemptId),
    /// Write down who is owed what out of the order. What is written already stays.
    PlanTransfers,
    /// What was not sent yet is owed to nobody any more.
    CallOffTransfers,
    /// Keep what the order's receipts name. What is kept stays, unless the charge that it names was given back and another
    /// one stands.
    KeepReceipt,
    /// Copy the order's items into the cart.
    ReturnItems,
}

/// How news was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettlementVerdict {
    /// It told something new.
    Applied,
    /// It told nothing newer than what is known.
    Late,
    /// No attempt of the order answers for it.
    Unknown,
    /// It can't be true together with what is known. A person is told.
    Contradiction,
}

impl SettlementVerdict {
    /// The name in storage and metrics.
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

/// What follows from news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// What is written down, in this order.
    pub effects: Vec<Effect>,
    /// How the news was taken.
    pub verdict: SettlementVerdict,
    /// The case after all effects.
    pub case: Case,
}
