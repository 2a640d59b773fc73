//! `GET /order/{id}/status`: asks the acquirer for the status of an order.

use axum::extract::{Path, State};
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{OrderStatus, PaymentState, ReturnedPart, returned_part};

pub fn call() -> Call {
    Call::get("/order/{id}/status", handler, |docs| {
        docs.id("orderStatus")
            .tag("orders")
            .summary("Ask where an order stands")
    })
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
    /// Parts that a bank or the Treasury has sent back.
    pub returned: Vec<ReturnedPart>,
}

/// An item's status.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderItemStatus {
    /// The item.
    pub id: String,
    /// Where it stands.
    pub status: OrderStatus,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Path(id): Path<String>,
) -> Result<Json<OrderStatusAnswer>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let view = state.services.orders.status(who.notary, &id).await?;
    let standing = view.order.standing();
    let status = OrderStatus::from(standing.status);
    let items = view
        .items
        .iter()
        .map(|item| OrderItemStatus {
            id: item.id.to_string(),
            status,
        })
        .collect();
    Ok(Json(OrderStatusAnswer {
        status,
        payment_state: standing.payment_state.into(),
        items,
        returned: view
            .returned
            .into_iter()
            .filter_map(returned_part)
            .collect(),
    }))
}
