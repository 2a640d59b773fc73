//! `POST /order/search`: searches orders by a text.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::order::OrderSearch;
use cabinet_domain::Key;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidJson};
use crate::http::fields::{take, take_whole};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, NumberText, OrderStatus, Orders};

pub fn call() -> Call {
    Call::post("/order/search", handler, |docs| {
        docs.id("searchOrders")
            .tag("orders")
            .summary("Orders by a text that must not stand in an address")
    })
}

/// `POST /order/search`: as `GET /order`, with a text that must not stand in an address.
#[derive(Deserialize, JsonSchema)]
pub struct SearchOrdersRequest {
    /// Part of a client's name or code, or an order's number.
    #[serde(default)]
    pub text: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    pub limit: Given<NumberText<i64>>,
    /// As in `GET /order`.
    #[serde(default)]
    pub before: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    #[schemars(with = "Option<OrderStatus>")]
    pub status: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    pub from: Given<String>,
    /// As in `GET /order`.
    #[serde(default)]
    pub to: Given<String>,
}

/// Searches orders by a text. It is in the body, because a client's name or code is personal data and must not be in an address.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidJson(body): ValidJson<SearchOrdersRequest>,
) -> Result<Json<Orders>, Refusal> {
    let mut errors = FieldErrors::new();
    let search = OrderSearch {
        limit: take_whole(body.limit, "limit", Key::NumberInvalid, &mut errors),
        before: take(body.before, "before", &mut errors),
        status: take(body.status, "status", &mut errors),
        text: take(body.text, "text", &mut errors),
        from: take(body.from, "from", &mut errors),
        to: take(body.to, "to", &mut errors),
    };
    Ok(Json(Orders::of(
        state
            .services
            .orders
            .list(who.notary, search, errors)
            .await?,
        locale,
    )?))
}
