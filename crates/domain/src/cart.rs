//! The cart: items that are not ordered yet, in groups by client.

use jiff::Timestamp;

use crate::{Client, ItemContent, ItemId, Money, MoneyError};

/// An item in the cart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartItem {
    /// Names the item; it keeps the name in an order.
    pub id: ItemId,
    /// When it was added.
    pub created_at: Timestamp,
    /// What it is.
    pub content: ItemContent,
}

/// The items for one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartGroup {
    /// The client.
    pub client: Client,
    /// The items, the oldest first; never empty.
    pub items: Vec<CartItem>,
}

impl CartGroup {
    /// Returns what the group costs: the sum of its items' totals. This is what an order of the group charges.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`].
    pub fn total(&self) -> Result<Money, MoneyError> {
        self.items.iter().try_fold(Money::ZERO, |sum, item| {
            item.content.total().and_then(|total| sum.plus(total))
        })
    }
}

/// What a cart amounts to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CartSummary {
    /// Grows with every change and never goes back; 0 before the first change.
    pub version: i64,
    /// Rows: not units, rows.
    pub items_count: i64,
    /// What all items cost together, in kopiykas: a plain number, for it may be more than a sum can be.
    pub total: i64,
}

/// What a request to add that carried a key was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartAddition {
    /// Hash of the key.
    pub key_hash: [u8; 32],
    /// Hash of what was asked for.
    pub request_fingerprint: [u8; 32],
    /// The item that was added.
    pub item_id: ItemId,
    /// Rows in the cart then.
    pub items_count: i64,
    /// When it was added.
    pub created_at: Timestamp,
}
