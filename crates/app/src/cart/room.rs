//! What a cart can hold.

use cabinet_domain::{Money, NotaryId};
use cabinet_storage::cart::Standing;
use cabinet_storage::orders::OrderItem;
use cabinet_storage::{Tx, cart};

use super::edit::must_hold;
use crate::refusal::{Outcome, Refusal};

/// Refuses where the items of an order have no room in the notary's cart: too many items, or a total that is no sum.
///
/// # Errors
/// `cart_full`, `amount_invalid`, or the database's failure.
pub(crate) fn must_have_room(tx: &mut Tx, notary: NotaryId, items: &[OrderItem]) -> Outcome<()> {
    let standing = cart::standing(tx, notary)?;
    let totals: Result<Vec<Money>, _> = items.iter().map(|item| item.content.total()).collect();
    let total = totals.and_then(Money::sum);
    let total = total.map_err(|error| Refusal::conflict(error.key()))?;
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let grown = Standing {
        items_count: standing.items_count.saturating_add(count),
        total: standing.total.saturating_add(total.kopiykas()),
        ..standing
    };
    must_hold(&grown, "cart")
}
