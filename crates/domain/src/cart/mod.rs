//! The cart: items that are not ordered yet, in groups by client.

pub(crate) mod complaint;
pub(crate) mod item;
pub(crate) mod purpose;
pub(crate) mod same_payment;
pub(crate) mod sheet;

use jiff::Timestamp;

use crate::{Client, ItemContent, ItemId, Money, MoneyError, NotarialAct};

/// An item in the cart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartItem {
    /// The id; it stays the same in an order.
    pub id: ItemId,
    /// When it was added.
    pub created_at: Timestamp,
    /// What is paid for.
    pub content: ItemContent,
}

/// The items for one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartGroup {
    /// The client.
    pub client: Client,
    /// The notarial act that the payments are for.
    pub act: NotarialAct,
    /// The items, the oldest first; never empty.
    pub items: Vec<CartItem>,
}

impl CartGroup {
    /// Returns the sum of the items' totals. An order of the group charges this sum.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`].
    pub fn total(&self) -> Result<Money, MoneyError> {
        self.items.iter().try_fold(Money::ZERO, |sum, item| {
            item.content.total().and_then(|total| sum.plus(total))
        })
    }
}

/// Version, size and total of a cart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CartSummary {
    /// Grows with every change and never goes back; 0 before the first change.
    pub version: i64,
    /// The number of items, whatever their counts.
    pub items_count: i64,
    /// The total of all items in kopiykas. It may exceed [`Money::MAX`].
    pub total: i64,
}

impl CartSummary {
    /// Returns the cart with one more item, of this total in kopiykas.
    #[must_use]
    pub const fn with_one_of(self, total: i64) -> CartSummary {
        CartSummary {
            version: self.version + 1,
            items_count: self.items_count + 1,
            total: self.total.saturating_add(total),
        }
    }
}

/// The recorded answer to a request to add an item that carried an idempotency key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartAddition {
    /// Hash of the key.
    pub key_hash: [u8; 32],
    /// Hash of the content of the request.
    pub request_fingerprint: [u8; 32],
    /// The item that was added.
    pub item_id: ItemId,
    /// The number of items in the cart after it.
    pub items_count: i64,
    /// When it was added.
    pub created_at: Timestamp,
}
