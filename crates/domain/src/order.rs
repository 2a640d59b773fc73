//! Orders: the items of one client, paid at once; their statuses and the one table of steps between them.
//!
//! Readings, "Statuses". Which status an order has follows from the facts of its payments ([`crate::payment::settle`]);
//! this table says which steps there are, and every stored step is guarded by it.

use std::fmt;

use jiff::Timestamp;

use crate::payment::PaymentState;
use crate::words::words;
use crate::{
    CardMask, Client, ClientId, EventId, ItemContent, ItemId, Key, Locale, MaskedCard, Money,
    NotaryId, OrderId,
};

words! {
    /// The status of an order or of an item in it.
    OrderStatus {
        /// Being created or handed to the acquirer. A payment that was asked for and not answered stays here.
        InProgress = "in_progress",
        /// Waiting for the payer or the bank.
        Pending = "pending",
        /// Paid.
        Paid = "paid",
        /// Declined or refused; this try took no money.
        Failed = "failed",
        /// Not paid in time, or its items went back to the cart.
        Expired = "expired",
        /// Paid, and given back.
        Refunded = "refunded",
    }
}

impl OrderStatus {
    /// Whether nothing more is expected of the acquirer. A later report may still come, and is heard.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::InProgress | Self::Pending)
    }

    /// Whether the money came, also where it was given back later.
    #[must_use]
    pub const fn has_money(self) -> bool {
        matches!(self, Self::Paid | Self::Refunded)
    }

    /// The table: whether an order in this status may take the other one. Money that came is only left by a refund, and
    /// a refund only where it turns out that another charge counts.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Paid, next) => matches!(next, Self::Refunded),
            (Self::Refunded, next) => matches!(next, Self::Paid),
            (Self::InProgress, next) => !matches!(next, Self::InProgress),
            (Self::Pending, next) => !matches!(next, Self::Pending),
            // A fresh way to pay, another card on the same page, money that came late, and the end of the page's time.
            (Self::Failed, next) => !matches!(next, Self::Failed),
            (Self::Expired, next) => !matches!(next, Self::Expired),
        }
    }
}

words! {
    /// How an order is paid.
    PaymentMethod {
        /// On the acquirer's page.
        CardPage = "card_page",
        /// By a card saved with the acquirer.
        SavedCard = "saved_card",
    }
}

/// An order.
#[derive(Clone, PartialEq, Eq)]
pub struct Order {
    /// Names the order.
    pub id: OrderId,
    /// The short number that a person can say.
    pub number: i64,
    /// Whose order it is.
    pub notary_id: NotaryId,
    /// For whom is paid.
    pub client: Client,
    /// Where it stands.
    pub status: OrderStatus,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its status last changed.
    pub updated_at: Timestamp,
    /// When it was first heard to be paid.
    pub paid_at: Option<Timestamp>,
    /// What is charged: the sum of the items' totals.
    pub sum: Money,
    /// The language it was made in.
    pub locale: Locale,
    /// How it is paid.
    pub method: PaymentMethod,
    /// The card, masked.
    pub pan: Option<CardMask>,
    /// The key of the request that made it.
    pub idempotency_key: String,
    /// Digest of the content of that request.
    pub request_fingerprint: [u8; 32],
    /// Where to pay or to confirm; `None` where there is nothing to open.
    pub widget_url: Option<String>,
    /// Why it was not paid.
    pub failure: Option<Key>,
    /// Where its payment stands, in more detail than the status.
    pub payment_state: PaymentState,
    /// When its items went back to the cart; it can't be paid any more then.
    pub returned_to_cart_at: Option<Timestamp>,
}

/// Hides the link to pay, the key and the client.
impl fmt::Debug for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Order")
            .field("id", &self.id)
            .field("number", &self.number)
            .field("status", &self.status)
            .field("sum", &self.sum)
            .field("updated_at", &self.updated_at)
            .finish_non_exhaustive()
    }
}

/// An item of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderItem {
    /// Names the item; the same as in the cart.
    pub id: ItemId,
    /// The order.
    pub order_id: OrderId,
    /// Place in the order, from 1.
    pub position: i64,
    /// When it was added to the cart.
    pub created_at: Timestamp,
    /// What it is.
    pub content: ItemContent,
}

/// An order to be made out of a group of the cart.
#[derive(Clone)]
pub struct NewOrder {
    /// Names the order.
    pub id: OrderId,
    /// Whose order it is.
    pub notary_id: NotaryId,
    /// The group.
    pub client_id: ClientId,
    /// When it is made.
    pub created_at: Timestamp,
    /// What is charged: the group's total ([`crate::CartGroup::total`]).
    pub sum: Money,
    /// The language it is made in.
    pub locale: Locale,
    /// How it is paid.
    pub method: PaymentMethod,
    /// The saved card.
    pub pan: Option<MaskedCard>,
    /// The key of the request.
    pub idempotency_key: String,
    /// Digest of the content of the request.
    pub request_fingerprint: [u8; 32],
}

/// Hides the key.
impl fmt::Debug for NewOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewOrder")
            .field("id", &self.id)
            .field("method", &self.method)
            .finish_non_exhaustive()
    }
}

/// Something that happened to an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderHistoryEvent {
    /// Names the event.
    pub id: EventId,
    /// The order.
    pub order_id: OrderId,
    /// When.
    pub at: Timestamp,
    /// What: the name of a step, or of something else worth keeping.
    pub kind: String,
    /// The status before; `None` for the first event of an order.
    pub from_status: Option<OrderStatus>,
    /// The status after, where it changed.
    pub to_status: Option<OrderStatus>,
    /// What a person who looks after the service should know. No personal data.
    pub detail: Option<String>,
}
