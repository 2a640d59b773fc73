//! Orders: what was paid, is being paid or could not be paid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::refusal::MessageKey;

use super::{
    Chosen, ChosenRequisite, ChosenTerm, Client, Given, Hryvnias, Moment, NumberText, PaymentType,
    Region,
};

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrderStatus {
    /// Being created or handed to the acquirer; its outcome may be unknown.
    InProgress,
    /// Waits for the payer or the bank.
    Pending,
    /// Paid.
    Paid,
    /// Not paid; no money was taken.
    Failed,
    /// Nobody paid in time.
    Expired,
    /// Paid and given back.
    Refunded,
}

/// Where the payment of an order stands, in more detail than its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaymentState {
    /// `failed`: the acquirer certainly received nothing. The order can be paid again at once.
    NotSent,
    /// `in_progress`: the outcome is not known. Nobody may pay again.
    Unknown,
    /// `pending`: a page waits for the payer, or the bank is at work.
    Waiting,
    /// `failed`: the last card was declined. The bank's page is still open and may be paid with another card.
    DeclinedPageOpen,
    /// `failed`: declined or refused; nothing more can come of it.
    Declined,
    /// `expired`.
    Expired,
    /// `paid`.
    Paid,
    /// `refunded`.
    Refunded,
    /// Any status but `paid`: a person looks into the order's money. Nobody may pay, and nobody may say that none was taken.
    UnderReview,
}

/// `POST /order/create`.
#[derive(Deserialize, JsonSchema)]
pub struct CreateOrderRequest {
    /// The cart group: the id of its client.
    #[serde(default)]
    pub client_id: Given<String>,
    /// A saved card's `Token`; absent: the acquirer's page.
    #[serde(default)]
    pub token_id: Given<String>,
    /// The saved card's `MaskPan`, checked against the token's own. Never a full number.
    #[serde(default)]
    pub pan: Given<String>,
    /// `uk` or `en`.
    #[serde(default)]
    pub locale: Given<String>,
    /// The group's amount as the screen showed it; where it differs from the server's, nothing is ordered.
    #[serde(default)]
    pub sum: Given<NumberText<Hryvnias>>,
}

/// `POST /order/create`: the order exists.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderCreated {
    /// The order.
    pub order: OrderSummary,
}

/// What the browser needs to go on with an order.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OrderSummary {
    /// Opaque.
    pub id: String,
    /// A short number that a person can say.
    pub number: String,
    /// `in_progress` when the acquirer's answer is not known yet.
    pub status: OrderStatus,
    /// Where its payment stands.
    pub payment_state: PaymentState,
    /// When it was created.
    pub created_at: Moment,
    /// What is charged.
    pub sum: Hryvnias,
    /// Where to pay or to confirm; null where there is nothing to open.
    pub widget_url: Option<String>,
}

/// Query of `GET /order`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OrdersQuery {
    /// How many at most: 1 to 100, 50 without it.
    #[schemars(with = "Option<u32>")]
    pub limit: Option<String>,
    /// `next` of the page before.
    pub before: Option<String>,
    /// Only orders of this status.
    #[schemars(with = "Option<OrderStatus>")]
    pub status: Option<String>,
    /// Only orders created on or after this day (Kyiv), `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Only orders created on or before this day (Kyiv), `YYYY-MM-DD`.
    pub to: Option<String>,
}

/// `POST /order/search`: as `GET /order`, with a text that must not stand in an address.
#[derive(Deserialize, JsonSchema)]
pub struct SearchOrdersRequest {
    /// Part of a client's name or code, or an order's number.
    #[serde(default)]
    pub text: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    pub limit: Given<NumberText<i64>>,
    /// As in `GET /order`.
    #[serde(default)]
    pub before: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    #[schemars(with = "Option<OrderStatus>")]
    pub status: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    pub from: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    pub to: Given<String>,
}

/// `POST /order/export`: the filter of `POST /order/search`, of which all is wanted.
#[derive(Deserialize, JsonSchema)]
pub struct ExportOrdersRequest {
    /// Part of a client's name or code, or an order's number.
    #[serde(default)]
    pub text: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    #[schemars(with = "Option<OrderStatus>")]
    pub status: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    pub from: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    pub to: Given<String>,
}

/// `GET /order`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Orders {
    /// Newest first.
    pub orders: Vec<Order>,
    /// Give it as `before` for the next page; null on the last.
    pub next: Option<String>,
}

/// `GET /order/{id}`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderAnswer {
    /// The order.
    pub order: Order,
}

/// Query of `GET /order/{id}`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OrderQuery {
    /// 1: the acquirer is asked first; 0 or nothing: not.
    #[schemars(with = "Option<u8>")]
    pub update_status: Option<String>,
}

