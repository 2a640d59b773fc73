//! What a cart can hold.

use cabinet_domain::{CartSummary, Key, Money, NotaryId, OrderItem};
use cabinet_storage::{Tx, cart};

use crate::kernel::refusal::{Refusal, Result};

/// Items a cart holds at most: far more than a day's work, and few enough to be shown at once.
const CART_ITEMS_MAX: i64 = 200;

/// Refuses a cart beyond its limits. Every way to put an item into a cart asks this.
///
/// # Errors
/// `cart_full`, `amount_invalid`.
pub(super) fn check_limits(grown: &CartSummary, field: &'static str) -> Result<()> {
    if grown.items_count > CART_ITEMS_MAX {
        return Err(Refusal::conflict(Key::CartFull).into());
    }
    check_total(grown.total, field)
}

/// Returns the state of the cart after a change, or refuses a total that overflows [`Money`]. The refusal undoes the change.
pub(super) fn checked_standing(
    tx: &mut Tx,
    notary: NotaryId,
    field: &'static str,
) -> Result<CartSummary> {
    let standing = cart::summary(tx, notary)?;
    check_total(standing.total, field)?;
    Ok(standing)
}

/// Refuses where the items of an order have no room in the notary's cart.
///
/// # Errors
/// `cart_full`, `amount_invalid`.
pub(crate) fn check_room_for(tx: &mut Tx, notary: NotaryId, items: &[OrderItem]) -> Result<()> {
    let standing = cart::summary(tx, notary)?;
    let totals: Result<Vec<Money>, _> = items.iter().map(|item| item.content.total()).collect();
    let total = totals.and_then(Money::sum);
    let total = total.map_err(|error| Refusal::conflict(error.key()))?;
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let grown = CartSummary {
        items_count: standing.items_count.saturating_add(count),
        total: standing.total.saturating_add(total.kopiykas()),
        ..standing
    };
    check_limits(&grown, "cart")
}

/// Refuses a total in kopiykas that overflows [`Money`]: a cart with such a total can't be shown.
fn check_total(total: i64, field: &'static str) -> Result<()> {
    match Money::from_kopiykas(total) {
        Ok(_) => Ok(()),
        Err(error) => Err(Refusal::field(field, error.key()).into()),
    }
}
