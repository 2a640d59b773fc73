//! Where an order stands, in short.

use cabinet_domain::payment::PaymentState;
use cabinet_domain::{Money, Order, OrderId, OrderStatus};
use jiff::Timestamp;

/// What the browser needs to go on with an order.
#[derive(Clone, Debug)]
pub struct OrderSummary {
    /// The order.
    pub id: OrderId,
    /// Its short number.
    pub number: i64,
    /// Where it stands.
    pub status: OrderStatus,
    /// Where its payment stands.
    pub payment_state: PaymentState,
    /// When it was created.
    pub created_at: Timestamp,
    /// What is charged.
    pub sum: Money,
    /// Where to pay or to confirm.
    pub widget_url: Option<String>,
}

impl From<&Order> for OrderSummary {
    fn from(order: &Order) -> OrderSummary {
        OrderSummary {
            id: order.id,
            number: order.number,
            status: order.status,
            payment_state: order.payment_state,
            created_at: order.created_at,
            sum: order.sum,
            widget_url: order.widget_url.clone(),
        }
    }
}
