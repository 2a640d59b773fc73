//! `POST /auth/login/otp`: finishes a login with the code from the message.

use axum::extract::State;
use cabinet_app::kernel::refusal::RefusalKind;
use cabinet_domain::{Key, LoginStep};

use super::login_code::{Finished, finish};
use super::session_cookie::{Cookies, WithCookies};
use crate::call::Call;
use crate::http::extract::{Language, ValidJson};
use crate::http::refusal::Refusal;
use crate::http::visitor::Visit;
use crate::state::ApiState;
use crate::wire::{LoginCodeRequest, SessionOpened};

pub fn call() -> Call {
    Call::post("/auth/login/otp", handler, |docs| {
        docs.id("loginOtp")
            .tag("auth")
            .summary("Finish a login with the code from the message")
    })
}

async fn handler(
    State(state): State<ApiState>,
    Visit(visitor): Visit,
    Language(locale): Language,
    Cookies(jar): Cookies,
    ValidJson(body): ValidJson<LoginCodeRequest>,
) -> Result<WithCookies<SessionOpened>, Refusal> {
    match finish(state, visitor, locale, jar, body, LoginStep::Otp).await? {
        Finished::Opened(opened) => Ok(opened),
        // Only the registry identifier is followed by a code.
        Finished::CodeSent(_) => Err(Refusal::new(RefusalKind::Conflict, Key::LoginStepWrong)),
    }
}
