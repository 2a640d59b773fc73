//! Giving money of a charge back to the card: a request to the acquirer of its own, whose outcome may be unknown like that of a charge.

mod admission;

pub use admission::{
    KnownPart, OpenDoubts, RefundRefusal, RefundWish, admit_known_refund, admit_refund, by_hand,
    unexplained,
};

use jiff::{SignedDuration, Timestamp};

use super::absence::NO_TRACE;
use super::schedule::PREPARED_WITHIN;
use super::{Absence, Clocks, Evidence, Expected, Missing};
use crate::kernel::words::words;
use crate::{AttemptId, Money, OperatorReason, OrderId, RefundId, TransferId};

/// The code of a refund that the acquirer accepted and did not carry out.
pub(super) const FAILED: &str = "failed_later";

/// What of the charge is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundScope {
    /// All that is left of it. No recipient gets anything.
    Whole,
    /// A sum that no recipient is owed: a part of the commission.
    Sum,
    /// What one transfer would have brought its recipient.
    Transfer(TransferId),
}

impl RefundScope {
    /// Returns the name in storage and in tables.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Sum => "sum",
            Self::Transfer(_) => "transfer",
        }
    }

    /// Returns the transfer that is given back.
    #[must_use]
    pub const fn transfer(self) -> Option<TransferId> {
        match self {
            Self::Transfer(id) => Some(id),
            Self::Whole | Self::Sum => None,
        }
    }

    /// Reads what is stored.
    #[must_use]
    pub fn parse(word: &str, transfer: Option<TransferId>) -> Option<Self> {
        match (word, transfer) {
            ("whole", None) => Some(Self::Whole),
            ("sum", None) => Some(Self::Sum),
            ("transfer", Some(id)) => Some(Self::Transfer(id)),
            _ => None,
        }
    }
}

words! {
    /// The word of a [`RefundStage`].
    RefundState {
        /// Stored; nothing was sent to the acquirer.
        Prepared = "prepared",
        /// Sent, or about to be; no answer is known.
        Submitted = "submitted",
        /// The acquirer works at it.
        Accepted = "accepted",
        /// The money went back to the card.
        Done = "done",
        /// The request certainly did not reach the acquirer.
        NotSent = "not_sent",
        /// The acquirer refused it, or has no trace of it.
        Refused = "refused",
    }
}

/// How far a refund has come, with what is known at that point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundStage {
    /// Stored; nothing was sent to the acquirer.
    Prepared {
        /// When it is given up, because its process has ended.
        next_check_at: Timestamp,
    },
    /// Sent, or about to be; whether the acquirer has it is not known.
    Submitted {
        /// When it was sent, by the acquirer's clock, where that was known.
        submitted_at: Option<Timestamp>,
        /// When the acquirer is asked next.
        next_check_at: Timestamp,
        /// The latest error, for the operator.
        last_error: Option<String>,
    },
    /// The acquirer has it, and has not told its end.
    Accepted {
        /// When it was sent, by the acquirer's clock, where that was known.
        submitted_at: Option<Timestamp>,
        /// When the acquirer is asked next.
        next_check_at: Timestamp,
        /// The latest error, for the operator.
        last_error: Option<String>,
    },
    /// The money went back to the card.
    Done {
        /// When, by the acquirer's clock.
        at: Timestamp,
    },
    /// The request certainly did not reach the acquirer.
    NotSent {
        /// When that became certain.
        at: Timestamp,
    },
    /// The acquirer refused it, did not carry it out, or has no trace of it.
    Refused {
        /// Its code.
        code: String,
        /// When that became known.
        at: Timestamp,
    },
}

impl RefundStage {
    /// Returns its word.
    #[must_use]
    pub const fn state(&self) -> RefundState {
        match self {
            Self::Prepared { .. } => RefundState::Prepared,
            Self::Submitted { .. } => RefundState::Submitted,
            Self::Accepted { .. } => RefundState::Accepted,
            Self::Done { .. } => RefundState::Done,
            Self::NotSent { .. } => RefundState::NotSent,
            Self::Refused { .. } => RefundState::Refused,
        }
    }

    /// Returns when the acquirer is asked next; `None` where the end is known.
    #[must_use]
    pub const fn next_check_at(&self) -> Option<Timestamp> {
        match self {
            Self::Prepared { next_check_at }
            | Self::Submitted { next_check_at, .. }
            | Self::Accepted { next_check_at, .. } => Some(*next_check_at),
            Self::Done { .. } | Self::NotSent { .. } | Self::Refused { .. } => None,
        }
    }

    /// Returns when it was sent, by the acquirer's clock, where that is known and its end is not.
    #[must_use]
    pub const fn submitted_at(&self) -> Option<Timestamp> {
        match self {
            Self::Submitted { submitted_at, .. } | Self::Accepted { submitted_at, .. } => {
                *submitted_at
            }
            _ => None,
        }
    }

    /// Returns the latest error of asking.
    #[must_use]
    pub fn last_error(&self) -> Option<&str> {
        match self {
            Self::Submitted { last_error, .. } | Self::Accepted { last_error, .. } => {
                last_error.as_deref()
            }
            _ => None,
        }
    }

