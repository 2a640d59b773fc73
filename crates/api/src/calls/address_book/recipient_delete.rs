//! `POST /book/recipients/delete`: deletes a saved recipient.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Done, Given};

pub fn call() -> Call {
    Call::post("/book/recipients/delete", handler, |docs| {
        docs.id("deleteRecipient")
            .tag("address book")
            .summary("Delete a saved recipient")
    })
}

/// `POST /book/recipients/delete`.
#[derive(Deserialize, JsonSchema)]
pub struct DeleteRecipientRequest {
    /// From `GET /book/recipients`.
    #[serde(default)]
    pub recipient_id: Given<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    ValidJson(body): ValidJson<DeleteRecipientRequest>,
) -> Result<Json<Done>, Refusal> {
    let mut errors = FieldErrors::new();
    let id = take(body.recipient_id, "recipient_id", &mut errors);
    let (notary, origin) = (who.notary, origin.by(who));
    let book = &state.services.address_book;
    book.delete_recipient(notary, id, errors, origin).await?;
    Ok(Json(Done::carried_out()))
}
