//! `POST /auth/sign-up/verify`: verifies the phone of a new account.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{ClientAddress, SigningUp, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::tokens::access::{Caller, LIFETIME};
use crate::wire::{Given, Moment};

pub fn call() -> Call {
    Call::post("/auth/sign-up/verify", handler, |docs| {
        docs.id("signUpVerify")
            .tag("auth")
            .summary("Verify the phone of a new account")
    })
}

/// `POST /auth/sign-up/verify`.
#[derive(Deserialize, JsonSchema)]
pub struct SignUpVerifyRequest {
    /// The code from the message.
    #[serde(default)]
    pub otp_code: Given<String>,
    /// From `POST /auth/sign-up`.
    #[serde(default)]
    pub operation_id: Given<String>,
}

/// The phone was verified and a session opened.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignUpVerified {
    /// Whose session it is: the `id` of `POST /auth/me`. A page drops what it asked for as another notary.
    pub notary_id: String,
    /// Always true: a failure is a refusal.
    pub success: bool,
    /// The token of the session that was opened.
    pub access_token: String,
    /// Seconds until it expires.
    pub expires_in: i64,
    /// When the session ends unless it is refreshed before; the browser warns before it.
    pub session_expires_at: Moment,
}

/// Verifies the phone of the caller's account. Its session is then valid for all calls.
async fn handler(
    State(state): State<ApiState>,
    SigningUp(who): SigningUp,
    ClientAddress(address): ClientAddress,
    origin: RequestOrigin,
    ValidJson(body): ValidJson<SignUpVerifyRequest>,
) -> Result<Json<SignUpVerified>, Refusal> {
    state.limits.count_login_attempt(address)?;
    let mut errors = FieldErrors::new();
    let code = take(body.otp_code, "otp_code", &mut errors);
    let operation = take(body.operation_id, "operation_id", &mut errors);
    let ends_at = state
        .services
        .accounts
        .verify_sign_up(
            (who.notary, who.session),
            code,
            operation,
            errors,
            origin.by(who),
        )
        .await?;
    let access_token = state.access_token(Caller {
        notary: who.notary,
        session: who.session,
    })?;
    Ok(Json(SignUpVerified {
        notary_id: who.notary.to_string(),
        success: true,
        access_token,
        expires_in: LIFETIME.as_secs(),
        session_expires_at: ends_at.into(),
    }))
}
