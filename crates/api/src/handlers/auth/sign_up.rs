//! `POST /auth/sign-up`.

use axum::extract::State;
use cabinet_app::auth::SignUpWish;
use cabinet_app::refusal::FieldErrors;

use super::login_code;
use super::session_cookie::{self, Cookies, WithCookies};
use crate::extract::{ClientAddress, Language, ValidJson};
use crate::handlers::fields::take;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{SignUpRequest, SignUpStarted};

/// Makes an account; its session can only verify the phone until it is verified.
pub async fn handler(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    Language(locale): Language,
    Cookies(jar): Cookies,
    ValidJson(body): ValidJson<SignUpRequest>,
) -> Result<WithCookies<SignUpStarted>, Refusal> {
    state.limits.entering(address)?;
    let mut errors = FieldErrors::new();
    let wish = SignUpWish {
        full_name: take(body.full_name, "full_name", &mut errors),
        phone: take(body.phone, "phone", &mut errors),
        registry_identifier: take(body.registry_identifier, "registry_identifier", &mut errors),
        is_agreed: take(body.is_agreed, "is_agreed", &mut errors).unwrap_or(false),
    };
    let start = state.app.sign_up(wish, errors, address, locale).await?;
    let answer = SignUpStarted {
        access_token: login_code::opened(&state, &start.session)?.access_token,
        operation_id: start.code.operation.to_string(),
        expires_at: start.code.expires_at.into(),
        resend_at: start.code.resend_at.into(),
    };
    Ok(WithCookies(
        session_cookie::keep(&state, jar, &start.session),
        answer,
    ))
}
