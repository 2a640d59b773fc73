//! Whether money may be given back to the card. Decided under the order's lock, so that nothing is given back twice.

use jiff::Timestamp;

use super::{Refund, RefundScope, RefundStage, prepared};
use crate::payment::{AlarmKind, Attempt, Case};
use crate::{
    Money, MoneyError, OperatorReason, OrderStatus, RefundId, Transfer, TransferId, TransferStatus,
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

/// What the acquirer gave back without our asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownPart {
    /// A part of the commission.
    Sum(Money),
    /// What the transfer with this document number would have brought.
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

    /// Returns the same without those that leave nothing open at the acquirer: a part that was given back without our asking is what is said,
    /// and where the bank has the money of a transfer is another question. The bank's answer to that is not taken while a refund of the
    /// transfer is under way, so the end of the refund can't wait for it.
    fn at_the_acquirer(self) -> Vec<AlarmKind> {
        let is_other = |kind: &AlarmKind| {
            matches!(
                kind,
                AlarmKind::RefundedInPart | AlarmKind::TransferDisputed
            )
        };
        self.0
            .iter()
            .copied()
            .filter(|kind| !is_other(kind))
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
    /// After a restore, nobody has compared yet which transfers the bank has.
    TransfersNotCompared,
    /// Transfers with these numbers came back before the database was restored, and nobody has compared yet what was done with them since the
    /// copy.
    ReturnedBeforeRestore(Vec<i64>),
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
    /// The acquirer names no refunds, and tells less given back than it told before: what one of ours did could not be told.
    ToldLess {
        /// What it told before.
        known: Money,
        /// What it tells now.
        told: Money,
    },
    /// The acquirer names no refunds, and what it told of them was compared with its cabinet: the sum may be what was made good there by hand.
    MayBeMadeGood,
    /// Another charge of the order was given up without a trace, and whether the acquirer has one after all can't be read now.
    GivenUpChargeUnread,
    /// The acquirer does not know another payment of the order that it once made, which proves nothing before a moment by our clock.
    PaymentUnknown(Timestamp),
    /// The acquirer gave back less than that without being asked by us.
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
    let (charge, left) = refundable(case, transfers, doubts)?;
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
        attempt_id: charge.id,
        scope,
        amount,
        given_back_before: charge.refunded,
        reason,
        created_at: now,
        checks: 0,
        stage: prepared(now),
        absence: None,
    })
}

/// Decides whether a part counts as given back by the acquirer without our asking: in its own cabinet, or by a refund whose row was lost with
/// the database. Returns the refund that says so; nothing is sent to the acquirer.
///
/// Where the acquirer tells only how much went back in all, a refund of ours may be under way beside it. The refund that is returned is that
/// one, now done, if it is for the same transfer or the same sum.
///
/// # Errors
/// The first [`RefundRefusal`] that applies.
pub fn admit_known_refund(
    case: &Case,
    transfers: &[Transfer],
    part: KnownPart,
    doubts: OpenDoubts<'_>,
    (id, reason, now): (RefundId, OperatorReason, Timestamp),
) -> Result<Refund, RefundRefusal> {
    is_paid(case)?;
    let charge = sole_charge(case, OpenDoubts(&doubts.at_the_acquirer()))?;
    let beside = beside(case, charge)?;
    let (scope, amount) = match part {
        KnownPart::Sum(amount) => (RefundScope::Sum, amount),
        KnownPart::Transfer(number) => {
            let transfer = with_us(transfers, number)?;
            (RefundScope::Transfer(transfer.id), transfer.planned.amount)
        }
    };
    let unasked = unasked(case, transfers, charge, beside);
    if amount.is_zero() {
        return Err(RefundRefusal::Zero);
    }
    if amount > unasked {
        return Err(RefundRefusal::NotGivenBack { unasked });
    }
    let told = charge.told.as_ref();
    let stage = RefundStage::Done {
        at: told.map_or(now, |told| told.modified_at),
    };
    if let Some(ours) = beside
        && ours.scope == scope
        && ours.amount == amount
    {
        return Ok(Refund {
            stage,
            ..ours.clone()
        });
    }
    if scope == RefundScope::Sum {
        let free = commission_left(case, transfers, charge)?;
        if amount > free {
            return Err(RefundRefusal::OwedToRecipients { free });
        }
    }
    Ok(Refund {
        id,
        order_id: case.order.id,
        attempt_id: charge.id,
        scope,
        amount,
        given_back_before: charge.refunded.minus(amount).unwrap_or(Money::ZERO),
        reason,
        created_at: now,
        checks: 0,
        stage,
        absence: None,
    })
}

