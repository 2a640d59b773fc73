//! `POST /book/clients/delete`: takes a client out of the address book.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Done, Given};

pub fn call() -> Call {
    Call::post("/book/clients/delete", handler, |docs| {
        docs.id("deleteClient")
            .tag("address book")
            .summary("Take a client out of the address book")
    })
}

/// `POST /book/clients/delete`. Orders and the cart keep the client.
#[derive(Deserialize, JsonSchema)]
pub struct DeleteClientRequest {
    /// From `POST /book/clients/search`.
    #[serde(default)]
    pub client_id: Given<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<DeleteClientRequest>,
) -> Result<Json<Done>, Refusal> {
    let mut errors = FieldErrors::new();
    let client = take(body.client_id, "client_id", &mut errors);
    let book = &state.services.address_book;
    book.delete_client(who.notary, client, errors).await?;
    Ok(Json(Done::carried_out()))
}
