//! The page of a client's link: what is paid, to whom, and how to pay it, without a login (decision 41); and that of a letter about the
//! receipt (decision 76).
//!
//! The token in the address is the only key, so the page is cached nowhere, is found by no search engine, and is named to no other site.
//! Every token that opens nothing gets the same answer. The page works without a script; the only script asks how the payment stands.

mod after_bank;
mod letters;
mod notice;
mod view;
mod words;

use std::net::IpAddr;
use std::time::Instant;

use axum::Form;
use axum::Router;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum_extra::extract::CookieJar;
use cabinet_app::documents::ReceiptRequest;
use cabinet_app::kernel::refusal::AppError;
use cabinet_domain::{Email, Key, Locale, Origin, names_payment_card};
use cabinet_receipts::ReceiptKind;
use maud::Markup;
use secrecy::SecretString;
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;

use self::view::{Before, Done, PageOf, Said};
use super::layout;
use crate::http::carry_through::carry_through;
use crate::http::extract::{ClientAddress, Language};
use crate::http::file::{FileAnswer, Pdf};
use crate::http::origin::RequestOrigin;
use crate::state::ApiState;

pub use after_bank::returned_from_bank;

const STYLE: &str = concat!(
    include_str!("../offer/style.css"),
    include_str!("style.css")
);
const SCRIPT: &str = include_str!("follow.js");

/// The routes of the page, and of the page that ends letters.
pub fn routes() -> Router<ApiState> {
    Router::new()
        .route("/pay/style.css", get(style))
        .route("/pay/follow.js", get(script))
        .route("/pay/{token}", get(page))
        .route("/pay/{token}/state", get(status))
        .route("/pay/{token}/card", get(to_page).post(card))
        .route("/pay/{token}/codes", get(to_page).post(codes))
        .route("/pay/{token}/receipt", get(receipt))
        .route("/pay/{token}/mail", get(to_page).post(mail))
        .route("/letters/{token}", get(letters::page).post(letters::stop))
        .route(
            "/letters/{token}/receipt",
            get(to_page).post(letters::receipt),
        )
}

/// The address of a form's answer, opened again: the page with the form.
async fn to_page(address: Uri) -> Response {
    let page = address.path().rsplit_once('/').map_or("", |(page, _)| page);
    let token = page.rsplit('/').next().unwrap_or_default();
    // No link has other characters, and not each of them may stand in a header.
    let is_token = token
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    if !is_token {
        return (StatusCode::NOT_FOUND, secrecy_headers()).into_response();
    }
    (secrecy_headers(), Redirect::to(page)).into_response()
}

async fn style() -> Response {
    layout::file("text/css; charset=utf-8", STYLE)
}

async fn script() -> Response {
    layout::file("text/javascript; charset=utf-8", SCRIPT)
}

/// What the address of a page, or its form, says.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Sent {
    language: String,
    kind: String,
    /// What a form has done before ([`Done::name`]).
    done: String,
    /// The payer says that nobody paid by the codes.
    despite_codes: String,
    email: String,
    /// Letters are not wanted any more.
    stop: String,
    /// The last digits of the payer's code.
    digits: SecretString,
}

/// A request for the page of a link or of a letter, counted and with its language.
struct Visit {
    state: ApiState,
    of: PageOf,
    token: SecretString,
    /// The token as it stands in addresses of the page.
    text: String,
    locale: Locale,
    address: IpAddr,
    origin: Origin,
    sent: Sent,
    /// The e-mail address that was typed into the page.
    typed: String,
    _place: Option<OwnedSemaphorePermit>,
}

impl FromRequest<ApiState> for Visit {
    type Rejection = Response;

    /// Counts a request, and reserves its place.
    async fn from_request(request: Request, state: &ApiState) -> Result<Visit, Response> {
        let (mut parts, body) = request.into_parts();
        let Path(text) = part::<Path<String>>(&mut parts, state).await?;
        let ClientAddress(address) = part(&mut parts, state).await?;
        let origin = part::<RequestOrigin>(&mut parts, state).await?;
        let Language(accepted) = part(&mut parts, state).await?;
        let of = PageOf::of_path(parts.uri.path());
        let sent = if parts.method.is_safe() {
            part::<Query<Sent>>(&mut parts, state).await?.0
        } else {
            let request = Request::from_parts(parts, body);
            let sent = Form::<Sent>::from_request(request, state).await;
            sent.map_err(IntoResponse::into_response)?.0
        };
        let counted = state.limits.count_client_request(address);
        let place = state.limits.page_of_link();
        let is_full = place.is_none();
        let visit = Visit {
            state: state.clone(),
            of,
            token: SecretString::from(text.clone()),
            text,
            locale: Locale::parse(&sent.language).unwrap_or(accepted),
            address,
            origin: origin.by_stranger(),
            sent,
            typed: String::new(),
            _place: place,
        };
        match counted {
            Ok(()) if is_full => Err(visit.unavailable()),
            Ok(()) => Ok(visit),
            Err(_) => Err(visit.too_many()),
        }
    }
}

