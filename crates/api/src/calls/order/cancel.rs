//! `POST /order/{id}/cancel`: an unpaid order ends, and its items go back to the cart or are dropped.

use axum::extract::{Path, State};
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::payment::CancelRequest as Wanted;
use cabinet_domain::CancelledItems;
use schemars::JsonSchema;
use serde::Deserialize;

use super::get::OrderAnswer;
use crate::call::Call;
use crate::http::carry_through::carry_through;
use crate::http::extract::{Language, SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, Order};

pub fn call() -> Call {
    Call::post("/order/{id}/cancel", handler, |docs| {
        docs.id("orderCancel")
            .tag("orders")
            .summary("Cancel an unpaid order; its payment page is closed first")
    })
}

/// `POST /order/{id}/cancel`.
#[derive(Deserialize, JsonSchema)]
pub struct CancelRequest {
    /// `false`: its payments stay in the cancelled order alone. Otherwise they go back to the cart.
    #[serde(default)]
    pub return_items: Given<bool>,
    /// The notary says that nobody paid by the QR codes of the order. Without it payments of an order whose codes were given out
    /// don't go back to the cart (`payment_codes_given`).
    #[serde(default)]
    pub despite_codes: Given<bool>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
    ValidJson(body): ValidJson<CancelRequest>,
) -> Result<Json<OrderAnswer>, Refusal> {
    let mut errors = FieldErrors::new();
    let return_items = take(body.return_items, "return_items", &mut errors);
    let despite_codes = take(body.despite_codes, "despite_codes", &mut errors);
    let items = if return_items == Some(false) {
        CancelledItems::Drop
    } else {
        CancelledItems::ToCart
    };
    let wanted = Wanted {
        items,
        despite_codes: despite_codes == Some(true),
    };
    state.limits.count_acquirer_call(who.notary)?;
    let view = carry_through(async move {
        let services = &state.services;
        services
            .payments
            .cancel(who.signer(), &id, wanted, errors, origin.by(who))
            .await?;
        services.orders.view(who.notary, &id, false).await
    })
    .await?;
    Ok(Json(OrderAnswer {
        order: Order::of(view, locale)?,
    }))
}
