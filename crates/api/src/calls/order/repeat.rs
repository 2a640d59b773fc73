//! `POST /order/{id}/repeat`: all payments of an earlier order go into the cart again.

use axum::extract::{Path, State};
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{IdempotencyKey, OptionalJson, SignedIn};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Given;

pub fn call() -> Call {
    Call::post("/order/{id}/repeat", handler, |docs| {
        docs.id("orderRepeat")
            .tag("orders")
            .summary("Put all payments of an order into the cart again, at today's prices")
    })
}

/// `POST /order/{id}/repeat`.
#[derive(Default, Deserialize, JsonSchema)]
pub struct OrderRepeatRequest {
    /// The notary says that nobody paid by the QR codes of the order. Without it payments of an unpaid order whose codes were given out
    /// are not put into the cart (`payment_codes_given`).
    #[serde(default)]
    pub despite_codes: Given<bool>,
}

/// `POST /order/{id}/repeat`: the payments are in the cart.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OrderRepeated {
    /// Rows in the cart.
    pub items_count: i64,
    /// How many payments were added.
    pub added: usize,
}

/// Adds the payments of an order: all, or none. A refusal names those that can't be made today as `items.<id>`. A repeated request
/// with the same `Idempotency-Key` adds nothing.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    IdempotencyKey(key): IdempotencyKey,
    Path(id): Path<String>,
    OptionalJson(body): OptionalJson<OrderRepeatRequest>,
) -> Result<Json<OrderRepeated>, Refusal> {
    let mut errors = FieldErrors::new();
    let despite_codes = take(body.despite_codes, "despite_codes", &mut errors) == Some(true);
    errors.check()?;
    let cart = &state.services.cart;
    let who = (who.notary, who.session);
    let repeated = cart
        .repeat_order(who, &id, key.as_deref(), despite_codes)
        .await?;
    Ok(Json(OrderRepeated {
        items_count: repeated.items_count,
        added: repeated.added,
    }))
}