/// Reads a part of a request.
async fn part<T: FromRequestParts<ApiState>>(
    parts: &mut Parts,
    state: &ApiState,
) -> Result<T, Response> {
    let read = T::from_request_parts(parts, state).await;
    read.map_err(IntoResponse::into_response)
}

impl Visit {
    /// Counts what costs the acquirer a call or the server a document.
    fn count_action(&self) -> bool {
        self.state.limits.count_action_of_link(&self.text).is_ok()
    }

    fn answer(&self, status: StatusCode, html: Markup) -> Response {
        answer(&self.state, status, html)
    }

    /// Returns the answer to a token that opens nothing. Whoever asks for many is told to wait.
    fn nothing(&self) -> Response {
        if self
            .state
            .limits
            .count_public_request(self.address)
            .is_err()
        {
            return self.too_many();
        }
        self.answer(StatusCode::NOT_FOUND, view::nothing(self.of, self.locale))
    }

    fn too_many(&self) -> Response {
        let html = view::too_many(self.of, self.locale);
        self.answer(StatusCode::TOO_MANY_REQUESTS, html)
    }

    fn unavailable(&self) -> Response {
        let html = view::broken(self.of, self.locale, &self.text);
        self.answer(StatusCode::SERVICE_UNAVAILABLE, html)
    }

    /// Returns the page as it is now, with what is said of an action before it.
    async fn show(&self, said: Option<Said>, ask: bool) -> Response {
        let links = &self.state.services.client_links;
        match links.page(&self.token, ask).await {
            Ok(Some(page)) => {
                let status = said.map_or(StatusCode::OK, Said::status);
                let settings = &self.state.services.settings;
                let offer = &self.state.settings.offer_url;
                let about =
                    notice::notice(&settings.operator, &settings.support, offer, self.locale);
                let before = Before {
                    said,
                    typed: &self.typed,
                };
                let html = view::page(
                    &page,
                    &self.text,
                    self.locale,
                    before,
                    (about, settings.sandbox),
                );
                self.answer(status, html)
            }
            Ok(None) => self.nothing(),
            Err(error) => self.broken(&error),
        }
    }

    /// Leads to the page, which says what was done. Whoever reloads it or comes back to it sends no form again.
    fn lead_to_page(&self, done: Done) -> Response {
        let (token, locale) = (&self.text, self.locale.code());
        let address = format!("/pay/{token}?done={}&language={locale}", done.name());
        (secrecy_headers(), Redirect::to(&address)).into_response()
    }

    /// Returns the page with the reason why an action was not done.
    async fn refused(&self, error: AppError) -> Response {
        match error {
            AppError::Refused(refusal) => self.show(Some(Said::Refused(refusal.key)), false).await,
            error => self.broken(&error),
        }
    }

    fn broken(&self, error: &AppError) -> Response {
        let what = match self.of {
            PageOf::Order => "The page of a client's link can't be shown",
            PageOf::Letter => "The page of a letter can't be shown",
        };
        error.log(what, Instant::now());
        self.unavailable()
    }
}

/// Returns a page with the headers of all these pages.
fn answer(state: &ApiState, status: StatusCode, html: Markup) -> Response {
    let targets = state.settings.page_origins.join(" ");
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self' {targets}; base-uri 'none'; frame-ancestors 'none'; report-uri /api/csp-report; report-to csp"
    );
    // If an origin is not a valid header value, block everything instead of sending no policy.
    let policy =
        HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    (
        secrecy_headers(),
        layout::answer(status, "no-store", policy, html),
    )
        .into_response()
}

