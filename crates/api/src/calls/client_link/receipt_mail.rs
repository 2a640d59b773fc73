//! `POST /order/{id}/receipt-mail`: the client has agreed to get the receipt by e-mail.

use axum::extract::{Path, State};
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::Deserialize;

use super::view::ClientLink;
use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Given;

pub fn call() -> Call {
    Call::post("/order/{id}/receipt-mail", handler, |docs| {
        docs.id("orderReceiptMail")
            .tag("orders")
            .summary("Send the client the receipt of an order by e-mail, with the client’s consent")
    })
}

/// `POST /order/{id}/receipt-mail`.
#[derive(Deserialize, JsonSchema)]
pub struct ReceiptMailRequest {
    /// The client's e-mail address; null for the one that is known, to which the receipt is then sent again.
    #[serde(default)]
    pub email: Given<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
    ValidJson(body): ValidJson<ReceiptMailRequest>,
) -> Result<Json<ClientLink>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let mut errors = FieldErrors::new();
    let email = take(body.email, "email", &mut errors);
    let links = &state.services.client_links;
    let by = (locale, origin.by(who));
    let view = links
        .agree_for_client(who.signer(), &id, email.as_deref(), errors, by)
        .await?;
    Ok(Json(view.into()))
}