    /// Returns when its end became known.
    #[must_use]
    pub const fn ended_at(&self) -> Option<Timestamp> {
        match self {
            Self::Done { at } | Self::NotSent { at } | Self::Refused { at, .. } => Some(*at),
            _ => None,
        }
    }

    /// Returns why the acquirer did not carry it out.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused { code, .. } => Some(code),
            _ => None,
        }
    }
}

/// A refund. Its id is our reference at the acquirer, under which it is sent at most once. One that only says what the acquirer gave back by
/// itself is done from the beginning, and was never sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// The id.
    pub id: RefundId,
    /// The order.
    pub order_id: OrderId,
    /// The charge that is given back.
    pub attempt_id: AttemptId,
    /// What of it.
    pub scope: RefundScope,
    /// The sum; never zero.
    pub amount: Money,
    /// What the acquirer had given back of the charge before this refund, by its word right before, and what was found out later to have gone
    /// back beside it. An acquirer that names no refunds tells by it what became of this one.
    pub given_back_before: Money,
    /// Why.
    pub reason: OperatorReason,
    /// When it was begun, by our clock.
    pub created_at: Timestamp,
    /// How often the acquirer was asked.
    pub checks: i64,
    /// How far it has come.
    pub stage: RefundStage,
    /// That the acquirer did not tell of it when it was asked last.
    pub absence: Option<Absence>,
}

impl Refund {
    /// Returns whether its end is not known.
    #[must_use]
    pub const fn is_under_way(&self) -> bool {
        self.stage.next_check_at().is_some()
    }

    /// Keeps that the state of the invoice lacks this refund, and returns what that proves. Nothing of one that is not under way.
    pub(super) fn lacks(&mut self, at: Clocks, within: SignedDuration) -> Evidence {
        if !self.is_with_acquirer() {
            return Evidence::TooEarly;
        }
        let since = Clocks {
            ours: self.created_at,
            theirs: self.stage.submitted_at(),
        };
        let expected = Expected { since, within };
        let (absence, evidence) = Absence::read(self.absence, Missing::Refund, at, expected);
        self.absence = Some(absence);
        evidence
    }

    /// Returns whether the money went back.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        matches!(self.stage, RefundStage::Done { .. })
    }

    /// Returns whether it was given up because the acquirer did not tell of it for long enough.
    #[must_use]
    pub fn is_without_trace(&self) -> bool {
        self.stage.code() == Some(NO_TRACE)
    }

    /// Returns whether the acquirer may have it while its end is not known.
    pub(super) const fn is_with_acquirer(&self) -> bool {
        matches!(
            self.stage,
            RefundStage::Submitted { .. } | RefundStage::Accepted { .. }
        )
    }

    /// Returns whether the acquirer knows it, so that a sum given back is explained by it.
    pub(super) const fn is_known_to_acquirer(&self) -> bool {
        matches!(
            self.stage,
            RefundStage::Accepted { .. } | RefundStage::Done { .. }
        )
    }
}

/// A refund before anything is sent. If the process ends here, it is given up after some seconds.
pub(super) fn prepared(now: Timestamp) -> RefundStage {
    RefundStage::Prepared {
        next_check_at: now + PREPARED_WITHIN,
    }
}

/// The acquirer's answer to a refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundAnswer {
    /// It took the request. Its end is told by the state of the invoice.
    Accepted,
    /// The sender knows that the request did not reach it, or was rejected before anything was done.
    NotSent,
    /// It refused: nothing is given back.
    Refused {
        /// Its code.
        code: String,
    },
    /// No answer came: it may have given the money back.
    Unknown {
        /// What went wrong, without personal data.
        error: String,
        /// The minimal pause before it is asked.
        pause: SignedDuration,
    },
}

/// What the acquirer tells of one refund of an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundNews {
    /// Our reference, where it is one of ours.
    pub refund: Option<RefundId>,
    /// How far it has come.
    pub end: RefundEnd,
    /// The sum, where it is named.
    pub amount: Option<Money>,
}

/// How far a refund has come at the acquirer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundEnd {
    /// Its end is open.
    Open,
    /// The money went back.
    Done,
    /// It was not carried out.
    Failed,
}

impl RefundEnd {
    /// Parses the acquirer's word. An unknown one proves nothing.
    #[must_use]
    pub fn from_wire(word: &str) -> Self {
        match word {
            "success" => Self::Done,
            "failure" => Self::Failed,
            _ => Self::Open,
        }
    }
}

/// The next request to the acquirer about a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextRefundCall {
    /// Nothing.
    Nothing,
    /// Nothing was sent, and nobody is about to send it: the refund is over.
    GiveUpUnsent,
    /// Ask for the state of the invoice, which lists its refunds.
    AskState,
}

/// Returns the next request about a refund that is due. It is never sent again: the acquirer does not promise to know a reference a second
/// time.
#[must_use]
pub const fn next_refund_call(refund: &Refund) -> NextRefundCall {
    match refund.stage {
        RefundStage::Prepared { .. } => NextRefundCall::GiveUpUnsent,
        RefundStage::Submitted { .. } | RefundStage::Accepted { .. } => NextRefundCall::AskState,
        RefundStage::Done { .. } | RefundStage::NotSent { .. } | RefundStage::Refused { .. } => {
            NextRefundCall::Nothing
        }
    }
}
