//! `POST /me/passkeys/options`: what the browser is asked for, to make a passkey.

use axum::extract::State;
use cabinet_app::account::NewPasskeyOptions;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{CredentialType, KnownCredential, Requirement, base64url};

pub fn call() -> Call {
    Call::post("/me/passkeys/options", handler, |docs| {
        docs.id("newPasskeyOptions")
            .tag("passkeys")
            .summary("What the browser is asked for, to make a passkey")
    })
}

/// `POST /me/passkeys/options`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NewPasskeyAsked {
    /// For `PublicKeyCredential.parseCreationOptionsFromJSON`.
    pub public_key: CreationOptions,
}

/// `PublicKeyCredentialCreationOptionsJSON` of the standard.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreationOptions {
    /// The cabinet.
    pub rp: RelyingParty,
    /// The notary.
    pub user: PasskeyUser,
    /// Good for five minutes, once, in this session.
    pub challenge: String,
    /// The kinds of keys, the preferred first.
    pub pub_key_cred_params: Vec<KeyKind>,
    /// Milliseconds.
    pub timeout: i64,
    /// The passkeys that the notary has.
    pub exclude_credentials: Vec<KnownCredential>,
    /// What the authenticator must be able to do.
    pub authenticator_selection: AuthenticatorSelection,
    /// Nothing is asked about its make.
    pub attestation: Attestation,
}

/// The cabinet, as authenticators know it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RelyingParty {
    /// The host.
    pub id: String,
    /// The name.
    pub name: &'static str,
}

/// The notary, as authenticators show her.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyUser {
    /// Tells nothing of her.
    pub id: String,
    /// The phone, masked.
    pub name: String,
    /// Her name.
    pub display_name: String,
}

/// A kind of keys.
#[derive(Debug, Serialize, JsonSchema)]
pub struct KeyKind {
    /// Always a public key.
    #[serde(rename = "type")]
    pub kind: CredentialType,
    /// Its number (IANA, COSE Algorithms).
    pub alg: i64,
}

/// What the authenticator must be able to do.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthenticatorSelection {
    /// It is found without a telephone number.
    pub resident_key: Requirement,
    /// The same for older browsers.
    pub require_resident_key: bool,
    /// It verifies its user.
    pub user_verification: Requirement,
}

/// What is asked about the make of an authenticator.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Attestation {
    /// Nothing.
    None,
}

/// Returns what the browser is asked for. Only after a code by SMS for this: the session alone adds no passkey.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<NewPasskeyAsked>, Refusal> {
    state.limits.count_confirmation(who.session)?;
    let accounts = &state.services.accounts;
    let options = accounts
        .new_passkey_options(who.notary, who.session)
        .await?;
    Ok(Json(NewPasskeyAsked {
        public_key: CreationOptions::from(options),
    }))
}

impl From<NewPasskeyOptions> for CreationOptions {
    fn from(options: NewPasskeyOptions) -> CreationOptions {
        let kind = CredentialType::PublicKey;
        CreationOptions {
            rp: RelyingParty {
                id: options.party_id,
                name: "Кабінет нотаріуса",
            },
            user: PasskeyUser {
                id: base64url(&options.user_handle),
                name: options.user_name,
                display_name: options.user_display_name,
            },
            challenge: base64url(&options.challenge),
            pub_key_cred_params: options
                .algorithms
                .into_iter()
                .map(|alg| KeyKind { kind, alg })
                .collect(),
            timeout: options.timeout.as_secs() * 1000,
            exclude_credentials: KnownCredential::all(&options.known),
            authenticator_selection: AuthenticatorSelection {
                resident_key: Requirement::Required,
                require_resident_key: true,
                user_verification: Requirement::Required,
            },
            attestation: Attestation::None,
        }
    }
}
