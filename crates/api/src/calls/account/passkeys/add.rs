//! `POST /me/passkeys/add`: adds the passkey that the browser has made.

use axum::extract::State;
use cabinet_app::account::NewPasskey;
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
use crate::wire::{Given, Passkey, read_base64url};

pub fn call() -> Call {
    Call::post("/me/passkeys/add", handler, |docs| {
        docs.id("addPasskey")
            .tag("passkeys")
            .summary("Add a passkey")
    })
}

/// `POST /me/passkeys/add`.
#[derive(Deserialize, JsonSchema)]
pub struct AddPasskeyRequest {
    /// What the notary calls it, at most 60 characters.
    #[serde(default)]
    pub label: Given<String>,
    /// What the browser answered to `POST /me/passkeys/options`.
    #[serde(default)]
    pub credential: Given<NewCredential>,
}

/// The members of `RegistrationResponseJSON` of the standard that are read.
#[derive(Deserialize, JsonSchema)]
pub struct NewCredential {
    /// The id that the authenticator gave it.
    pub id: String,
    /// The answer.
    pub response: NewCredentialResponse,
}

/// The answer of the authenticator.
#[derive(Deserialize, JsonSchema)]
pub struct NewCredentialResponse {
    /// What the browser vouches for.
    #[serde(rename = "clientDataJSON")]
    pub client_data: String,
    /// What the authenticator vouches for, its key included.
    #[serde(rename = "authenticatorData")]
    pub authenticator_data: String,
}

/// Adds a passkey: after a code by SMS for this, in the same session. The notary is told by letter and SMS.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    ValidJson(body): ValidJson<AddPasskeyRequest>,
) -> Result<Json<Passkey>, Refusal> {
    state.limits.count_confirmation(who.session)?;
    let mut errors = FieldErrors::new();
    let label = take(body.label, "label", &mut errors);
    let credential = take(body.credential, "credential", &mut errors);
    let answer = credential.and_then(|credential| credential.read());
    let session = (who.notary, who.session);
    let added = state
        .services
        .accounts
        .add_passkey(session, label, answer, errors, origin.by(who))
        .await?;
    Ok(Json(Passkey::from(added)))
}

impl NewCredential {
    fn read(&self) -> Option<NewPasskey> {
        Some(NewPasskey {
            credential_id: read_base64url(&self.id)?,
            client_data: read_base64url(&self.response.client_data)?,
            authenticator_data: read_base64url(&self.response.authenticator_data)?,
        })
    }
}
