//! `POST /order/{id}/pay`: charges a saved card for an order that was not paid.

use axum::extract::{Path, State};
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::order::PayAgainRequest;
use schemars::JsonSchema;
use serde::Deserialize;

use super::create::OrderCreated;
use crate::call::Call;
use crate::http::carry_through::carry_through;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, OrderSummary};

pub fn call() -> Call {
    Call::post("/order/{id}/pay", handler, |docs| {
        docs.id("orderPayAgain")
            .tag("orders")
            .summary("Charge a saved card for an order that was not paid")
    })
}

/// `POST /order/{id}/pay`.
#[derive(Deserialize, JsonSchema)]
pub struct PayOrderRequest {
    /// A saved card's `Token`.
    #[serde(default)]
    pub token_id: Given<String>,
    /// The saved card's `MaskPan`, checked against the token's own. Never a full number.
    #[serde(default)]
    pub pan: Given<String>,
}

/// Charges a saved card, unless an earlier attempt may still take money: such an order is refused with `payment_outcome_unknown`. A
/// page that the acquirer does not close is returned as `widget_url`, and nothing is charged.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Path(id): Path<String>,
    ValidJson(body): ValidJson<PayOrderRequest>,
) -> Result<Json<OrderCreated>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let mut errors = FieldErrors::new();
    let request = PayAgainRequest {
        token_id: take(body.token_id, "token_id", &mut errors),
        pan: take(body.pan, "pan", &mut errors),
    };
    let order = carry_through(async move {
        state
            .services
            .orders
            .pay_again(who.signer(), &id, request, errors, origin.by(who))
            .await
    })
    .await?;
    Ok(Json(OrderCreated {
        order: OrderSummary::from(&order),
    }))
}
