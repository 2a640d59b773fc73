//! `POST /cart/item/complaint`: sends a complaint about an item to the support.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Given;

pub fn call() -> Call {
    Call::post("/cart/item/complaint", handler, |docs| {
        docs.id("cartItemComplaint")
            .tag("cart")
            .summary("Tell the support what is wrong with an item")
    })
}

/// `POST /cart/item/complaint`.
#[derive(Deserialize, JsonSchema)]
pub struct ComplaintRequest {
    /// From `GET /cart`.
    #[serde(default)]
    pub cart_item_id: Given<String>,
    /// What is wrong, in the notary's words; at most 2000 characters.
    #[serde(default)]
    pub text: Given<String>,
    /// The support gets the notary's phone and may call back.
    #[serde(default)]
    pub call_back: Given<bool>,
}

/// `POST /cart/item/complaint`: the complaint is stored.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ComplaintTaken {
    /// Always true.
    pub success: bool,
    /// The number of the complaint, to be named to the support.
    pub number: i64,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<ComplaintRequest>,
) -> Result<Json<ComplaintTaken>, Refusal> {
    let mut errors = FieldErrors::new();
    let item = take(body.cart_item_id, "cart_item_id", &mut errors);
    let text = take(body.text, "text", &mut errors);
    let call_back = take(body.call_back, "call_back", &mut errors).unwrap_or(false);
    let number = state
        .services
        .cart
        .complain(who.notary, item, text, call_back, errors)
        .await?;
    Ok(Json(ComplaintTaken {
        success: true,
        number,
    }))
}