/// The address is a key: no other site is told it, and no search engine keeps it.
fn secrecy_headers() -> [(HeaderName, HeaderValue); 3] {
    [
        (
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        ),
        (
            HeaderName::from_static("x-robots-tag"),
            HeaderValue::from_static("noindex, nofollow, noarchive"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]
}

/// `GET /pay/{token}`.
async fn page(visit: Visit) -> Response {
    let done = Done::parse(&visit.sent.done);
    // Without a call to the acquirer the page shows what its reports and the worker have told. A form was counted when it was sent.
    let ask = done.is_none() && visit.count_action();
    visit.show(done.map(Said::Done), ask).await
}

/// `GET /pay/{token}/state`: a word that changes with the page. Only the page's own script asks, so a person has it before them. The
/// acquirer is asked now and then: its report may be lost.
async fn status(visit: Visit) -> Response {
    let links = &visit.state.services.client_links;
    let ask = visit.state.limits.count_question_of_link(&visit.text);
    let found = match links.page(&visit.token, ask).await {
        Ok(Some(page)) => page,
        Ok(None) => return visit.nothing(),
        Err(error) => return visit.broken(&error),
    };
    match links
        .record_opening(&visit.token, visit.origin.clone())
        .await
    {
        Ok(()) => (secrecy_headers(), found.state()).into_response(),
        Err(error) => visit.broken(&error),
    }
}

/// `POST /pay/{token}/card`: leads to the acquirer's page.
async fn card(jar: CookieJar, visit: Visit) -> Response {
    if !visit.count_action() {
        return visit.show(Some(Said::TooMany), false).await;
    }
    let despite_codes = visit.sent.despite_codes == "1";
    let (services, token) = (visit.state.services.clone(), visit.token.clone());
    let origin = visit.origin.clone();
    let paying = carry_through(async move {
        let links = &services.client_links;
        links.pay(&token, despite_codes, origin).await
    });
    match paying.await {
        Ok(Some(page)) => {
            let cookie =
                after_bank::cookie(&visit.state.settings, &visit.text, visit.locale, &page);
            let to_bank = (jar.add(cookie), Redirect::to(&page.url));
            (secrecy_headers(), to_bank).into_response()
        }
        Ok(None) => visit.nothing(),
        Err(error) => visit.refused(error).await,
    }
}

/// `POST /pay/{token}/codes`: the QR codes of the order. Its payment page is closed first.
async fn codes(visit: Visit) -> Response {
    if !visit.count_action() {
        return visit.show(Some(Said::TooMany), false).await;
    }
    let (services, token, locale) = (
        visit.state.services.clone(),
        visit.token.clone(),
        visit.locale,
    );
    let origin = visit.origin.clone();
    let giving = carry_through(async move {
        let links = &services.client_links;
        links.codes(&token, locale, origin).await
    });
    match giving.await {
        Ok(Some(codes)) => {
            let html = view::codes(&codes, &visit.text, visit.locale);
            visit.answer(StatusCode::OK, html)
        }
        Ok(None) => visit.nothing(),
        Err(error) => visit.refused(error).await,
    }
}

/// `GET /pay/{token}/receipt`: a receipt of the paid order.
async fn receipt(visit: Visit) -> Response {
    if !visit.count_action() {
        return visit.show(Some(Said::TooMany), false).await;
    }
    let request = ReceiptRequest {
        kind: if visit.sent.kind == "commission" {
            ReceiptKind::Commission
        } else {
            ReceiptKind::Payment
        },
        locale: visit.locale,
    };
    let links = &visit.state.services.client_links;
    match links
        .receipt(&visit.token, request, visit.origin.clone())
        .await
    {
        Ok(Some(file)) => (secrecy_headers(), FileAnswer::<Pdf>::from(file)).into_response(),
        Ok(None) => visit.nothing(),
        Err(error) => visit.refused(error).await,
    }
}

/// `POST /pay/{token}/mail`: the receipt is to be sent by e-mail, or not any more.
async fn mail(mut visit: Visit) -> Response {
    visit.typed = handed_back(&visit.sent.email);
    if !visit.count_action() {
        return visit.show(Some(Said::TooMany), false).await;
    }
    let links = &visit.state.services.client_links;
    let origin = visit.origin.clone();
    let (outcome, done) = if visit.sent.stop == "1" {
        (links.refuse(&visit.token, origin).await, Done::MailStopped)
    } else {
        let agreed = links
            .agree(&visit.token, &visit.sent.email, visit.locale, origin)
            .await;
        (agreed, Done::MailAgreed)
    };
    match outcome {
        Ok(Some(())) => visit.lead_to_page(done),
        Ok(None) => visit.nothing(),
        Err(AppError::Refused(refusal)) if is_about_the_address(refusal.key) => {
            visit.show(Some(Said::BadEmail), false).await
        }
        Err(error) => visit.refused(error).await,
    }
}

/// Returns what was typed as an address, as the page hands it back: no longer than an address may be, and never a card number.
fn handed_back(email: &str) -> String {
    let characters = email.trim().chars();
    let typed: String = characters
        .filter(|character| !character.is_control())
        .take(Email::CHARS_MAX)
        .collect();
    if names_payment_card(&typed) {
        String::new()
    } else {
        typed
    }
}

const fn is_about_the_address(key: Key) -> bool {
    matches!(
        key,
        Key::EmailInvalid | Key::TextTooLong | Key::TextInvalid | Key::CardNumberNotAccepted
    )
}
