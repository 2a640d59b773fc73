//! The cookie with the refresh token. Scripts can't read it.

use std::convert::Infallible;

use aide::generate::GenContext;
use aide::openapi::{Operation, Response as DocumentedResponse};
use aide::{OperationInput, OperationOutput};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use cabinet_app::accounts::OpenedSession;
use schemars::JsonSchema;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;

use crate::json::Json;
use crate::settings::ApiSettings;

/// Name over https. With the prefix `__Host-`, browsers reject the cookie from any other host or path.
const SECURE_NAME: &str = "__Host-refresh_token";
/// Name without https, for local use.
const PLAIN_NAME: &str = "refresh_token";

fn name(settings: &ApiSettings) -> &'static str {
    if settings.secure {
        SECURE_NAME
    } else {
        PLAIN_NAME
    }
}

fn cookie(settings: &ApiSettings, value: String, seconds: i64) -> Cookie<'static> {
    Cookie::build((name(settings), value))
        .http_only(true)
        .secure(settings.secure)
        .same_site(SameSite::Strict)
        .path("/")
        .max_age(time::Duration::seconds(seconds))
        .build()
}

/// Adds the refresh token of a session to the cookies.
pub fn keep(settings: &ApiSettings, jar: CookieJar, session: &OpenedSession) -> CookieJar {
    jar.add(cookie(
        settings,
        session.refresh_token.expose_secret().to_owned(),
        session.refresh_lifetime.as_secs(),
    ))
}

/// Removes the refresh token from the browser.
pub fn forget(settings: &ApiSettings, jar: CookieJar) -> CookieJar {
    jar.add(cookie(settings, String::new(), 0))
}

/// Returns the refresh token of a request.
pub fn read(settings: &ApiSettings, jar: &CookieJar) -> Option<SecretString> {
    jar.get(name(settings))
        .map(|cookie| SecretString::from(cookie.value().to_owned()))
        .filter(|token| !token.expose_secret().is_empty())
}

/// The cookies of a request. A wrapper, because `aide` does not implement its traits for the version of `CookieJar` in use.
pub struct Cookies(pub CookieJar);

impl<S: Send + Sync> FromRequestParts<S> for Cookies {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Cookies(CookieJar::from_headers(&parts.headers)))
    }
}

impl OperationInput for Cookies {}

/// A JSON answer that also sets cookies.
pub struct WithCookies<T>(pub CookieJar, pub T);

impl<T: Serialize> IntoResponse for WithCookies<T> {
    fn into_response(self) -> Response {
        (self.0, Json(self.1)).into_response()
    }
}

impl<T: JsonSchema> OperationOutput for WithCookies<T> {
    type Inner = T;

    fn operation_response(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Option<DocumentedResponse> {
        Json::<T>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, DocumentedResponse)> {
        Json::<T>::inferred_responses(ctx, operation)
    }
}
