//! `POST /auth/refresh`: replaces both tokens.

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as DocumentedResponse};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use cabinet_app::account::OpenedSession;
use cabinet_app::kernel::refusal::RefusalKind;
use cabinet_domain::Key;
use schemars::JsonSchema;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use super::opened::opened;
use super::session_cookie::{self, Cookies, WithCookies};
use crate::call::Call;
use crate::http::extract::{ValidQuery, bearer};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::{Refusal, RefusalBody};
use crate::state::ApiState;
use crate::wire::Moment;

pub fn call() -> Call {
    Call::post("/auth/refresh", handler, |docs| {
        docs.id("refresh")
            .tag("auth")
            .summary("Replace both tokens")
    })
}

/// Query of `POST /auth/refresh`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RefreshQuery {
    /// 1: nobody has touched the page since its tokens were replaced last, so the end of a session that is left alone stays.
    #[schemars(with = "Option<u8>")]
    pub background: Option<String>,
}

/// `POST /auth/refresh`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionRefreshed {
    /// Whose session it is: the `id` of `POST /auth/me`. A page drops what it asked for as another notary.
    pub notary_id: String,
    /// Short-lived; kept in memory only.
    pub access_token: String,
    /// Replaces the one that was used. Only for a client that sent its own as the Bearer token: a browser gets it in its cookie, which no
    /// script can read.
    pub refresh_token: Option<String>,
    /// Seconds until the access token expires.
    pub expires_in: i64,
    /// When the session ends unless it is refreshed before; the browser warns before it. A refresh moves this moment, but not beyond the
    /// longest time of a session. A refresh in the background does not move it.
    pub session_expires_at: Moment,
}

/// Replaces both tokens. A refresh in the background, of a page that nobody uses, does not extend an idle session. The refresh token
/// comes in the cookie, or as the Bearer token of a client without cookies.
async fn handler(
    State(state): State<ApiState>,
    origin: RequestOrigin,
    headers: HeaderMap,
    Cookies(jar): Cookies,
    ValidQuery(query): ValidQuery<RefreshQuery>,
) -> Result<WithCookies<SessionRefreshed>, Refused> {
    match refresh(&state, &headers, &jar, &query, origin).await {
        Ok((session, answer)) => Ok(WithCookies(
            session_cookie::keep(&state.settings, jar, &session),
            answer,
        )),
        // Only a cookie that came is removed: another site's request comes without it, and must not sign anybody out.
        Err(refusal)
            if refusal.is(RefusalKind::Unauthorized)
                && session_cookie::read(&state.settings, &jar).is_some() =>
        {
            Err(Refused {
                forgotten: Some(session_cookie::forget(&state.settings, jar)),
                refusal,
            })
        }
        Err(refusal) => Err(Refused {
            forgotten: None,
            refusal,
        }),
    }
}

async fn refresh(
    state: &ApiState,
    headers: &HeaderMap,
    jar: &CookieJar,
    query: &RefreshQuery,
    origin: RequestOrigin,
) -> Result<(OpenedSession, SessionRefreshed), Refusal> {
    let by_cookie = session_cookie::read(&state.settings, jar);
    let is_browser = by_cookie.is_some();
    // Browsers send the cookie automatically, so requests from other origins are refused.
    if is_browser && !state.settings.is_own_origin(headers) {
        return Err(Refusal::new(RefusalKind::Forbidden, Key::Forbidden));
    }
    let token = by_cookie
        .or_else(|| bearer(headers).map(SecretString::from))
        .ok_or_else(Refusal::unauthorized)?;
    let attended = query.background.as_deref() != Some("1");
    let session = state
        .services
        .accounts
        .refresh_session(&token, attended, origin.by_stranger())
        .await?;
    let opened = opened(state, &session)?;
    let answer = SessionRefreshed {
        notary_id: opened.notary_id,
        access_token: opened.access_token,
        // A browser gets it only in the cookie, which scripts can't read.
        refresh_token: (!is_browser).then(|| session.refresh_token.expose_secret().to_owned()),
        expires_in: opened.expires_in,
        session_expires_at: opened.session_expires_at,
    };
    Ok((session, answer))
}

/// A refused refresh. If the refresh token is invalid, its cookie is removed.
pub struct Refused {
    forgotten: Option<CookieJar>,
    refusal: Refusal,
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.forgotten, self.refusal).into_response()
    }
}

impl OperationOutput for Refused {
    type Inner = RefusalBody;

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, DocumentedResponse)> {
        Refusal::inferred_responses(ctx, operation)
    }
}
