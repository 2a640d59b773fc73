//! The limits of what an account may order and pay (decision 26).

use std::time::Duration;

use cabinet_domain::{AccountLimits, Iban, Key, Money, Notary, OrderId};
use cabinet_storage::order::orders;
use cabinet_storage::payment::attempts;
use cabinet_storage::transfer::transfers;
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};

use crate::kernel::refusal::{Refusal, RefusalKind};

/// Sums are added up over so long.
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// Declined cards are counted for so long.
const HOUR: SignedDuration = SignedDuration::from_hours(1);
/// The most declined cards of one order that count for its account: whoever holds a client's link must not stop the other payments.
const COUNTED_OF_ORDER: i64 = 2;
/// The most declined cards of one order within an hour, unless its account has fewer.
const OF_ORDER_MAX: i64 = 10;

/// Returns why a payment of an order may not be begun now; without an id, of one that is not stored yet. `None`: it may.
pub(crate) fn refusal_by_limits(
    tx: &mut Tx,
    notary: &Notary,
    limits: &AccountLimits,
    (order, sum): (Option<OrderId>, Money),
    now: Timestamp,
) -> Result<Option<Refusal>, StorageError> {
    let most = limits.declines_max(notary.created_at, now);
    if let Some(wait) = wait_after_declines(tx, notary, order, most, now)? {
        let kind = RefusalKind::TooMany(wait);
        return Ok(Some(Refusal::new(kind, Key::TooManyDeclines)));
    }
    refusal_by_sum(tx, notary, limits, (order, sum), now)
}

/// Returns why an order may not be paid in any way now, also by QR codes: a young account has ordered too much within a day. `None`: it may.
pub(crate) fn refusal_by_sum(
    tx: &mut Tx,
    notary: &Notary,
    limits: &AccountLimits,
    (order, sum): (Option<OrderId>, Money),
    now: Timestamp,
) -> Result<Option<Refusal>, StorageError> {
    if !limits.is_young(notary.created_at, now) {
        return Ok(None);
    }
    let before = orders::sum_begun_since(tx, notary.id, now - DAY, order)?;
    let fits = before
        .plus(sum)
        .is_ok_and(|sum| sum <= limits.young_daily_sum_max);
    Ok((!fits).then(|| Refusal::conflict(Key::DailySumExceeded)))
}

/// Whether a transfer of an account waits for the operator: the account is young, and the transfer is large, alone or with what all young
/// accounts have sent to the same recipient within a day. The treasury is not added up, and neither are recipients of the tables: no
/// stranger has an account there.
pub(crate) fn is_held(
    tx: &mut Tx,
    limits: &AccountLimits,
    (made_at, at): (Timestamp, Timestamp),
    (recipient, amount): (&Iban, Money),
    is_of_tables: bool,
) -> Result<bool, StorageError> {
    if !limits.is_young(made_at, at) || limits.holds(made_at, at, amount) {
        return Ok(limits.holds(made_at, at, amount));
    }
    if is_of_tables || recipient.is_treasury() {
        return Ok(false);
    }
    let young = at - limits.young_for;
    let before = transfers::sum_of_young(tx, recipient, (at - DAY, young))?;
    // A sum beyond all money is large.
    let all = before.plus(amount);
    Ok(all.map_or(true, |all| limits.holds(made_at, at, all)))
}

/// Returns how long to wait until an order may be paid after the declined cards of its account, of which there may be `most`, and its
/// own. `None`: it may now.
fn wait_after_declines(
    tx: &mut Tx,
    notary: &Notary,
    order: Option<OrderId>,
    most: i64,
    now: Timestamp,
) -> Result<Option<Duration>, StorageError> {
    let since = now - HOUR;
    let of_account = attempts::declines_since(tx, notary.id, since, COUNTED_OF_ORDER, most)?;
    let most_of_order = most.min(OF_ORDER_MAX);
    let of_order = match order {
        Some(order) => attempts::declines_of_order(tx, order, since, most_of_order)?,
        None => Vec::new(),
    };
    let waits = [
        wait_until_fewer(&of_account, most, now),
        wait_until_fewer(&of_order, most_of_order, now),
    ];
    Ok(waits.into_iter().flatten().max())
}

/// Returns how long to wait until there are fewer than `most` declined cards; `declines` are the latest of them, the latest first.
/// `None`: there are fewer now.
fn wait_until_fewer(declines: &[Timestamp], most: i64, now: Timestamp) -> Option<Duration> {
    let first = *declines.last()?;
    if i64::try_from(declines.len()).is_ok_and(|count| count < most) {
        return None;
    }
    // Whole seconds, the last one begun counts.
    let wait = (first + HOUR).duration_since(now).as_secs() + 1;
    Some(Duration::from_secs(u64::try_from(wait).unwrap_or(1)))
}
