//! `POST /auth/login`.

use axum::extract::State;
use cabinet_app::auth::{LoginStart, LoginWish};
use cabinet_app::refusal::FieldErrors;
use cabinet_domain::LoginStep;

use crate::extract::{ClientAddress, Language, ValidJson};
use crate::handlers::fields::take;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{LoginRequest, LoginStarted};

/// Starts a login by the step of the account.
pub async fn handler(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    Language(locale): Language,
    ValidJson(body): ValidJson<LoginRequest>,
) -> Result<Json<LoginStarted>, Refusal> {
    state.limits.entering(address)?;
    let mut errors = FieldErrors::new();
    let wish = LoginWish {
        phone: take(body.phone, "phone", &mut errors),
        is_agree_with_terms: take(body.is_agree_with_terms, "is_agree_with_terms", &mut errors)
            .unwrap_or(false),
    };
    let start = state.app.start_login(wish, errors, address, locale).await?;
    Ok(Json(LoginStarted::from(start)))
}

impl From<LoginStart> for LoginStarted {
    fn from(start: LoginStart) -> LoginStarted {
        LoginStarted {
            success: true,
            operation_id: start.operation.to_string(),
            is_phone_call: start.step == LoginStep::PhoneCall,
            transaction_id: start.transaction.map(|id| id.to_string()),
            is_custom_otp_code: start.step == LoginStep::Custom,
            expires_at: start.expires_at.into(),
            resend_at: start.resend_at.into(),
        }
    }
}
