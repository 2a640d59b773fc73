//! `POST /auth/sign-up`: creates an account.

use axum::extract::State;
use cabinet_app::account;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::opened::opened;
use super::session_cookie::{self, Cookies, WithCookies};
use crate::call::Call;
use crate::http::extract::{Language, ValidJson};
use crate::http::fields::take;
use crate::http::refusal::Refusal;
use crate::http::visitor::Visit;
use crate::state::ApiState;
use crate::wire::{Given, Moment};

pub fn call() -> Call {
    Call::post("/auth/sign-up", handler, |docs| {
        docs.id("signUp").tag("auth").summary("Make an account")
    })
}

/// `POST /auth/sign-up`.
#[derive(Deserialize, JsonSchema)]
pub struct SignUpRequest {
    /// Surname, name, patronymic.
    #[serde(default)]
    pub full_name: Given<String>,
    /// The phone in any usual form.
    #[serde(default)]
    pub phone: Given<String>,
    /// 4 to 15 letters and digits.
    #[serde(default)]
    pub registry_identifier: Given<String>,
    /// Must be true.
    #[serde(default)]
    pub is_agreed: Given<bool>,
}

/// An account was made; its phone waits to be verified.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignUpStarted {
    /// Good for `/auth/sign-up/verify` alone until the phone is verified.
    pub access_token: String,
    /// Names this sign-up; the code is good for it alone.
    pub operation_id: String,
    /// Number of digits of the code.
    pub otp_length: u8,
    /// When the code stops being good.
    pub expires_at: Moment,
    /// When another code may be asked for.
    pub resend_at: Moment,
}

/// Creates an account. Until its phone is verified, the session is valid only for `/auth/sign-up/verify`.
async fn handler(
    State(state): State<ApiState>,
    Visit(visitor): Visit,
    Language(locale): Language,
    Cookies(jar): Cookies,
    ValidJson(body): ValidJson<SignUpRequest>,
) -> Result<WithCookies<SignUpStarted>, Refusal> {
    state.limits.count_login_attempt(visitor.address)?;
    let mut errors = FieldErrors::new();
    let request = account::SignUpRequest {
        full_name: take(body.full_name, "full_name", &mut errors),
        phone: take(body.phone, "phone", &mut errors),
        registry_identifier: take(body.registry_identifier, "registry_identifier", &mut errors),
        is_agreed: take(body.is_agreed, "is_agreed", &mut errors).unwrap_or(false),
    };
    let start = state
        .services
        .accounts
        .sign_up(request, errors, &visitor, locale)
        .await?;
    let answer = SignUpStarted {
        access_token: opened(&state, &start.session)?.access_token,
        operation_id: start.code.operation.to_string(),
        otp_length: start.code.code_digits,
        expires_at: start.code.expires_at.into(),
        resend_at: start.code.resend_at.into(),
    };
    Ok(WithCookies(
        session_cookie::keep(&state.settings, jar, &start.session),
        answer,
    ))
}