/// Returns the refund of a charge that is under way, where the acquirer tells by the sum alone what became of it.
///
/// # Errors
/// [`RefundRefusal::UnderWay`] where the acquirer names refunds or nothing was sent: then its end is certain by itself.
fn beside<'case>(
    case: &'case Case,
    charge: &Attempt,
) -> Result<Option<&'case Refund>, RefundRefusal> {
    let Some(ours) = case.refunds.iter().find(|refund| refund.is_under_way()) else {
        return Ok(None);
    };
    let is_told_by_sum = ours.attempt_id == charge.id && !charge.acquirer.lists_refunds();
    if is_told_by_sum && ours.is_with_acquirer() {
        Ok(Some(ours))
    } else {
        Err(RefundRefusal::UnderWay(ours.id))
    }
}

/// Returns what was given back of a charge that nothing here explains: since a refund that is under way beside it was begun.
fn unasked(
    case: &Case,
    transfers: &[Transfer],
    charge: &Attempt,
    beside: Option<&Refund>,
) -> Money {
    let all = case.given_back_without(charge.id, Refund::is_done);
    // What was given back by hand explains a part of it.
    let all = less(all, by_hand(case, transfers).unwrap_or(all));
    beside.map_or(all, |ours| {
        all.min(less(charge.refunded, ours.given_back_before))
    })
}

/// Returns what was given back of the charge that pays an order, and what nothing here explains: no refund of ours, and nothing that was recorded.
#[must_use]
pub fn unexplained(case: &Case, transfers: &[Transfer]) -> Money {
    case.counting_charge()
        .map_or(Money::ZERO, |charge| unasked(case, transfers, charge, None))
}

/// Returns what the operator has marked as given back in the acquirer's cabinet: no refund of ours did it.
///
/// # Errors
/// Fails when the sum is too large.
pub fn by_hand(case: &Case, transfers: &[Transfer]) -> Result<Money, MoneyError> {
    let marked = transfers.iter().filter(|transfer| {
        let mut refunds = case.refunds.iter();
        let is_ours = |refund: &Refund| {
            refund.is_done() && refund.scope == RefundScope::Transfer(transfer.id)
        };
        is_given_back(transfer) && !refunds.any(is_ours)
    });
    Money::sum(marked.map(|transfer| transfer.planned.amount))
}

/// Returns what is left of the commission: of the charge without all parts for recipients, those that were given back included.
fn commission_left(
    case: &Case,
    transfers: &[Transfer],
    charge: &Attempt,
) -> Result<Money, RefundRefusal> {
    if transfers.is_empty() {
        return Err(RefundRefusal::NotPlanned);
    }
    let parts = ends_of_chains(transfers).into_iter();
    let parts = Money::sum(parts.map(|transfer| transfer.planned.amount));
    let sums = case.refunds.iter().filter(|refund| {
        refund.attempt_id == charge.id && refund.scope == RefundScope::Sum && refund.is_done()
    });
    let sums = Money::sum(sums.map(|refund| refund.amount));
    let left = less(charge.amount, parts.unwrap_or(charge.amount));
    Ok(less(left, sums.unwrap_or(left)))
}

