//! `POST /cart/act`: the notarial act of a client's group.

use axum::extract::State;
use cabinet_app::NotarialActRequest;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, NotarialAct};

pub fn call() -> Call {
    Call::post("/cart/act", handler, |docs| {
        docs.id("cartAct")
            .tag("cart")
            .summary("Enter the notarial act of a client's payments")
    })
}

/// `POST /cart/act`. A missing or empty field is not known.
#[derive(Deserialize, JsonSchema)]
pub struct CartActRequest {
    /// From `GET /cart`.
    #[serde(default)]
    pub client_id: Given<String>,
    /// Number in the register of notarial acts, as `register_number` of `GET /config` allows.
    #[serde(default)]
    pub register_number: Given<String>,
    /// The day of the act, `YYYY-MM-DD`.
    #[serde(default)]
    pub date: Given<String>,
    /// What the act is about; at most 250 characters.
    #[serde(default)]
    pub object: Given<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<CartActRequest>,
) -> Result<Json<NotarialAct>, Refusal> {
    let mut errors = FieldErrors::new();
    let client = take(body.client_id, "client_id", &mut errors);
    let request = NotarialActRequest {
        register_number: take(body.register_number, "register_number", &mut errors),
        date: take(body.date, "date", &mut errors),
        object: take(body.object, "object", &mut errors),
    };
    let cart = &state.services.cart;
    let act = cart.set_act(who.notary, client, request, errors).await?;
    Ok(Json(act.into()))
}
