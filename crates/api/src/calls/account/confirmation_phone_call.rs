//! `POST /auth/confirmation/phone-call`: confirms the session by a confirmed phone call.

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
    Call::post("/auth/confirmation/phone-call", handler, |docs| {
        docs.id("confirmationPhoneCall")
            .tag("auth")
            .summary("Confirm the session by a confirmed phone call")
    })
}

/// `POST /auth/confirmation/phone-call`.
#[derive(Deserialize, JsonSchema)]
pub struct ConfirmationPhoneCallRequest {
    /// From `POST /auth/confirmation`.
    #[serde(default)]
    pub transaction_id: Given<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    ValidJson(body): ValidJson<ConfirmationPhoneCallRequest>,
) -> Result<Json<SessionConfirmed>, Refusal> {
    state.limits.count_confirmation(who.notary)?;
    let mut errors = FieldErrors::new();
    let transaction = take(body.transaction_id, "transaction_id", &mut errors);
    let until = state
        .services
        .accounts
        .confirm_by_phone_call(
            (who.notary, who.session),
            transaction,
            errors,
            origin.by(who),
        )
        .await?;
    Ok(Json(SessionConfirmed {
        confirmed_until: until.into(),
    }))
}
