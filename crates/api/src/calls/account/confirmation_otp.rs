//! `POST /auth/confirmation/otp`: proves what the code from the message was sent for.

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
use crate::wire::{Given, SessionConfirmed};

pub fn call() -> Call {
    Call::post("/auth/confirmation/otp", handler, |docs| {
        docs.id("confirmationOtp")
            .tag("auth")
            .summary("Prove a payment or an act with the code from the message")
    })
}

/// `POST /auth/confirmation/otp`.
#[derive(Deserialize, JsonSchema)]
pub struct ConfirmationCodeRequest {
    /// The code from the message.
    #[serde(default)]
    pub otp_code: Given<String>,
    /// From `POST /auth/confirmation`.
    #[serde(default)]
    pub operation_id: Given<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    ValidJson(body): ValidJson<ConfirmationCodeRequest>,
) -> Result<Json<SessionConfirmed>, Refusal> {
    state.limits.count_confirmation(who.session)?;
    let mut errors = FieldErrors::new();
    let code = take(body.otp_code, "otp_code", &mut errors);
    let operation = take(body.operation_id, "operation_id", &mut errors);
    let until = state
        .services
        .accounts
        .confirm_by_code(who.signer(), code, operation, errors, origin.by(who))
        .await?;
    Ok(Json(SessionConfirmed {
        confirmed_until: until.into(),
    }))
}
