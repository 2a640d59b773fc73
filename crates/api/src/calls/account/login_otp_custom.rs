//! `POST /auth/login/otp/custom`: finishes a login with the registry identifier.

use axum::extract::State;
use cabinet_domain::LoginStep;
use schemars::JsonSchema;
use serde::Serialize;

use super::login::LoginStarted;
use super::login_code::{Finished, finish};
use super::session_cookie::{Cookies, WithCookies};
use crate::call::Call;
use crate::http::extract::{Language, ValidJson};
use crate::http::refusal::Refusal;
use crate::http::visitor::Visit;
use crate::state::ApiState;
use crate::wire::{LoginCodeRequest, SessionOpened};

pub fn call() -> Call {
    Call::post("/auth/login/otp/custom", handler, |docs| {
        docs.id("loginOtpCustom")
            .tag("auth")
            .summary("Finish a login with the registry identifier")
    })
}

/// The registry identifier is right.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum IdentifierAccepted {
    /// A session was opened.
    Opened(SessionOpened),
    /// On a new device a code must follow, if the operator wants it.
    CodeSent(LoginStarted),
}

/// Finishes a login with the registry identifier. On a new device a code may have to follow.
async fn handler(
    State(state): State<ApiState>,
    Visit(visitor): Visit,
    Language(locale): Language,
    Cookies(jar): Cookies,
    ValidJson(body): ValidJson<LoginCodeRequest>,
) -> Result<WithCookies<IdentifierAccepted>, Refusal> {
    let unchanged = jar.clone();
    Ok(
        match finish(state, visitor, locale, jar, body, LoginStep::Custom).await? {
            Finished::Opened(WithCookies(jar, opened)) => {
                WithCookies(jar, IdentifierAccepted::Opened(opened))
            }
            Finished::CodeSent(started) => {
                WithCookies(unchanged, IdentifierAccepted::CodeSent(started))
            }
        },
    )
}
