//! `POST /auth/login/passkey/options` and `POST /auth/login/passkey`: signing in by a passkey.

use axum::extract::State;
use cabinet_app::account::PasskeyLoginOptions;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::opened::opened;
use super::session_cookie::{self, Cookies, WithCookies};
use crate::call::Call;
use crate::http::extract::ValidJson;
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::http::visitor::Visit;
use crate::state::ApiState;
use crate::wire::{Given, PasskeySignature, Requirement, SessionOpened, base64url};

pub fn options_call() -> Call {
    Call::post("/auth/login/passkey/options", options, |docs| {
        docs.id("loginPasskeyOptions")
            .tag("auth")
            .summary("What the browser is asked for, to sign in by a passkey")
    })
}

pub fn call() -> Call {
    Call::post("/auth/login/passkey", handler, |docs| {
        docs.id("loginPasskey")
            .tag("auth")
            .summary("Sign in by a passkey")
    })
}

/// `POST /auth/login/passkey/options`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PasskeyLoginAsked {
    /// For `PublicKeyCredential.parseRequestOptionsFromJSON`.
    pub public_key: RequestOptions,
}

/// `PublicKeyCredentialRequestOptionsJSON` of the standard. It names no passkeys: the browser knows those of this host.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestOptions {
    /// Good for five minutes, once.
    pub challenge: String,
    /// The host.
    pub rp_id: String,
    /// Milliseconds.
    pub timeout: i64,
    /// The authenticator verifies its user.
    pub user_verification: Requirement,
}

/// `POST /auth/login/passkey`.
#[derive(Deserialize, JsonSchema)]
pub struct PasskeyLoginRequest {
    /// What the browser answered to `POST /auth/login/passkey/options`.
    #[serde(default)]
    pub credential: Given<PasskeySignature>,
}

/// Returns what the browser is asked for. It needs no telephone number, tells nothing of any account and uses up nothing of anybody's.
async fn options(
    State(state): State<ApiState>,
    Visit(visitor): Visit,
) -> Result<Json<PasskeyLoginAsked>, Refusal> {
    state.limits.count_passkey_login(visitor.address)?;
    Ok(Json(PasskeyLoginAsked {
        public_key: RequestOptions::from(state.services.accounts.passkey_login_options()),
    }))
}

/// Signs in by a passkey, on any device, without a code. A new device is told to the notary, and the session is no proof of anything.
async fn handler(
    State(state): State<ApiState>,
    Visit(visitor): Visit,
    Cookies(jar): Cookies,
    ValidJson(body): ValidJson<PasskeyLoginRequest>,
) -> Result<WithCookies<SessionOpened>, Refusal> {
    state.limits.count_passkey_login(visitor.address)?;
    let mut errors = FieldErrors::new();
    let credential = take(body.credential, "credential", &mut errors);
    errors.check()?;
    let answer = credential.and_then(|credential| credential.read());
    let accounts = &state.services.accounts;
    let session = accounts.enter_by_passkey(answer, &visitor).await?;
    let answer = opened(&state, &session)?;
    let jar = session_cookie::keep(&state.settings, jar, &session);
    Ok(WithCookies(jar, answer))
}

impl From<PasskeyLoginOptions> for RequestOptions {
    fn from(options: PasskeyLoginOptions) -> RequestOptions {
        RequestOptions {
            challenge: base64url(&options.challenge),
            rp_id: options.party_id,
            timeout: options.timeout.as_secs() * 1000,
            user_verification: Requirement::Required,
        }
    }
}
