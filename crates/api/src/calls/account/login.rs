//! `POST /auth/login`: starts a login.

use axum::extract::State;
use cabinet_app::account::{self, LoginStart};
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::LoginStep;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{Language, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::http::visitor::Visit;
use crate::state::ApiState;
use crate::wire::{Given, Moment};

pub fn call() -> Call {
    Call::post("/auth/login", handler, |docs| {
        docs.id("login").tag("auth").summary("Start a login")
    })
}

/// `POST /auth/login`.
#[derive(Deserialize, JsonSchema)]
pub struct LoginRequest {
    /// The phone in any usual form; `+380XXXXXXXXX` is stored.
    #[serde(default)]
    pub phone: Given<String>,
    /// True once the notary has ticked the terms; needed only after `user_not_agreed_with_new_terms`.
    #[serde(default)]
    pub is_agree_with_terms: Given<bool>,
    /// True to be called in the place of a code, within 15 minutes after `otp_not_sent` with `call_offered` at the same address. Where no
    /// call may be made, the login goes on as usual.
    #[serde(default)]
    pub by_call: Given<bool>,
}

/// A login step was started: a code was sent, a call is on its way, or a registry identifier is asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LoginStarted {
    /// Always true: a failure is a refusal.
    pub success: bool,
    /// Names this login; the code is good for it alone.
    pub operation_id: String,
    /// The next step is a phone call.
    pub is_phone_call: bool,
    /// The realtime channel that tells how the call ended; only with `is_phone_call`.
    pub transaction_id: Option<String>,
    /// The digits that the page shows: the call asks for 1 and then for them. Only with `is_phone_call`, on a device from which the notary
    /// has not signed in; on a known one the call asks for 1 alone.
    pub call_digits: Option<String>,
    /// The next step asks for the registry identifier.
    pub is_custom_otp_code: bool,
    /// Number of digits of the code: more while codes are being guessed somewhere.
    pub otp_length: u8,
    /// When the code or the call stops being good.
    pub expires_at: Moment,
    /// When another code may be asked for.
    pub resend_at: Moment,
}

/// Starts a login with the step that the account requires: a code, a phone call or the registry identifier.
async fn handler(
    State(state): State<ApiState>,
    Visit(visitor): Visit,
    Language(locale): Language,
    ValidJson(body): ValidJson<LoginRequest>,
) -> Result<Json<LoginStarted>, Refusal> {
    state.limits.count_login_attempt(visitor.address)?;
    let mut errors = FieldErrors::new();
    let request = account::LoginRequest {
        phone: take(body.phone, "phone", &mut errors),
        is_agree_with_terms: take(body.is_agree_with_terms, "is_agree_with_terms", &mut errors)
            .unwrap_or(false),
        by_call: take(body.by_call, "by_call", &mut errors).unwrap_or(false),
    };
    let start = state
        .services
        .accounts
        .start_login(request, errors, &visitor, locale)
        .await?;
    Ok(Json(LoginStarted::from(start)))
}

impl From<LoginStart> for LoginStarted {
    fn from(start: LoginStart) -> LoginStarted {
        LoginStarted {
            success: true,
            operation_id: start.operation.to_string(),
            is_phone_call: start.step == LoginStep::PhoneCall,
            transaction_id: start.transaction.map(|id| id.to_string()),
            call_digits: start.shown_digits,
            is_custom_otp_code: start.step == LoginStep::Custom,
            otp_length: start.code_digits,
            expires_at: start.expires_at.into(),
            resend_at: start.resend_at.into(),
        }
    }
}
