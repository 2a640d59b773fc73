//! `POST /auth/login/otp`: finishes a login with the code from the message.

use axum::extract::State;
use cabinet_domain::LoginStep;

use super::login_code::finish;
use super::session_cookie::{Cookies, WithCookies};
use crate::call::Call;
use crate::extract::{ClientAddress, ValidJson};
use crate::refusal::Refusal;
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
    ClientAddress(address): ClientAddress,
    Cookies(jar): Cookies,
    ValidJson(body): ValidJson<LoginCodeRequest>,
) -> Result<WithCookies<SessionOpened>, Refusal> {
    finish(state, address, jar, body, LoginStep::Otp).await
}
