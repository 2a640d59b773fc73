//! The pages for managing saved cards, shown in a frame. The acquirer offers no such pages.
//!
//! The frame's address contains a single-use ticket and works only when one of our own pages opens it. Otherwise a notary could be sent
//! a link with another person's ticket, see that person's cards and save her own card in that person's wallet. The ticket is exchanged
//! for a short-lived cookie that is valid for these pages only. The pages work without a script; the only script reports the height to
//! the surrounding page. A card is added on the acquirer's page for verifying a card without a charge, so the cabinet never receives a
//! card number.

mod page;

use std::time::Instant;

use axum::Form;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use cabinet_app::kernel::refusal::AppError;
use cabinet_domain::{Key, Locale};
use maud::Markup;
use serde::Deserialize;

use super::layout;
use crate::http::origin::RequestOrigin;
use crate::state::ApiState;
use crate::tokens::frame::{Holder, PassUse, Ticket};

/// Name over https. With the prefix `__Host-`, browsers reject the cookie from any other host.
const SECURE_COOKIE: &str = "__Host-cards_frame";
/// Name without https, for local use.
const PLAIN_COOKIE: &str = "cards_frame";
const PATH: &str = "/cards-frame";
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("height.js");

/// The pages of the frame.
pub fn routes() -> Router<ApiState> {
    Router::new()
        .route("/cards-frame", get(list))
        .route("/cards-frame/style.css", get(style))
        .route("/cards-frame/height.js", get(script))
        .route("/cards-frame/open/{ticket}", get(open))
        .route("/cards-frame/back", get(back_from_acquirer))
        .route("/cards-frame/add", post(add))
        .route("/cards-frame/delete", post(delete))
        .route("/cards-frame/restore", post(restore))
}

/// Returns the address of the frame with a single-use ticket.
///
/// # Errors
/// Returns an error when the signing library fails.
pub fn address(state: &ApiState, holder: &Holder) -> Result<String, AppError> {
    let ticket = state.frame_passes.issue(
        holder,
        PassUse::Ticket,
        state.services.now(),
        state.services.request_id(),
    );
    let ticket = ticket
        .map_err(|error| AppError::Broken(format!("a frame's ticket can't be signed: {error}")))?;
    Ok(format!("{}{PATH}/open/{ticket}", state.settings.public_url))
}

async fn style() -> Response {
    layout::file("text/css; charset=utf-8", STYLE)
}

async fn script() -> Response {
    layout::file("text/javascript; charset=utf-8", SCRIPT)
}

/// Query of the list: the result of the action before it.
#[derive(Default, Deserialize)]
struct Said {
    #[serde(default)]
    done: String,
    #[serde(default)]
    failed: String,
}

/// Exchanges the ticket for the cookie.
async fn open(
    State(state): State<ApiState>,
    headers: HeaderMap,
    jar: CookieJar,
    Path(ticket): Path<String>,
) -> Response {
    if !is_opened_by_us(state.settings.secure, &headers) {
        return closed(&state, Locale::Uk);
    }
    let now = state.services.now();
    let Some(Ticket { holder, id, until }) = state.frame_passes.read_ticket(&ticket, now) else {
        return closed(&state, Locale::Uk);
    };
    match state.services.saved_cards.use_ticket(id, until).await {
        Ok(true) => {}
        Ok(false) => return closed(&state, holder.locale),
        Err(error) => {
            error.log("A ticket can't be used", Instant::now());
            return closed(&state, holder.locale);
        }
    }
    match state
        .frame_passes
        .issue(&holder, PassUse::Cookie, now, state.services.request_id())
    {
        Ok(pass) => {
            let cookie = Cookie::build((cookie_name(&state), pass))
                .http_only(true)
                .secure(state.settings.secure)
                .same_site(SameSite::Strict)
                .path("/")
                .build();
            // The redirect removes the ticket from the address.
            (jar.add(cookie), Redirect::to(PATH)).into_response()
        }
        Err(_) => closed(&state, holder.locale),
    }
}

fn cookie_name(state: &ApiState) -> &'static str {
    if state.settings.secure {
        SECURE_COOKIE
    } else {
        PLAIN_COOKIE
    }
}

/// Returns whether one of our own pages opened this in a frame, and not a link from another origin, including other hosts of our
/// domain. Browsers send Fetch Metadata to https and to this machine, all of them since 2023. Over https a request without it is
/// refused, as it tells nothing about who opened the address. Without https, for local use, a request without it is accepted.
fn is_opened_by_us(secure: bool, headers: &HeaderMap) -> bool {
    let says = |name: &str, value: &str| {
        headers
            .get(name)
            .map_or(!secure, |said| said.as_bytes() == value.as_bytes())
    };
    says("sec-fetch-site", "same-origin") && says("sec-fetch-dest", "iframe")
}

/// The return page after the acquirer's page. A navigation from another site carries no `SameSite=Strict` cookie, so this page redirects
/// by itself, and the request after that carries the cookie.
async fn back_from_acquirer(State(state): State<ApiState>) -> Response {
    page(&state, StatusCode::OK, page::back())
}

