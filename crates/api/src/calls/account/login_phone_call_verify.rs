//! `POST /auth/login/phone-call/verify`: finishes a login by a confirmed phone call.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::Deserialize;

use super::opened::opened;
use super::session_cookie::{self, Cookies, WithCookies};
use crate::call::Call;
use crate::http::extract::ValidJson;
use crate::http::fields::take;
use crate::http::refusal::Refusal;
use crate::http::visitor::Visit;
use crate::state::ApiState;
use crate::wire::{Given, SessionOpened};

pub fn call() -> Call {
    Call::post("/auth/login/phone-call/verify", handler, |docs| {
        docs.id("loginPhoneCallVerify")
            .tag("auth")
            .summary("Finish a login by a confirmed phone call")
    })
}

/// `POST /auth/login/phone-call/verify`.
#[derive(Deserialize, JsonSchema)]
pub struct PhoneCallVerifyRequest {
    /// The phone the login was started with.
    #[serde(default)]
    pub phone: Given<String>,
    /// From `POST /auth/login`.
    #[serde(default)]
    pub transaction_id: Given<String>,
}

async fn handler(
    State(state): State<ApiState>,
    Visit(visitor): Visit,
    Cookies(jar): Cookies,
    ValidJson(body): ValidJson<PhoneCallVerifyRequest>,
) -> Result<WithCookies<SessionOpened>, Refusal> {
    state.limits.count_login_attempt(visitor.address)?;
    let mut errors = FieldErrors::new();
    let phone = take(body.phone, "phone", &mut errors);
    let transaction = take(body.transaction_id, "transaction_id", &mut errors);
    let session = state
        .services
        .accounts
        .finish_login_by_phone_call(phone, transaction, errors, &visitor)
        .await?;
    let answer = opened(&state, &session)?;
    Ok(WithCookies(
        session_cookie::keep(&state.settings, jar, &session),
        answer,
    ))
}
