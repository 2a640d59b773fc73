//! `GET /order/{id}/update/pay-link`: a link that can be paid now.

use axum::extract::{Path, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::carry_through::carry_through;
use crate::http::extract::{SignedIn, ValidQuery};
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/order/{id}/update/pay-link", handler, |docs| {
        docs.id("orderPayLink")
            .tag("orders")
            .summary("A link that can be paid now")
    })
}

/// Query of `GET /order/{id}/update/pay-link`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PayLinkQuery {
    /// 1: the notary says that nobody paid by the QR codes of the order. Without it an order whose codes were given out is refused with
    /// `payment_codes_given`.
    #[schemars(with = "Option<u8>")]
    pub despite_codes: Option<String>,
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
    ValidQuery(query): ValidQuery<PayLinkQuery>,
) -> Result<Json<PayLink>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let despite_codes = query.despite_codes.as_deref() == Some("1");
    let payment_page_url = carry_through(async move {
        state
            .services
            .payments
            .renew_invoice(who.signer(), &id, despite_codes, origin.by(who))
            .await
    })
    .await?;
    Ok(Json(PayLink {
        widget_url: payment_page_url,
    }))
}
