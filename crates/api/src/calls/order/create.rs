//! `POST /order/create`: creates an order from a cart group and pays it.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::order::OrderRequest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::carry_through::carry_through;
use crate::http::extract::{Bearer, IdempotencyKey, ValidJson};
use crate::http::fields::{take, take_sum};
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, Hryvnias, NumberText, OrderSummary};

pub fn call() -> Call {
    Call::post("/order/create", handler, |docs| {
        docs.id("orderCreate")
            .tag("orders")
            .summary("Make an order of a cart group and pay it")
    })
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
    /// What the order charges: the `amount` of the cart's group, with commissions, as the screen showed it. Where it differs
    /// from the server's, nothing is ordered.
    #[serde(default)]
    pub sum: Given<NumberText<Hryvnias>>,
}

/// `POST /order/create`: the order exists.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderCreated {
    /// The order.
    pub order: OrderSummary,
}

/// Creates an order from a cart group and pays it. A repeated request with the same `Idempotency-Key` returns the same order.
async fn handler(
    State(state): State<ApiState>,
    bearer: Bearer,
    origin: RequestOrigin,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    ValidJson(body): ValidJson<CreateOrderRequest>,
) -> Result<Json<OrderCreated>, Refusal> {
    let signer = bearer.signer();
    state.limits.count_acquirer_call(signer.notary)?;
    let mut errors = FieldErrors::new();
    let request = OrderRequest {
        client_id: take(body.client_id, "client_id", &mut errors),
        token_id: take(body.token_id, "token_id", &mut errors),
        pan: take(body.pan, "pan", &mut errors),
        locale: take(body.locale, "locale", &mut errors),
        sum: take_sum(body.sum, "sum", &mut errors),
        idempotency_key,
    };
    let order = carry_through(async move {
        state
            .services
            .orders
            .create(signer, request, errors, origin.by_notary(signer.notary))
            .await
    })
    .await?;
    Ok(Json(OrderCreated {
        order: OrderSummary::from(&order),
    }))
}
