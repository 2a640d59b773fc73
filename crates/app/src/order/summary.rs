//! Where an order stands, in short.

use cabinet_domain::payment::{OrderFacts, PaymentState};
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
    /// Address of the acquirer's page where the order is paid or confirmed.
    pub payment_page_url: Option<String>,
}

impl OrderSummary {
    /// Returns where a new order stands after a settlement: nobody was given QR codes of it.
    pub(crate) fn settled(order: &Order, facts: &OrderFacts) -> OrderSummary {
        OrderSummary {
            status: facts.status,
            payment_state: facts.payment_state,
            payment_page_url: facts.payment_page_url.clone(),
            ..OrderSummary::from(order)
        }
    }
}

impl From<&Order> for OrderSummary {
    fn from(order: &Order) -> OrderSummary {
        let standing = order.standing();
        OrderSummary {
            id: order.id,
            number: order.number,
            status: standing.status,
            payment_state: standing.payment_state,
            created_at: order.created_at,
            sum: order.sum,
            payment_page_url: order.payment_page_url.clone(),
        }
    }
}
