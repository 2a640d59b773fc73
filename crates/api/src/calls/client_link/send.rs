//! `POST /order/{id}/client-link/send`: sends the link to the client.

use axum::extract::{Path, State};
use cabinet_app::client_link::LinkSending;
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
    Call::post("/order/{id}/client-link/send", handler, |docs| {
        docs.id("sendClientLink")
            .tag("orders")
            .summary("Send the link by which the client pays an order")
    })
}

/// `POST /order/{id}/client-link/send`: to a telephone or to an e-mail address. Neither is kept.
#[derive(Deserialize, JsonSchema)]
pub struct SendClientLinkRequest {
    /// The token of the link, as it was told when the link was made.
    #[serde(default)]
    pub token: Given<String>,
    /// A telephone.
    #[serde(default)]
    pub phone: Given<String>,
    /// An e-mail address. If it is given, the telephone is not used.
    #[serde(default)]
    pub email: Given<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
    ValidJson(body): ValidJson<SendClientLinkRequest>,
) -> Result<Json<ClientLink>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let mut errors = FieldErrors::new();
    let sending = LinkSending {
        token: take(body.token, "token", &mut errors).unwrap_or_default(),
        phone: take(body.phone, "phone", &mut errors),
        email: take(body.email, "email", &mut errors),
    };
    let links = &state.services.client_links;
    let by = (locale, origin.by(who));
    let view = links.send(who.signer(), &id, sending, errors, by).await?;
    Ok(Json(view.into()))
}
