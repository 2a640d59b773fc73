//! The cookies with the refresh token and with the token of the device. Scripts can't read them.

use std::convert::Infallible;

use aide::generate::GenContext;
use aide::openapi::{Operation, Response as DocumentedResponse};
use aide::{OperationInput, OperationOutput};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use cabinet_app::account::OpenedSession;
use schemars::JsonSchema;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;

use crate::http::json::Json;
use crate::settings::ApiSettings;

/// A cookie under its two names. With the prefix `__Host-`, browsers reject it from any other host or path; without https, for
/// local use, they would reject the prefix.
struct Name {
    secure: &'static str,
    plain: &'static str,
}

const REFRESH_TOKEN: Name = Name {
    secure: "__Host-refresh_token",
    plain: "refresh_token",
};
const DEVICE: Name = Name {
    secure: "__Host-device",
    plain: "device",
};

impl Name {
    const fn of(&self, settings: &ApiSettings) -> &'static str {
        if settings.secure {
            self.secure
        } else {
            self.plain
        }
    }

    fn cookie(&self, settings: &ApiSettings, value: String, seconds: i64) -> Cookie<'static> {
        Cookie::build((self.of(settings), value))
            .http_only(true)
            .secure(settings.secure)
            .same_site(SameSite::Strict)
            .path("/")
            .max_age(time::Duration::seconds(seconds))
            .build()
    }

    fn read(&self, settings: &ApiSettings, jar: &CookieJar) -> Option<SecretString> {
        jar.get(self.of(settings))
            .map(|cookie| SecretString::from(cookie.value().to_owned()))
            .filter(|token| !token.expose_secret().is_empty())
    }
}

/// Adds the refresh token of a session to the cookies, and the token of its device if there is a new entry.
pub fn keep(settings: &ApiSettings, jar: CookieJar, session: &OpenedSession) -> CookieJar {
    let jar = jar.add(REFRESH_TOKEN.cookie(
        settings,
        session.refresh_token.expose_secret().to_owned(),
        session.refresh_lifetime.as_secs(),
    ));
    match &session.device_token {
        Some(token) => jar.add(DEVICE.cookie(
            settings,
            token.expose_secret().to_owned(),
            OpenedSession::DEVICE_LIFETIME.as_secs(),
        )),
        None => jar,
    }
}

/// Removes the refresh token from the browser. The device stays known.
pub fn forget(settings: &ApiSettings, jar: CookieJar) -> CookieJar {
    jar.add(REFRESH_TOKEN.cookie(settings, String::new(), 0))
}

/// Returns the refresh token of a request.
pub fn read(settings: &ApiSettings, jar: &CookieJar) -> Option<SecretString> {
    REFRESH_TOKEN.read(settings, jar)
}

/// Returns the device's token of a request.
pub fn read_device(settings: &ApiSettings, jar: &CookieJar) -> Option<SecretString> {
    DEVICE.read(settings, jar)
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
