//! Finishing a login with a code, shared by the code from a message and the registry identifier.

use std::net::IpAddr;

use axum_extra::extract::CookieJar;
use cabinet_app::refusal::FieldErrors;
use cabinet_domain::LoginStep;

use super::opened::opened;
use super::session_cookie::{self, WithCookies};
use crate::fields::take;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{LoginCodeRequest, SessionOpened};

/// Finishes a login with a code.
///
/// # Errors
/// Refused when the code does not belong to the login.
pub async fn finish(
    state: ApiState,
    address: IpAddr,
    jar: CookieJar,
    body: LoginCodeRequest,
    step: LoginStep,
) -> Result<WithCookies<SessionOpened>, Refusal> {
    state.limits.count_login_attempt(address)?;
    let mut errors = FieldErrors::new();
    let phone = take(body.phone, "phone", &mut errors);
    let code = take(body.otp_code, "otp_code", &mut errors);
    let operation = take(body.operation_id, "operation_id", &mut errors);
    let session = state
        .services
        .accounts
        .finish_login(step, phone, code, operation, errors)
        .await?;
    let answer = opened(&state, &session)?;
    Ok(WithCookies(
        session_cookie::keep(&state.settings, jar, &session),
        answer,
    ))
}
