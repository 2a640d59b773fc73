//! `POST /order/create`.

use axum::extract::State;
use axum::http::HeaderMap;
use cabinet_app::orders::OrderWish;
use cabinet_app::refusal::FieldErrors;

use super::carry_through;
use crate::extract::{SignedIn, ValidJson};
use crate::handlers::fields::{take, take_sum};
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{CreateOrderRequest, OrderCreated, OrderSummary};

/// Makes an order of a cart group and pays it. The `Idempotency-Key` header names this intent to pay: who sends it again with the same
/// key gets the same order.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    headers: HeaderMap,
    ValidJson(body): ValidJson<CreateOrderRequest>,
) -> Result<Json<OrderCreated>, Refusal> {
    state.limits.asking(who.notary)?;
    let mut errors = FieldErrors::new();
    let wish = OrderWish {
        client_id: take(body.client_id, "client_id", &mut errors),
        token_id: take(body.token_id, "token_id", &mut errors),
        pan: take(body.pan, "pan", &mut errors),
        locale: take(body.locale, "locale", &mut errors),
        sum: take_sum(body.sum, "sum", &mut errors),
        // A key that is no text is no key either, and is refused as one that is wrong.
        idempotency_key: headers
            .get("idempotency-key")
            .map(|value| value.to_str().unwrap_or_default().to_owned()),
    };
    let order =
        carry_through(async move { state.app.create_order(who.notary, wish, errors).await })
            .await?;
    Ok(Json(OrderCreated {
        order: OrderSummary::from(&order),
    }))
}

impl From<&cabinet_app::orders::OrderSummary> for OrderSummary {
    fn from(order: &cabinet_app::orders::OrderSummary) -> OrderSummary {
        OrderSummary {
            id: order.id.to_string(),
            number: order.number.to_string(),
            status: order.status.into(),
            payment_state: order.payment_state.into(),
            created_at: order.created_at.into(),
            sum: order.sum.into(),
            widget_url: order.widget_url.clone(),
        }
    }
}
