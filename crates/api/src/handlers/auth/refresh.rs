//! `POST /auth/refresh`.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use cabinet_app::refusal::Sort;
use cabinet_domain::Key;
use secrecy::{ExposeSecret, SecretString};

use super::session_cookie::{self, Cookies, WithCookies};
use crate::access_token::{Caller, LIFETIME};
use crate::extract::ValidQuery;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{RefreshQuery, SessionRefreshed};

/// Replaces both tokens; in the background, that is for a page that nobody has touched, without moving the end of a session that is
/// left alone. The refresh token comes in the cookie, or as the Bearer token of a client without cookies.
pub async fn handler(
    State(state): State<ApiState>,
    headers: HeaderMap,
    Cookies(jar): Cookies,
    ValidQuery(query): ValidQuery<RefreshQuery>,
) -> Result<WithCookies<SessionRefreshed>, Failed> {
    let by_cookie = session_cookie::read(&state, &jar);
    // A cookie travels by itself, so a page of somebody else's must not be able to send it.
    if by_cookie.is_some() && !state.is_own_origin(&headers) {
        return Err(Failed(
            state.clone(),
            jar,
            Refusal::new(Sort::Forbidden, Key::Forbidden),
        ));
    }
    let by_header = || {
        let text = headers
            .get(header::AUTHORIZATION)?
            .to_str()
            .ok()?
            .strip_prefix("Bearer ")?;
        Some(SecretString::from(text.to_owned()))
    };
    let is_browser = by_cookie.is_some();
    let Some(token) = by_cookie.or_else(by_header) else {
        return Err(Failed(state.clone(), jar, Refusal::unauthorized()));
    };
    let attended = query.background.as_deref() != Some("1");
    let session = match state.app.refresh_session(&token, attended).await {
        Ok(session) => session,
        Err(error) => return Err(Failed(state.clone(), jar, error.into())),
    };
    let caller = Caller {
        notary: session.notary,
        session: session.session,
    };
    let access_token = match state.access_token(caller) {
        Ok(token) => token,
        Err(refusal) => return Err(Failed(state.clone(), jar, refusal)),
    };
    let answer = SessionRefreshed {
        access_token,
        // No script of a page ever sees it.
        refresh_token: (!is_browser).then(|| session.refresh_token.expose_secret().to_owned()),
        expires_in: LIFETIME.as_secs(),
        session_expires_at: session.session_expires_at.into(),
    };
    Ok(WithCookies(
        session_cookie::keep(&state, jar, &session),
        answer,
    ))
}

/// A refresh that was refused; a cookie that is good for nothing any more is taken back.
pub struct Failed(ApiState, CookieJar, Refusal);

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        let Failed(state, jar, refusal) = self;
        let dead =
            matches!(&refusal, Refusal::Refused(refused) if refused.sort == Sort::Unauthorized);
        if dead {
            (session_cookie::forget(&state, jar), refusal).into_response()
        } else {
            refusal.into_response()
        }
    }
}

impl aide::OperationOutput for Failed {
    type Inner = crate::refusal::RefusalBody;

    fn inferred_responses(
        ctx: &mut aide::generate::GenContext,
        operation: &mut aide::openapi::Operation,
    ) -> Vec<(Option<u16>, aide::openapi::Response)> {
        Refusal::inferred_responses(ctx, operation)
    }
}
