//! Whether money may be given back to the card. Decided under the order's lock, so that nothing is given back twice.

use jiff::Timestamp;

use super::{Refund, RefundScope, RefundStage, prepared};
use crate::payment::{AlarmKind, Case};
use crate::{
    AttemptId, Money, OperatorReason, OrderStatus, RefundId, Transfer, TransferId, TransferStatus,
    ends_of_chains,
};

/// What the operator wants to give back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundWish {
    /// All that is left of the charge.
    Whole,
    /// A sum. `is_again`: the operator knows that the same sum was given back before.
    Sum {
        /// The sum.
        amount: Money,
        /// Whether it is given back once more.
        is_again: bool,
    },
    /// The transfer with this document number.
    Transfer(i64),
}

/// Alarms of an order that are open.
#[derive(Clone, Copy, Debug)]
pub struct OpenDoubts<'a>(pub &'a [AlarmKind]);

impl OpenDoubts<'_> {
    /// Returns the first that leaves open what was given back.
    fn first(self) -> Option<AlarmKind> {
        let is_doubt = |kind: &AlarmKind| kind.holds_payment() || kind.holds_transfers();
        self.0.iter().copied().find(is_doubt)
    }

    /// Returns the same without the alarm of a part that was given back without our asking.
    fn without_unasked_parts(self) -> Vec<AlarmKind> {
        let kinds = self.0.iter().copied();
        kinds
            .filter(|kind| *kind != AlarmKind::RefundedInPart)
            .collect()
    }
}

/// Why nothing is given back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundRefusal {
    /// The order is not paid.
    NotPaid(OrderStatus),
    /// All of it was given back before.
    GivenBackBefore,
    /// Another refund of the order is under way.
    UnderWay(RefundId),
    /// An open alarm leaves open what was charged or given back.
    InDoubt(AlarmKind),
    /// A charge that was made after all was given back stands.
    ChargedAfterRefund,
    /// Several charges of the order stand.
    ChargedTwice,
    /// The transfers were not planned, so what recipients are owed is not known.
    NotPlanned,
    /// The order has no such transfer.
    NoTransfer(i64),
    /// The transfer was sent again by the one with the second number.
    SentAgain(i64, i64),
    /// The bank has transfers with these numbers.
    AtTheBank(Vec<i64>),
    /// Recipients have the money of transfers with these numbers.
    AtTheRecipient(Vec<i64>),
    /// The transfer was given back before.
    TransferGivenBack(i64),
    /// The acquirer works at a refund of the charge that is not ours, or that was given up here.
    OpenAtAcquirer,
    /// The acquirer gave back less than this transfer without being asked by us.
    NotGivenBack {
        /// What it gave back so.
        unasked: Money,
    },
    /// The same sum was given back before.
    SameSum,
    /// Nothing is nothing.
    Zero,
    /// Only this much is left that no recipient is owed.
    OwedToRecipients {
        /// What could be given back.
        free: Money,
    },
    /// Only this much of the charge is left.
    MoreThanLeft {
        /// What is left.
        left: Money,
    },
}

/// Decides whether money is given back, and returns the refund that is to be stored before the acquirer is asked. `transfers` are all of the
/// order, `id` is for the refund.
///
/// # Errors
/// The first [`RefundRefusal`] that applies.
pub fn admit_refund(
    case: &Case,
    transfers: &[Transfer],
    wish: RefundWish,
    doubts: OpenDoubts<'_>,
    (id, reason, now): (RefundId, OperatorReason, Timestamp),
) -> Result<Refund, RefundRefusal> {
    let (charge, left) = refundable(case, doubts)?;
    let (scope, amount) = chosen(case, transfers, wish, left)?;
    if amount.is_zero() {
        return Err(RefundRefusal::Zero);
    }
    if amount > left {
        return Err(RefundRefusal::MoreThanLeft { left });
    }
    if scope != RefundScope::Whole {
        let free = less(left, owed(transfers, scope.transfer()));
        if amount > free {
            return Err(RefundRefusal::OwedToRecipients { free });
        }
    }
    Ok(Refund {
        id,
        order_id: case.order.id,
        attempt_id: charge,
        scope,
        amount,
        reason,
        created_at: now,
        checks: 0,
        stage: prepared(now),
    })
}

/// Decides whether a transfer counts as given back by the acquirer without our asking: in its own cabinet, or by a refund whose row was lost
/// with the database. Returns the refund that says so; nothing is sent to the acquirer.
///
/// # Errors
/// The first [`RefundRefusal`] that applies.
pub fn admit_known_refund(
    case: &Case,
    transfers: &[Transfer],
    document_number: i64,
    doubts: OpenDoubts<'_>,
    (id, reason, now): (RefundId, OperatorReason, Timestamp),
) -> Result<Refund, RefundRefusal> {
    let (charge, _) = refundable(case, OpenDoubts(&doubts.without_unasked_parts()))?;
    let transfer = with_us(transfers, document_number)?;
    let unasked = case.given_back_without(charge, Refund::is_known_to_acquirer);
    // What was given back by hand explains a part of it.
    let by_hand = transfers.iter().filter(|transfer| {
        let mut refunds = case.refunds.iter();
        let is_ours = |refund: &Refund| {
            refund.is_done() && refund.scope == RefundScope::Transfer(transfer.id)
        };
        is_given_back(transfer) && !refunds.any(is_ours)
    });
    let by_hand = Money::sum(by_hand.map(|transfer| transfer.planned.amount));
    let unasked = less(unasked, by_hand.unwrap_or(unasked));
    let amount = transfer.planned.amount;
    if amount > unasked {
        return Err(RefundRefusal::NotGivenBack { unasked });
    }
    let told = case.attempt(charge).and_then(|charge| charge.told.as_ref());
    Ok(Refund {
        id,
        order_id: case.order.id,
        attempt_id: charge,
        scope: RefundScope::Transfer(transfer.id),
        amount,
        reason,
        created_at: now,
        checks: 0,
        stage: RefundStage::Done {
            at: told.map_or(now, |told| told.modified_at),
        },
    })
}

