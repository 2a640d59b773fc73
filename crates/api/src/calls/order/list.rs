//! `GET /order`: orders, newest first.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::order::OrderSearch;
use cabinet_domain::Key;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{Bearer, Language, ValidQuery};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{OrderStatus, Orders};

pub fn call() -> Call {
    Call::get("/order", handler, |docs| {
        docs.id("orders")
            .tag("orders")
            .summary("Orders, newest first")
    })
}

/// Query of `GET /order`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OrdersQuery {
    /// How many at most: 1 to 100, 50 without it.
    #[schemars(with = "Option<u32>")]
    pub limit: Option<String>,
    /// `next` of the page before.
    pub before: Option<String>,
    /// Only orders of this status.
    #[schemars(with = "Option<OrderStatus>")]
    pub status: Option<String>,
    /// Only orders created on or after this day (Kyiv), `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Only orders created on or before this day (Kyiv), `YYYY-MM-DD`.
    pub to: Option<String>,
}

async fn handler(
    State(state): State<ApiState>,
    bearer: Bearer,
    Language(locale): Language,
    ValidQuery(query): ValidQuery<OrdersQuery>,
) -> Result<Json<Orders>, Refusal> {
    let mut errors = FieldErrors::new();
    let limit = query
        .limit
        .filter(|text| !text.is_empty())
        .and_then(|text| {
            let number = text.parse().ok();
            if number.is_none() {
                errors.add("limit", Key::NumberInvalid);
            }
            number
        });
    let search = OrderSearch {
        limit,
        before: query.before,
        status: query.status,
        text: None,
        from: query.from,
        to: query.to,
    };
    Ok(Json(Orders::of(
        state
            .services
            .orders
            .list(bearer.asker(), search, errors)
            .await?,
        locale,
    )?))
}
