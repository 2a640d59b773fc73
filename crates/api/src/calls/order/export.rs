//! `POST /order/export`: the payments of a search as a table.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::order::OrderSearch;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::file::{FileAnswer, Xlsx};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, OrderStatus};

pub fn call() -> Call {
    Call::post("/order/export", handler, |docs| {
        docs.id("exportOrders")
            .tag("orders")
            .summary("The payments of a search as a table, XLSX")
    })
}

/// `POST /order/export`: the filter of `POST /order/search`, of which all is wanted.
#[derive(Deserialize, JsonSchema)]
pub struct ExportOrdersRequest {
    /// Part of a client's name or code, or an order's number.
    #[serde(default)]
    pub text: Given<String>,
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

/// Exports the payments of a search as a table. A POST although nothing changes, because a client's name or code must not be in an
/// address.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    ValidJson(body): ValidJson<ExportOrdersRequest>,
) -> Result<FileAnswer<Xlsx>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let mut errors = FieldErrors::new();
    let search = OrderSearch {
        status: take(body.status, "status", &mut errors),
        text: take(body.text, "text", &mut errors),
        from: take(body.from, "from", &mut errors),
        to: take(body.to, "to", &mut errors),
        ..OrderSearch::default()
    };
    let file = state
        .services
        .orders
        .export(who.notary, search, locale, errors, origin.by(who))
        .await?;
    Ok(file.into())
}
