//! Finishing a login with a code, shared by the code from a message and the registry identifier.

use axum_extra::extract::CookieJar;
use cabinet_app::account::{LoginCodeFields, LoginFinish, Visitor};
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::{Locale, LoginStep};

use super::login::LoginStarted;
use super::opened::opened;
use super::session_cookie::{self, WithCookies};
use crate::http::fields::take;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{LoginCodeRequest, SessionOpened};

/// Finishes a login with a code.
///
/// # Errors
/// Refused when the code does not belong to the login.
pub async fn finish(
    state: ApiState,
    visitor: Visitor,
    locale: Locale,
    jar: CookieJar,
    body: LoginCodeRequest,
    step: LoginStep,
) -> Result<Finished, Refusal> {
    state.limits.count_login_attempt(visitor.address)?;
    let mut errors = FieldErrors::new();
    let fields = LoginCodeFields {
        phone: take(body.phone, "phone", &mut errors),
        otp_code: take(body.otp_code, "otp_code", &mut errors),
        operation_id: take(body.operation_id, "operation_id", &mut errors),
    };
    let finish = state
        .services
        .accounts
        .finish_login(step, fields, errors, &visitor, locale)
        .await?;
    Ok(match finish {
        LoginFinish::Opened(session) => {
            let answer = opened(&state, &session)?;
            let jar = session_cookie::keep(&state.settings, jar, &session);
            Finished::Opened(WithCookies(jar, answer))
        }
        LoginFinish::CodeSent(start) => Finished::CodeSent(LoginStarted::from(start)),
    })
}

/// What a right code has led to.
pub enum Finished {
    /// A session.
    Opened(WithCookies<SessionOpened>),
    /// A code that follows the registry identifier.
    CodeSent(LoginStarted),
}