/// Returns the charge of which money may be given back, and what is left of it. No other refund of the order is under way.
fn refundable<'case>(
    case: &'case Case,
    transfers: &[Transfer],
    doubts: OpenDoubts<'_>,
) -> Result<(&'case Attempt, Money), RefundRefusal> {
    is_paid(case)?;
    if let Some(other) = case.refunds.iter().find(|refund| refund.is_under_way()) {
        return Err(RefundRefusal::UnderWay(other.id));
    }
    let charge = sole_charge(case, doubts)?;
    let done = case.refunds.iter();
    let done = done.filter(|refund| refund.attempt_id == charge.id && refund.is_done());
    // What the acquirer tells counts, or what it has confirmed of ours together with what was marked by hand, where that is more: the
    // acquirer may tell of that later.
    let done = done.map(|refund| refund.amount);
    let by_hand = by_hand(case, transfers).unwrap_or(charge.amount);
    let done = Money::sum(done.chain([by_hand])).unwrap_or(charge.amount);
    Ok((charge, less(charge.amount, charge.refunded.max(done))))
}

/// Checks that the order is paid.
fn is_paid(case: &Case) -> Result<(), RefundRefusal> {
    match case.order.status {
        OrderStatus::Paid => Ok(()),
        OrderStatus::Refunded if standing_charges(case) > 0 => {
            Err(RefundRefusal::ChargedAfterRefund)
        }
        OrderStatus::Refunded => Err(RefundRefusal::GivenBackBefore),
        status => Err(RefundRefusal::NotPaid(status)),
    }
}

fn standing_charges(case: &Case) -> usize {
    let standing = case.attempts.iter();
    standing
        .filter(|attempt| attempt.has_standing_charge())
        .count()
}

/// Returns the charge of a paid order, where it is the only one and no alarm leaves open what was charged or given back.
fn sole_charge<'case>(
    case: &'case Case,
    doubts: OpenDoubts<'_>,
) -> Result<&'case Attempt, RefundRefusal> {
    if standing_charges(case) > 1 {
        return Err(RefundRefusal::ChargedTwice);
    }
    if let Some(kind) = doubts.first() {
        return Err(RefundRefusal::InDoubt(kind));
    }
    case.counting_charge()
        .ok_or(RefundRefusal::NotPaid(case.order.status))
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
            all_compared(transfers, &ends_of_chains(transfers))?;
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
            all_compared(transfers, &[transfer])?;
            Ok((RefundScope::Transfer(transfer.id), transfer.planned.amount))
        }
    }
}

/// Checks that none of the chosen transfers waits, after a restore, for a comparison with what was done since the copy: it may have been sent
/// again or given back.
fn all_compared(transfers: &[Transfer], chosen: &[&Transfer]) -> Result<(), RefundRefusal> {
    let waiting: Vec<i64> = chosen
        .iter()
        .filter(|transfer| !is_given_back(transfer) && waits_for_comparison(transfers, transfer))
        .map(|transfer| transfer.document_number)
        .collect();
    if waiting.is_empty() {
        Ok(())
    } else {
        Err(RefundRefusal::ReturnedBeforeRestore(waiting))
    }
}

/// Whether a transfer is held because it came back before a restore, or because it sends such a one again.
fn waits_for_comparison(transfers: &[Transfer], transfer: &Transfer) -> bool {
    let is_held_return =
        |one: &Transfer| one.status == TransferStatus::Returned && one.held_at.is_some();
    let sends_one_again = transfers
        .iter()
        .any(|one| Some(one.id) == transfer.replaces && is_held_return(one));
    is_held_return(transfer) || (transfer.held_at.is_some() && sends_one_again)
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
    let credited = in_status(TransferStatus::Credited);
    let mut sent = in_status(TransferStatus::Sent);
    sent.extend(in_status(TransferStatus::Disputed));
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
        TransferStatus::Sent | TransferStatus::Disputed => {
            Err(RefundRefusal::AtTheBank(vec![number]))
        }
        TransferStatus::Credited => Err(RefundRefusal::AtTheRecipient(vec![number])),
        TransferStatus::Planned | TransferStatus::Returned => Ok(transfer),
    }
}
