//! `POST /auth/login/phone-call/verify`.

use axum::extract::State;
use cabinet_app::refusal::FieldErrors;

use super::login_code;
use super::session_cookie::{self, Cookies, WithCookies};
use crate::extract::{ClientAddress, ValidJson};
use crate::handlers::fields::take;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{PhoneCallVerifyRequest, SessionOpened};

/// Finishes a login by a confirmed phone call.
pub async fn handler(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    Cookies(jar): Cookies,
    ValidJson(body): ValidJson<PhoneCallVerifyRequest>,
) -> Result<WithCookies<SessionOpened>, Refusal> {
    state.limits.entering(address)?;
    let mut errors = FieldErrors::new();
    let phone = take(body.phone, "phone", &mut errors);
    let transaction = take(body.transaction_id, "transaction_id", &mut errors);
    let session = state
        .app
        .finish_call_login(phone, transaction, errors)
        .await?;
    let answer = login_code::opened(&state, &session)?;
    Ok(WithCookies(
        session_cookie::keep(&state, jar, &session),
        answer,
    ))
}
