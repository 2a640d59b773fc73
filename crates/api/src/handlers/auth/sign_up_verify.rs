//! `POST /auth/sign-up/verify`.

use axum::extract::State;
use cabinet_app::refusal::FieldErrors;

use crate::access_token::{Caller, LIFETIME};
use crate::extract::{ClientAddress, SigningUp, ValidJson};
use crate::handlers::fields::take;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{SignUpVerified, SignUpVerifyRequest};

/// Verifies the phone of the account that calls; its session is good for every call from then on.
pub async fn handler(
    State(state): State<ApiState>,
    SigningUp(who): SigningUp,
    ClientAddress(address): ClientAddress,
    ValidJson(body): ValidJson<SignUpVerifyRequest>,
) -> Result<Json<SignUpVerified>, Refusal> {
    state.limits.entering(address)?;
    let mut errors = FieldErrors::new();
    let code = take(body.otp_code, "otp_code", &mut errors);
    let operation = take(body.operation_id, "operation_id", &mut errors);
    let ends_at = state
        .app
        .verify_sign_up(who.notary, who.session, code, operation, errors)
        .await?;
    let access_token = state.access_token(Caller {
        notary: who.notary,
        session: who.session,
    })?;
    Ok(Json(SignUpVerified {
        success: true,
        access_token,
        expires_in: LIFETIME.as_secs(),
        session_expires_at: ends_at.into(),
    }))
}
