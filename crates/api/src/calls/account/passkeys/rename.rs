//! `POST /me/passkeys/{id}/rename`: gives a passkey another label.

use axum::extract::{Path, State};
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::Deserialize;

use super::read_id;
use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Done, Given};

pub fn call() -> Call {
    Call::post("/me/passkeys/{id}/rename", handler, |docs| {
        docs.id("renamePasskey")
            .tag("passkeys")
            .summary("Give a passkey another label")
    })
}

/// `POST /me/passkeys/{id}/rename`.
#[derive(Deserialize, JsonSchema)]
pub struct RenamePasskeyRequest {
    /// What the notary calls it, at most 60 characters.
    #[serde(default)]
    pub label: Given<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Path(id): Path<String>,
    ValidJson(body): ValidJson<RenamePasskeyRequest>,
) -> Result<Json<Done>, Refusal> {
    let passkey = read_id(&id)?;
    let mut errors = FieldErrors::new();
    let label = take(body.label, "label", &mut errors);
    let accounts = &state.services.accounts;
    accounts
        .rename_passkey(who.notary, passkey, label, errors)
        .await?;
    Ok(Json(Done::carried_out()))
}