/// Returns the holder of the cookie if the session is alive.
async fn holder(state: &ApiState, jar: &CookieJar) -> Option<Holder> {
    let pass = jar.get(cookie_name(state))?;
    let holder = state
        .frame_passes
        .read(pass.value(), state.services.now())?;
    let alive = state
        .services
        .accounts
        .is_session_alive(holder.notary, holder.session)
        .await
        .ok()?;
    alive.then_some(holder)
}

fn page(state: &ApiState, status: StatusCode, html: Markup) -> Response {
    let targets = state.settings.frame_origins.join(" ");
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; form-action 'self' {targets}; base-uri 'none'; frame-ancestors 'self'; report-uri /api/csp-report; report-to csp"
    );
    // If an origin is not a valid header value, block everything instead of sending no policy.
    let policy =
        HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    layout::answer(status, "no-store", policy, html)
}

fn closed(state: &ApiState, locale: Locale) -> Response {
    page(state, StatusCode::FORBIDDEN, page::closed(locale))
}

async fn list(State(state): State<ApiState>, jar: CookieJar, Query(said): Query<Said>) -> Response {
    let Some(holder) = holder(&state, &jar).await else {
        return closed(&state, Locale::Uk);
    };
    let notice = match (said.done.as_str(), Key::parse(&said.failed)) {
        ("deleted", _) => Some(page::Notice::Deleted),
        ("restored", _) => Some(page::Notice::Restored),
        (_, Some(key)) => Some(page::Notice::Failed(key)),
        _ => None,
    };
    if state.limits.count_acquirer_call(holder.notary).is_err() {
        return page(
            &state,
            StatusCode::TOO_MANY_REQUESTS,
            page::unavailable(Key::TooManyRequests, holder.locale),
        );
    }
    match state.services.saved_cards.contents(holder.notary).await {
        Ok(wallet) => page(
            &state,
            StatusCode::OK,
            page::cards(&wallet, holder.locale, notice),
        ),
        Err(error) => page(
            &state,
            StatusCode::SERVICE_UNAVAILABLE,
            page::unavailable(key_of(&error), holder.locale),
        ),
    }
}

fn key_of(error: &AppError) -> Key {
    match error {
        AppError::Refused(refusal) => refusal.key,
        other => {
            other.log("The cards frame failed by a fault of ours", Instant::now());
            Key::InternalError
        }
    }
}

fn back(outcome: &str, value: &str) -> Response {
    Redirect::to(&format!("{PATH}?{outcome}={value}")).into_response()
}

async fn add(State(state): State<ApiState>, headers: HeaderMap, jar: CookieJar) -> Response {
    let holder = match changing(&state, &headers, &jar).await {
        Ok(holder) => holder,
        Err(answer) => return answer,
    };
    let return_url = format!("{}{PATH}/back", state.settings.public_url);
    match state
        .services
        .saved_cards
        .add(holder.notary, holder.locale, return_url)
        .await
    {
        Ok(url) => Redirect::to(&url).into_response(),
        Err(error) => back("failed", key_of(&error).as_str()),
    }
}

/// The form of a button beside a card.
#[derive(Deserialize)]
struct Chosen {
    #[serde(default)]
    token: String,
}

async fn delete(
    State(state): State<ApiState>,
    origin: RequestOrigin,
    headers: HeaderMap,
    jar: CookieJar,
    Form(form): Form<Chosen>,
) -> Response {
    let holder = match changing(&state, &headers, &jar).await {
        Ok(holder) => holder,
        Err(answer) => return answer,
    };
    let cards = &state.services.saved_cards;
    let origin = origin.by_notary(holder.notary);
    match cards.remove(holder.notary, &form.token, origin).await {
        Ok(()) => back("done", "deleted"),
        Err(error) => back("failed", key_of(&error).as_str()),
    }
}

async fn restore(
    State(state): State<ApiState>,
    origin: RequestOrigin,
    headers: HeaderMap,
    jar: CookieJar,
    Form(form): Form<Chosen>,
) -> Response {
    let holder = match changing(&state, &headers, &jar).await {
        Ok(holder) => holder,
        Err(answer) => return answer,
    };
    let cards = &state.services.saved_cards;
    let origin = origin.by_notary(holder.notary);
    match cards.restore(holder.notary, &form.token, origin).await {
        Ok(()) => back("done", "restored"),
        Err(error) => back("failed", key_of(&error).as_str()),
    }
}

/// Returns who may change the cards now, or else the answer: a request of another origin or without a session, or one too many.
async fn changing(
    state: &ApiState,
    headers: &HeaderMap,
    jar: &CookieJar,
) -> Result<Holder, Response> {
    let holder = holder(state, jar).await;
    let holder = holder.filter(|_| state.settings.is_own_origin(headers));
    let holder = holder.ok_or_else(|| closed(state, Locale::Uk))?;
    match state.limits.count_acquirer_call(holder.notary) {
        Ok(()) => Ok(holder),
        Err(_) => Err(back("failed", Key::TooManyRequests.as_str())),
    }
}
