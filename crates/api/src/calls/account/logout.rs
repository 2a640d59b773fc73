//! `POST /auth/logout`: ends the session.

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as DocumentedResponse};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};

use super::session_cookie::{self, Cookies, WithCookies};
use crate::call::Call;
use crate::http::extract::MaybeSession;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Done;

pub fn call() -> Call {
    Call::post("/auth/logout", handler, |docs| {
        docs.id("logout").tag("auth").summary("End the session")
    })
}

/// Ends the session at once, in all tabs, with its realtime connections. The session is that of the access token; where the token
/// has expired, that of the cookie.
async fn handler(
    State(state): State<ApiState>,
    MaybeSession(who): MaybeSession,
    origin: RequestOrigin,
    headers: HeaderMap,
    Cookies(jar): Cookies,
) -> Result<SignedOut, Refusal> {
    let accounts = &state.services.accounts;
    let cookie = session_cookie::read(&state.settings, &jar)
        .filter(|_| state.settings.is_own_origin(&headers));
    if who.is_none() && cookie.is_none() {
        return Err(Refusal::unauthorized());
    }
    if let Some(who) = who {
        let origin = origin.clone().by(who);
        accounts.log_out(who.notary, who.session, origin).await?;
    }
    if let Some(token) = &cookie {
        accounts
            .log_out_by_token(token, origin.by_stranger())
            .await?;
    }
    Ok(SignedOut(WithCookies(
        session_cookie::forget(&state.settings, jar),
        Done::carried_out(),
    )))
}

/// The session is over, and the browser forgets what it keeps of earlier answers. Its storage is left to the page, which keeps the
/// language and the theme there and removes the rest.
pub struct SignedOut(WithCookies<Done>);

impl IntoResponse for SignedOut {
    fn into_response(self) -> Response {
        let forget = [("clear-site-data", "\"cache\"")];
        (forget, self.0).into_response()
    }
}

impl OperationOutput for SignedOut {
    type Inner = Done;

    fn operation_response(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Option<DocumentedResponse> {
        WithCookies::<Done>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, DocumentedResponse)> {
        WithCookies::<Done>::inferred_responses(ctx, operation)
    }
}
