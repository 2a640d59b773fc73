//! `POST /order/{id}/client-link`: makes the link by which the client pays.

use axum::extract::{Path, State};
use cabinet_app::client_link::LinkRequest;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::Key;
use cabinet_receipts::Symbol;
use schemars::JsonSchema;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};

use super::view::ClientLink;
use crate::call::Call;
use crate::calls::order::codes::CodePicture;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take_whole;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, NumberText};

pub fn call() -> Call {
    Call::post("/order/{id}/client-link", handler, |docs| {
        docs.id("makeClientLink")
            .tag("orders")
            .summary("Make the link by which the client pays an order, in place of an earlier one")
    })
}

/// `POST /order/{id}/client-link`.
#[derive(Deserialize, JsonSchema)]
pub struct ClientLinkRequest {
    /// Hours after which the link ends; at most `hours_max`, which is also what it gets without a choice.
    #[serde(default)]
    pub hours: Given<NumberText<i64>>,
}

/// A link that was made.
#[derive(Serialize, JsonSchema)]
pub struct MadeClientLink {
    /// The address for the client. It is told only here.
    pub url: String,
    /// The address as a QR code, for the client's phone; null for an address that is too long for one.
    pub picture: Option<CodePicture>,
    /// The token in the address, with which the link can be sent.
    pub token: String,
    /// What is known of it.
    pub link: ClientLink,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Path(id): Path<String>,
    ValidJson(body): ValidJson<ClientLinkRequest>,
) -> Result<Json<MadeClientLink>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let mut errors = FieldErrors::new();
    let request = LinkRequest {
        hours: take_whole(body.hours, "hours", Key::NumberInvalid, &mut errors),
    };
    let links = &state.services.client_links;
    let made = links
        .make(who.signer(), &id, request, errors, origin.by(who))
        .await?;
    Ok(Json(MadeClientLink {
        picture: Symbol::of_address(&made.url).map(|symbol| CodePicture::of(&made.url, &symbol)),
        url: made.url,
        token: made.token.expose_secret().to_owned(),
        link: made.view.into(),
    }))
}