/// Returns the charge of which money may be given back, and what is left of it.
fn refundable(case: &Case, doubts: OpenDoubts<'_>) -> Result<(AttemptId, Money), RefundRefusal> {
    let standing = case.attempts.iter();
    let standing = standing
        .filter(|attempt| attempt.has_standing_charge())
        .count();
    match case.order.status {
        OrderStatus::Paid => {}
        OrderStatus::Refunded if standing > 0 => return Err(RefundRefusal::ChargedAfterRefund),
        OrderStatus::Refunded => return Err(RefundRefusal::GivenBackBefore),
        status => return Err(RefundRefusal::NotPaid(status)),
    }
    if let Some(other) = case.refunds.iter().find(|refund| refund.is_under_way()) {
        return Err(RefundRefusal::UnderWay(other.id));
    }
    if standing > 1 {
        return Err(RefundRefusal::ChargedTwice);
    }
    if let Some(kind) = doubts.first() {
        return Err(RefundRefusal::InDoubt(kind));
    }
    let Some(charge) = case.counting_charge() else {
        return Err(RefundRefusal::NotPaid(case.order.status));
    };
    let done = case.refunds.iter();
    let done = done.filter(|refund| refund.attempt_id == charge.id && refund.is_done());
    // What the acquirer tells counts, and what it has confirmed of ours where that is more.
    let done = Money::sum(done.map(|refund| refund.amount)).unwrap_or(charge.amount);
    Ok((charge.id, less(charge.amount, charge.refunded.max(done))))
}

/// Returns what is to be given back, and how much that is.
fn chosen(
    case: &Case,
    transfers: &[Transfer],
    wish: RefundWish,
    left: Money,
) -> Result<(RefundScope, Money), RefundRefusal> {
    match wish {
        RefundWish::Whole => {
            all_with_us(transfers)?;
            Ok((RefundScope::Whole, left))
        }
        RefundWish::Sum { amount, is_again } => {
            if transfers.is_empty() {
                return Err(RefundRefusal::NotPlanned);
            }
            let is_same = |refund: &Refund| {
                refund.scope == RefundScope::Sum && refund.amount == amount && refund.is_done()
            };
            if !is_again && case.refunds.iter().any(is_same) {
                return Err(RefundRefusal::SameSum);
            }
            Ok((RefundScope::Sum, amount))
        }
        RefundWish::Transfer(number) => {
            let transfer = with_us(transfers, number)?;
            Ok((RefundScope::Transfer(transfer.id), transfer.planned.amount))
        }
    }
}

/// Returns the rest, or nothing where there is none.
fn less(sum: Money, part: Money) -> Money {
    sum.minus(part).unwrap_or(Money::ZERO)
}

/// Returns what recipients are owed or have: the last transfers of all parts, without those that were called off or given back.
fn owed(transfers: &[Transfer], without: Option<TransferId>) -> Money {
    let owed = ends_of_chains(transfers)
        .into_iter()
        .filter(|transfer| Some(transfer.id) != without)
        .filter(|transfer| transfer.status != TransferStatus::CalledOff && !is_given_back(transfer))
        .map(|transfer| transfer.planned.amount);
    Money::sum(owed).unwrap_or(Money::ZERO)
}

fn is_given_back(transfer: &Transfer) -> bool {
    transfer
        .refund
        .is_some_and(|refund| refund.refunded_at.is_some())
}

/// Checks that no recipient has or may get anything.
fn all_with_us(transfers: &[Transfer]) -> Result<(), RefundRefusal> {
    let in_status = |status| -> Vec<i64> {
        ends_of_chains(transfers)
            .into_iter()
            .filter(|transfer| transfer.status == status)
            .map(|transfer| transfer.document_number)
            .collect()
    };
    let (credited, sent) = (
        in_status(TransferStatus::Credited),
        in_status(TransferStatus::Sent),
    );
    if !credited.is_empty() {
        return Err(RefundRefusal::AtTheRecipient(credited));
    }
    if !sent.is_empty() {
        return Err(RefundRefusal::AtTheBank(sent));
    }
    Ok(())
}

/// Returns the transfer with a number, if its money is with the service.
fn with_us(transfers: &[Transfer], number: i64) -> Result<&Transfer, RefundRefusal> {
    let transfer = transfers
        .iter()
        .find(|transfer| transfer.document_number == number)
        .ok_or(RefundRefusal::NoTransfer(number))?;
    let replacement = transfers
        .iter()
        .find(|other| other.replaces == Some(transfer.id));
    if let Some(replacement) = replacement {
        return Err(RefundRefusal::SentAgain(
            number,
            replacement.document_number,
        ));
    }
    match transfer.status {
        _ if is_given_back(transfer) => Err(RefundRefusal::TransferGivenBack(number)),
        TransferStatus::CalledOff => Err(RefundRefusal::TransferGivenBack(number)),
        TransferStatus::Sent => Err(RefundRefusal::AtTheBank(vec![number])),
        TransferStatus::Credited => Err(RefundRefusal::AtTheRecipient(vec![number])),
        TransferStatus::Planned | TransferStatus::Returned => Ok(transfer),
    }
}
