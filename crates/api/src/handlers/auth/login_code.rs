//! `POST /auth/login/otp` and `POST /auth/login/otp/custom`.

use std::net::IpAddr;

use axum::extract::State;
use axum_extra::extract::CookieJar;
use cabinet_app::auth::OpenedSession;
use cabinet_app::refusal::FieldErrors;
use cabinet_domain::LoginStep;

use super::session_cookie::{self, Cookies, WithCookies};
use crate::access_token::{Caller, LIFETIME};
use crate::extract::{ClientAddress, ValidJson};
use crate::handlers::fields::take;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{LoginCodeRequest, SessionOpened};

/// Finishes a login with the code from the message.
pub async fn otp(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    Cookies(jar): Cookies,
    ValidJson(body): ValidJson<LoginCodeRequest>,
) -> Result<WithCookies<SessionOpened>, Refusal> {
    finish(state, address, jar, body, LoginStep::Otp).await
}

/// Finishes a login with the registry identifier.
pub async fn custom(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    Cookies(jar): Cookies,
    ValidJson(body): ValidJson<LoginCodeRequest>,
) -> Result<WithCookies<SessionOpened>, Refusal> {
    finish(state, address, jar, body, LoginStep::Custom).await
}

async fn finish(
    state: ApiState,
    address: IpAddr,
    jar: CookieJar,
    body: LoginCodeRequest,
    step: LoginStep,
) -> Result<WithCookies<SessionOpened>, Refusal> {
    state.limits.entering(address)?;
    let mut errors = FieldErrors::new();
    let phone = take(body.phone, "phone", &mut errors);
    let code = take(body.otp_code, "otp_code", &mut errors);
    let operation = take(body.operation_id, "operation_id", &mut errors);
    let session = state
        .app
        .finish_login(step, phone, code, operation, errors)
        .await?;
    let answer = opened(&state, &session)?;
    Ok(WithCookies(
        session_cookie::keep(&state, jar, &session),
        answer,
    ))
}

/// The access token of a session that was just opened.
pub(super) fn opened(state: &ApiState, session: &OpenedSession) -> Result<SessionOpened, Refusal> {
    let caller = Caller {
        notary: session.notary,
        session: session.session,
    };
    Ok(SessionOpened {
        access_token: state.access_token(caller)?,
        expires_in: LIFETIME.as_secs(),
        session_expires_at: session.session_expires_at.into(),
    })
}
