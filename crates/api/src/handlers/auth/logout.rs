//! `POST /auth/logout`.

use axum::extract::State;

use super::session_cookie::{self, Cookies, WithCookies};
use crate::extract::SignedIn;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Done;

/// Ends the session at once, here and for every tab.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Cookies(jar): Cookies,
) -> Result<WithCookies<Done>, Refusal> {
    state.app.log_out(who.notary, who.session).await?;
    Ok(WithCookies(
        session_cookie::forget(&state, jar),
        Done::carried_out(),
    ))
}
