//! `GET /me/passkeys`: the notary's passkeys.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Passkey;

pub fn call() -> Call {
    Call::get("/me/passkeys", handler, |docs| {
        docs.id("passkeys")
            .tag("passkeys")
            .summary("The notary's passkeys")
    })
}

/// `GET /me/passkeys`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Passkeys {
    /// The oldest first.
    pub passkeys: Vec<Passkey>,
    /// How many the notary may have.
    pub passkeys_max: usize,
}

async fn handler(State(state): State<ApiState>, who: SignedIn) -> Result<Json<Passkeys>, Refusal> {
    let found = state.services.accounts.list_passkeys(who.notary).await?;
    Ok(Json(Passkeys {
        passkeys: found.into_iter().map(Passkey::from).collect(),
        passkeys_max: cabinet_domain::Passkey::OF_NOTARY_MAX,
    }))
}
