//! `POST /cart/items/count`: changes an item's count.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::Key;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::{take, take_whole};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, Hryvnias, NumberText};

pub fn call() -> Call {
    Call::post("/cart/items/count", handler, |docs| {
        docs.id("cartItemSetCount")
            .tag("cart")
            .summary("Change an item's count")
    })
}

/// `POST /cart/items/count`.
#[derive(Deserialize, JsonSchema)]
pub struct CountRequest {
    /// From `GET /cart`.
    #[serde(default)]
    pub cart_item_id: Given<String>,
    /// At least 1.
    #[serde(default)]
    pub new_count: Given<NumberText<i64>>,
}

/// `POST /cart/items/count`: the count was changed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CountChanged {
    /// Rows in the cart.
    pub items_count: i64,
    /// The item's count now.
    pub count: i64,
    /// The item's `sum_full` × `count`.
    pub sum_total: Hryvnias,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<CountRequest>,
) -> Result<Json<CountChanged>, Refusal> {
    let mut errors = FieldErrors::new();
    let item = take(body.cart_item_id, "cart_item_id", &mut errors);
    let count = take_whole(body.new_count, "new_count", Key::CountInvalid, &mut errors);
    let change = state
        .services
        .cart
        .set_count(who.notary, item, count, errors)
        .await?;
    Ok(Json(CountChanged {
        items_count: change.items_count,
        count: i64::from(change.count.get()),
        sum_total: change.sum_total.into(),
    }))
}
