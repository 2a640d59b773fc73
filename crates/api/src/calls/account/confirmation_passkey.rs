//! `POST /auth/confirmation/passkey/options` and `POST /auth/confirmation/passkey`: proving a payment or an act by a passkey.

use axum::extract::State;
use cabinet_app::account::PasskeyProofOptions;
use cabinet_app::kernel::refusal::{FieldErrors, Refusal as AppRefusal, RefusalKind};
use cabinet_domain::Key;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::confirmation::PaymentToProve;
use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{
    AskedProof, Done, Given, KnownCredential, PasskeySignature, Requirement, base64url,
};

pub fn options_call() -> Call {
    Call::post("/auth/confirmation/passkey/options", options, |docs| {
        docs.id("confirmationPasskeyOptions")
            .tag("auth")
            .summary("What the browser is asked for, to prove a payment or an act by a passkey")
    })
}

pub fn call() -> Call {
    Call::post("/auth/confirmation/passkey", handler, |docs| {
        docs.id("confirmationPasskey")
            .tag("auth")
            .summary("Prove a payment or an act by a passkey")
    })
}

/// `POST /auth/confirmation/passkey/options`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PasskeyProofAsked {
    /// For `PublicKeyCredential.parseRequestOptionsFromJSON`.
    pub public_key: ProofRequestOptions,
    /// What the passkey proves, as it is now.
    pub proof: AskedProof,
}

/// `PublicKeyCredentialRequestOptionsJSON` of the standard.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProofRequestOptions {
    /// Good for ten minutes, once, in this session, for this payment as it is now.
    pub challenge: String,
    /// The host.
    pub rp_id: String,
    /// Milliseconds.
    pub timeout: i64,
    /// The notary's passkeys that prove a payment.
    pub allow_credentials: Vec<KnownCredential>,
    /// The authenticator verifies its user.
    pub user_verification: Requirement,
}

/// `POST /auth/confirmation/passkey`.
#[derive(Deserialize, JsonSchema)]
pub struct PasskeyProofRequest {
    /// What the browser answered to `POST /auth/confirmation/passkey/options`.
    #[serde(default)]
    pub credential: Given<PasskeySignature>,
}

/// Returns what the browser is asked for. The challenge is good for this payment alone, as it is now. It stores nothing.
async fn options(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<PaymentToProve>,
) -> Result<Json<PasskeyProofAsked>, Refusal> {
    state.limits.count_confirmation(who.session)?;
    let subject = body.read(&state, who.notary, FieldErrors::new()).await?;
    let subject = subject
        .ok_or_else(|| AppRefusal::new(RefusalKind::Invalid, Key::FieldRequired).on("client_id"))?;
    let accounts = &state.services.accounts;
    let options = accounts
        .payment_passkey_options(who.signer(), subject)
        .await?;
    Ok(Json(PasskeyProofAsked::from(options)))
}

/// Proves the payment whose digest the passkey has signed, for ten minutes, once, in this session. It confirms no session. A passkey that was
/// added a short while ago proves nothing yet.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    ValidJson(body): ValidJson<PasskeyProofRequest>,
) -> Result<Json<Done>, Refusal> {
    state.limits.count_confirmation(who.session)?;
    let mut errors = FieldErrors::new();
    let credential = take(body.credential, "credential", &mut errors);
    errors.check()?;
    let answer = credential.and_then(|credential| credential.read());
    let accounts = &state.services.accounts;
    accounts
        .prove_by_passkey(who.signer(), answer, origin.by(who))
        .await?;
    Ok(Json(Done::carried_out()))
}

impl From<PasskeyProofOptions> for PasskeyProofAsked {
    fn from(options: PasskeyProofOptions) -> PasskeyProofAsked {
        PasskeyProofAsked {
            public_key: ProofRequestOptions {
                challenge: base64url(&options.challenge),
                rp_id: options.party_id,
                timeout: options.timeout.as_secs() * 1000,
                allow_credentials: KnownCredential::all(&options.allowed),
                user_verification: Requirement::Required,
            },
            proof: AskedProof::from(&options.asked),
        }
    }
}
