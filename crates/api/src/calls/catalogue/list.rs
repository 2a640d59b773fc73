//! `GET /payment-types`: the kinds of payment that the notary's status allows; all four while nobody has told it.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::PaymentType;

pub fn call() -> Call {
    Call::get("/payment-types", handler, |docs| {
        docs.id("paymentTypes")
            .tag("payment types")
            .summary("The kinds of payment that the notary's status allows")
    })
}

/// `GET /payment-types`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PaymentTypes {
    /// In the order of the select; the first is preselected.
    pub payment_types: Vec<PaymentType>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<PaymentTypes>, Refusal> {
    let reference = state.services.reference.current()?;
    let status = state.services.cart.status(who.notary).await?;
    let payment_types = reference
        .payment_types()
        .iter()
        .filter(|payment_type| status.offers(payment_type.kind()))
        .map(|payment_type| PaymentType {
            id: payment_type.id().to_string(),
            slug: payment_type.kind().into(),
        })
        .collect();
    Ok(Json(PaymentTypes { payment_types }))
}
