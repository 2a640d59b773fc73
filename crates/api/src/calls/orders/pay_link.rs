//! `GET /order/{id}/update/pay-link`: a link that can be paid now.

use axum::extract::{Path, State};
use schemars::JsonSchema;
use serde::Serialize;

use super::carry_through::carry_through;
use crate::call::Call;
use crate::extract::SignedIn;
use crate::json::Json;
use crate::origin::RequestOrigin;
use crate::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/order/{id}/update/pay-link", handler, |docs| {
        docs.id("orderPayLink")
            .tag("orders")
            .summary("A link that can be paid now")
    })
}

/// `GET /order/{id}/update/pay-link`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PayLink {
    /// A link that can be paid now.
    pub widget_url: String,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Path(id): Path<String>,
) -> Result<Json<PayLink>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let payment_page_url = carry_through(async move {
        state
            .services
            .payments
            .renew_invoice(who.notary, &id, origin.by(who))
            .await
    })
    .await?;
    Ok(Json(PayLink {
        widget_url: payment_page_url,
    }))
}
