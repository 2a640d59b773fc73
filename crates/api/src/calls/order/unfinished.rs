//! `GET /order/unfinished`: orders that still want something of the notary.

use axum::extract::State;
use cabinet_app::order::UnfinishedOrder as Unfinished;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Hryvnias, Moment, OrderStatus, PaymentState};

pub fn call() -> Call {
    Call::get("/order/unfinished", handler, |docs| {
        docs.id("unfinishedOrders")
            .tag("orders")
            .summary("Orders that wait for the payer or were not paid, newest first")
    })
}

/// `GET /order/unfinished`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UnfinishedOrders {
    /// At most 50: those that wait for the payer, and those of the last seven days that were not paid and not given up.
    pub orders: Vec<UnfinishedOrder>,
}

/// An order that is neither paid nor given up.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UnfinishedOrder {
    /// Opaque.
    pub id: String,
    /// A short number that a person can say.
    pub number: String,
    /// The full name of the client.
    pub client_full_name: String,
    /// `pending`, `failed` or `expired`.
    pub status: OrderStatus,
    /// Where its payment stands.
    pub payment_state: PaymentState,
    /// What is charged, with commissions.
    pub sum: Hryvnias,
    /// Until when it can be paid without the notary: the end of its payment page, or of the link that its client has; null where neither is known.
    pub open_until: Option<Moment>,
}

impl From<Unfinished> for UnfinishedOrder {
    fn from(order: Unfinished) -> UnfinishedOrder {
        UnfinishedOrder {
            id: order.id.to_string(),
            number: order.number.to_string(),
            client_full_name: order.client.as_str().to_owned(),
            status: order.status.into(),
            payment_state: order.payment_state.into(),
            sum: order.sum.into(),
            open_until: order.open_until.map(Moment),
        }
    }
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<UnfinishedOrders>, Refusal> {
    let orders = state.services.orders.unfinished(who.notary).await?;
    Ok(Json(UnfinishedOrders {
        orders: orders.into_iter().map(UnfinishedOrder::from).collect(),
    }))
}
