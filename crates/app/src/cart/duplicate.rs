//! A payment that is there already is added only when it is wanted twice.

use cabinet_domain::{
    Inn, ItemContent, Key, KnownPayment, MoneyError, NotaryId, PersonName, SAME_PAYMENT_WITHIN,
    is_same_payment,
};
use cabinet_storage::Tx;
use cabinet_storage::cart::known_payments;
use cabinet_storage::order::orders;
use jiff::Timestamp;

use crate::cart::duplicate_payment::{ComparedPayment, DuplicatePayment};
use crate::kernel::refusal::{AppError, Detail, Refusal, Result};
use crate::order::summary::OrderSummary;

/// Refuses a payment of a client that the notary has in the cart or in an order of the last 24 hours. In the unit of work that adds it:
/// of two windows at once, one is asked.
///
/// # Errors
/// `payment_duplicate` with both payments.
pub(super) fn refuse_duplicate(
    tx: &mut Tx,
    notary: NotaryId,
    (inn, full_name): (&Inn, &PersonName),
    wanted: &ItemContent,
    now: Timestamp,
) -> Result<()> {
    let known = known_payments::of_client(tx, notary, inn, now - SAME_PAYMENT_WITHIN)?;
    let is_same = |known: &KnownPayment| is_same_payment((inn, wanted), (inn, &known.content));
    let Some(earlier) = known.into_iter().find(is_same) else {
        return Ok(());
    };
    let order = match earlier.order {
        Some(order) => orders::order_of(tx, notary, order)?,
        None => None,
    };
    let broken = |error: MoneyError| AppError::Broken(format!("an item has no sum: {error}"));
    let duplicate = DuplicatePayment {
        earlier: ComparedPayment::of(earlier.full_name, &earlier.content).map_err(broken)?,
        item: earlier.item,
        added_at: earlier.added_at,
        order: order.as_ref().map(OrderSummary::from),
        wanted: ComparedPayment::of(full_name.clone(), wanted).map_err(broken)?,
    };
    let refusal = Refusal::conflict(Key::PaymentDuplicate);
    Err(refusal.with(Detail::Duplicate(Box::new(duplicate))).into())
}
