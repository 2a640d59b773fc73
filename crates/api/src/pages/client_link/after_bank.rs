//! The way back from the acquirer's page.
//!
//! The acquirer leads every payer to one address of the order, which is a page of the notary's cabinet. A client who pressed the button on
//! the page of a link has a cookie for this address alone, and is led back to that page. So the acquirer never learns the token, and it
//! does not matter who had the acquirer's page made. Where the link opens nothing any more, the client is told not to pay again. A browser
//! without the cookie gets the cabinet's page, whose login says the same.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use cabinet_app::client_link::PayPage;
use cabinet_domain::Locale;
use secrecy::SecretString;

use super::{answer, secrecy_headers, view};
use crate::http::client_address;
use crate::http::extract::Language;
use crate::settings::ApiSettings;
use crate::state::ApiState;

/// The longest time between the press of the button and the way back: an acquirer's page lives for a day.
const SECONDS_MAX: i64 = 24 * 3600;

/// Returns the name of the cookie. With the prefix, browsers take it from https only.
const fn name(settings: &ApiSettings) -> &'static str {
    if settings.secure {
        "__Secure-client_link"
    } else {
        "client_link"
    }
}

/// Returns the cookie that leads back to the page of a link, in the language in which it was shown.
pub fn cookie(
    settings: &ApiSettings,
    token: &str,
    locale: Locale,
    page: &PayPage,
) -> Cookie<'static> {
    let seconds = page.seconds.clamp(0, SECONDS_MAX);
    Cookie::build((name(settings), format!("{token}.{}", locale.code())))
        .http_only(true)
        .secure(settings.secure)
        // The way back is a navigation from another site.
        .same_site(SameSite::Lax)
        .path(format!("/order/{}/payment-status", page.order))
        .max_age(time::Duration::seconds(seconds))
        .build()
}

/// `GET /order/{id}/payment-status`: the page of the client's link, or that of the cabinet.
pub async fn returned_from_bank<F, Fut>(
    State(state): State<ApiState>,
    Language(locale): Language,
    headers: HeaderMap,
    request: Request,
    pages: F,
) -> Response
where
    F: Fn(Request) -> Fut,
    Fut: Future<Output = Response>,
{
    let jar = CookieJar::from_headers(&headers);
    if let Some(cookie) = jar.get(name(&state.settings)) {
        let address = client_address::of_request(&state, &headers, request.extensions());
        let counted = address.map(|address| state.limits.count_client_request(address));
        if counted.is_some_and(|counted| counted.is_err()) {
            return answer(
                &state,
                StatusCode::TOO_MANY_REQUESTS,
                view::too_many(view::PageOf::Order, locale),
            );
        }
        let (token, language) = cookie
            .value()
            .split_once('.')
            .unwrap_or((cookie.value(), ""));
        let locale = Locale::parse(language).unwrap_or(locale);
        let links = &state.services.client_links;
        let order = links.order_of(&SecretString::from(token.to_owned())).await;
        let is_way_back = match order {
            Ok(Some(order)) => request.uri().path() == format!("/order/{order}/payment-status"),
            // It was withdrawn or replaced, or has ended, while the client was at the bank. The cookie is for this order alone.
            Ok(None) => return answer(&state, StatusCode::OK, view::after_bank(locale)),
            // While the database is away: that page asks again by itself, and the cabinet's would want a login.
            Err(_) => true,
        };
        if is_way_back {
            let page = format!("/pay/{token}?language={}", locale.code());
            return (secrecy_headers(), Redirect::to(&page)).into_response();
        }
    }
    pages(request).await
}
