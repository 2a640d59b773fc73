//! `POST /order/{id}/codes/paid`: the notary marks an order as paid by its QR codes; `…/undo` takes the mark back.

use axum::extract::{Path, State};
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::payment::CodesPaymentRequest;
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
    Call::post("/order/{id}/codes/paid", handler, |docs| {
        docs.id("orderCodesPaid")
            .tag("orders")
            .summary("Mark an order as paid by its QR codes; its payment page is closed first")
    })
}

pub fn undo_call() -> Call {
    Call::post("/order/{id}/codes/paid/undo", undo, |docs| {
        docs.id("orderCodesPaidUndo")
            .tag("orders")
            .summary("Take back that an order was paid by its QR codes")
    })
}

/// `POST /order/{id}/codes/paid`.
#[derive(Deserialize, JsonSchema)]
pub struct CodesPaidRequest {
    /// The UETR or reference on the payer's own receipt; at most 100 characters. A missing or empty one is not known.
    #[serde(default)]
    pub reference: Given<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
    ValidJson(body): ValidJson<CodesPaidRequest>,
) -> Result<Json<OrderAnswer>, Refusal> {
    let mut errors = FieldErrors::new();
    let request = CodesPaymentRequest {
        reference: take(body.reference, "reference", &mut errors),
    };
    state.limits.count_acquirer_call(who.notary)?;
    let view = carry_through(async move {
        let services = &state.services;
        services
            .payments
            .mark_codes_paid(who.signer(), &id, request, errors, origin.by(who))
            .await?;
        services.orders.view(who.notary, &id, false).await
    })
    .await?;
    Ok(Json(OrderAnswer {
        order: Order::of(view, locale)?,
    }))
}

async fn undo(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<Json<OrderAnswer>, Refusal> {
    let services = &state.services;
    services
        .payments
        .undo_codes_paid(who.signer(), &id, origin.by(who))
        .await?;
    let view = services.orders.view(who.notary, &id, false).await?;
    Ok(Json(OrderAnswer {
        order: Order::of(view, locale)?,
    }))
}