/// An order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Order {
    /// Opaque.
    pub id: String,
    /// A short number that a person can say.
    pub number: String,
    /// Where it stands.
    pub status: OrderStatus,
    /// Where its payment stands.
    pub payment_state: PaymentState,
    /// When it was created.
    pub created_at: Moment,
    /// When it was paid; null before.
    pub paid_at: Option<Moment>,
    /// For whom was paid.
    pub client: Client,
    /// What is charged: the sum of the items' `sum_total`.
    pub sum: Hryvnias,
    /// Where to pay; null where there is nothing to open.
    pub widget_url: Option<String>,
    /// The card, masked as the acquirer masks it; null before a payment.
    pub pan: Option<String>,
    /// Why it was not paid; null where nothing failed.
    pub failure: Option<MessageKey>,
    /// In the order of the cart.
    pub items: Vec<OrderItem>,
}

/// A payment of an order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderItem {
    /// Opaque; the same as in the cart.
    pub id: String,
    /// When it was added to the cart.
    pub created_at: Moment,
    /// Where it stands: as its order.
    pub status: OrderStatus,
    /// Kind.
    pub payment_type: PaymentType,
    /// Service, where the kind has one.
    pub payment_type_option: Option<Chosen>,
    /// Term, where the kind has one.
    pub payment_type_option_term: Option<ChosenTerm>,
    /// Recipient from the server's data, where the kind has one.
    pub payment_type_requisite: Option<ChosenRequisite>,
    /// `requisites_payment`: the recipient.
    pub recipient_name: Option<String>,
    /// The notary's own account (`admin_payment`) or the recipient's (`requisites_payment`).
    pub iban: Option<String>,
    /// The code that belongs to `iban`.
    pub okpo: Option<String>,
    /// Purpose of the payment.
    pub purpose: String,
    /// How many units.
    pub count: i64,
    /// What the recipient gets for one unit.
    pub sum_base: Hryvnias,
    /// Commission for one unit.
    pub commission: Hryvnias,
    /// `sum_base` + `commission`.
    pub sum_full: Hryvnias,
    /// `sum_full` × `count`.
    pub sum_total: Hryvnias,
}

/// `GET /order/{id}/status`: the acquirer was asked where money may still come.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderStatusAnswer {
    /// The order's.
    pub status: OrderStatus,
    /// Where its payment stands.
    pub payment_state: PaymentState,
    /// Each item's.
    pub items: Vec<OrderItemStatus>,
}

/// An item's status.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderItemStatus {
    /// The item.
    pub id: String,
    /// Where it stands.
    pub status: OrderStatus,
}

/// `GET /order/{id}/update/pay-link`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PayLink {
    /// A link that can be paid now.
    pub widget_url: String,
}

/// `GET /order/token/get-all-tokens-by-phone`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SavedCards {
    /// The notary's own saved cards.
    pub tokens: Vec<SavedCard>,
}

/// A saved card, named as the specification names it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SavedCard {
    /// Goes to `POST /order/create` as `token_id`.
    #[serde(rename = "Token")]
    pub token: String,
    /// Masked number; goes along as `pan`.
    #[serde(rename = "MaskPan")]
    pub mask_pan: String,
}

/// Which receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptType {
    /// Of the payment itself: recipient is the Treasury, the register or the notary.
    Payment,
    /// Of the service's own commission.
    Commission,
}

/// Query of the receipts.
#[derive(Deserialize, JsonSchema)]
pub struct ReceiptQuery {
    /// Which receipt; the payment receipt without it.
    #[serde(default)]
    #[schemars(with = "Option<ReceiptType>")]
    pub receipt_type: Option<String>,
}

/// `GET /order/item/{id}/repeat`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Repeat {
    /// The item as it was paid.
    pub order_item: RepeatItem,
    /// What of it is still to be had today.
    pub payment_data: RepeatData,
}

/// The earlier item and its client.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepeatItem {
    /// The item.
    #[serde(flatten)]
    pub item: OrderItem,
    /// The budget code, where there was one.
    pub cbc_code: Option<String>,
    /// The template it was filled from, where it is still valid.
    pub requisites_template: Option<String>,
    /// Its order.
    pub order: RepeatOrder,
}

/// The order of an earlier item.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepeatOrder {
    /// Opaque.
    pub id: String,
    /// For whom was paid.
    pub client: Client,
}

/// The choices of an earlier item, each null where it is no longer offered.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RepeatData {
    /// Kind.
    pub payment_type: PaymentType,
    /// Service.
    pub payment_type_option: Option<Chosen>,
    /// Region.
    pub payment_type_region: Option<Region>,
    /// Recipient.
    pub payment_type_requisite: Option<ChosenRequisite>,
    /// Term.
    pub payment_type_option_term: Option<ChosenTerm>,
    /// True where a price or an account differs from what was paid then.
    pub changed: bool,
}

/// `GET /tokenization/cards`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CardsFrame {
    /// The frame to embed.
    pub cards: CardsFrameUrl,
}

/// Where the frame is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CardsFrameUrl {
    /// Good once and for a short while.
    pub url: String,
}

/// Query of `GET /tokenization/cards`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CardsFrameQuery {
    /// `uk` or `en`.
    pub language: Option<String>,
}
