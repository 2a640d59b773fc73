//! Status of an order and of its payment on the wire.

use cabinet_app::order::OrderSummary as OrderView;
use cabinet_domain::OrderStatus as DomainStatus;
use cabinet_domain::payment::PaymentState as DomainPaymentState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::moment::Moment;
use super::sums::Hryvnias;

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
    /// What is charged, with commissions.
    pub sum: Hryvnias,
    /// Where to pay or to confirm; null where there is nothing to open.
    pub widget_url: Option<String>,
}

impl From<DomainStatus> for OrderStatus {
    fn from(status: DomainStatus) -> OrderStatus {
        match status {
            DomainStatus::InProgress => OrderStatus::InProgress,
            DomainStatus::Pending => OrderStatus::Pending,
            DomainStatus::Paid => OrderStatus::Paid,
            DomainStatus::Failed => OrderStatus::Failed,
            DomainStatus::Expired => OrderStatus::Expired,
            DomainStatus::Refunded => OrderStatus::Refunded,
        }
    }
}

impl From<DomainPaymentState> for PaymentState {
    fn from(state: DomainPaymentState) -> PaymentState {
        match state {
            DomainPaymentState::NotSent => PaymentState::NotSent,
            DomainPaymentState::Unknown => PaymentState::Unknown,
            DomainPaymentState::Waiting => PaymentState::Waiting,
            DomainPaymentState::DeclinedPageOpen => PaymentState::DeclinedPageOpen,
            DomainPaymentState::Declined => PaymentState::Declined,
            DomainPaymentState::Expired => PaymentState::Expired,
            DomainPaymentState::Paid => PaymentState::Paid,
            DomainPaymentState::Refunded => PaymentState::Refunded,
            DomainPaymentState::UnderReview => PaymentState::UnderReview,
        }
    }
}

impl From<&OrderView> for OrderSummary {
    fn from(order: &OrderView) -> OrderSummary {
        OrderSummary {
            id: order.id.to_string(),
            number: order.number.to_string(),
            status: order.status.into(),
            payment_state: order.payment_state.into(),
            created_at: order.created_at.into(),
            sum: order.sum.into(),
            widget_url: order.payment_page_url.clone(),
        }
    }
}
