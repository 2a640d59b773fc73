//! `POST /order/{id}/act`: the notarial act of an order.

use axum::extract::{Path, State};
use cabinet_app::NotarialActRequest;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::Deserialize;

use super::get::OrderAnswer;
use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, Order};

pub fn call() -> Call {
    Call::post("/order/{id}/act", handler, |docs| {
        docs.id("orderAct")
            .tag("orders")
            .summary("Enter the notarial act of an order")
    })
}

/// `POST /order/{id}/act`. A missing or empty field is not known.
#[derive(Deserialize, JsonSchema)]
pub struct OrderActRequest {
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
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
    ValidJson(body): ValidJson<OrderActRequest>,
) -> Result<Json<OrderAnswer>, Refusal> {
    let mut errors = FieldErrors::new();
    let request = NotarialActRequest {
        register_number: take(body.register_number, "register_number", &mut errors),
        date: take(body.date, "date", &mut errors),
        object: take(body.object, "object", &mut errors),
    };
    let (notary, origin) = (who.notary, origin.by(who));
    let orders = &state.services.orders;
    let view = orders.set_act(notary, &id, request, errors, origin).await?;
    Ok(Json(OrderAnswer {
        order: Order::of(view, locale)?,
    }))
}
