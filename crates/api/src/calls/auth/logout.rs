//! `POST /auth/logout`: ends the session.

use axum::extract::State;

use super::session_cookie::{self, Cookies, WithCookies};
use crate::call::Call;
use crate::extract::SignedIn;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Done;

pub fn call() -> Call {
    Call::post("/auth/logout", handler, |docs| {
        docs.id("logout").tag("auth").summary("End the session")
    })
}

/// Ends the session at once, in all tabs.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Cookies(jar): Cookies,
) -> Result<WithCookies<Done>, Refusal> {
    state
        .services
        .accounts
        .log_out(who.notary, who.session)
        .await?;
    Ok(WithCookies(
        session_cookie::forget(&state.settings, jar),
        Done::carried_out(),
    ))
}
