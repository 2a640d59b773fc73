//! The page of a letter about a receipt: it gives the receipt for the last digits of the payer's code (decision 76), and ends letters about
//! the order. It asks first: programs that look through mail open every link in it.

use std::net::IpAddr;
use std::time::Instant;

use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use cabinet_app::client_link::EnteredDigits;
use cabinet_app::kernel::refusal::AppError;
use cabinet_domain::Locale;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::OwnedSemaphorePermit;

use super::view::OfDigits;
use super::{Asked, Sent, answer, secrecy_headers, to_page_of, view};
use crate::http::extract::{ClientAddress, Language};
use crate::http::file::{FileAnswer, Pdf};
use crate::http::origin::RequestOrigin;
use crate::state::ApiState;

/// Most characters that the page shows again of what was entered. A whole code stands on no page.
const SHOWN_MAX: usize = 4;

/// A request for the page of a letter.
struct Visit {
    state: ApiState,
    token: SecretString,
    locale: Locale,
    _place: OwnedSemaphorePermit,
}

impl Visit {
    /// Counts a request, and reserves its place.
    ///
    /// # Errors
    /// The answer to too many.
    fn begin(
        state: ApiState,
        token: String,
        address: IpAddr,
        (language, accepted): (&str, Locale),
    ) -> Result<Visit, Box<Response>> {
        let locale = Locale::parse(language).unwrap_or(accepted);
        if state.limits.count_public_request(address).is_err() {
            let html = view::too_many(locale);
            return Err(answer(&state, StatusCode::TOO_MANY_REQUESTS, html).into());
        }
        let Some(place) = state.limits.page_of_link() else {
            let html = view::broken(locale);
            return Err(answer(&state, StatusCode::SERVICE_UNAVAILABLE, html).into());
        };
        Ok(Visit {
            state,
            token: SecretString::from(token),
            locale,
            _place: place,
        })
    }

    /// Returns the page as it is now, with what is said of entered digits, and the digits.
    async fn show(&self, said: Option<OfDigits>, typed: &str) -> Response {
        let links = &self.state.services.client_links;
        match links.order_of_letter(&self.token).await {
            Ok(Some(order)) => {
                let token = self.token.expose_secret();
                let status = said.map_or(StatusCode::OK, OfDigits::status);
                let html = view::letters(order, token, self.locale, (said, typed));
                answer(&self.state, status, html)
            }
            Ok(None) => self.nothing(),
            Err(error) => self.broken(&error),
        }
    }

    fn nothing(&self) -> Response {
        let html = view::nothing(self.locale);
        answer(&self.state, StatusCode::NOT_FOUND, html)
    }

    fn broken(&self, error: &AppError) -> Response {
        error.log("The page of a letter can't be shown", Instant::now());
        let html = view::broken(self.locale);
        answer(&self.state, StatusCode::SERVICE_UNAVAILABLE, html)
    }
}

/// `GET /letters/{token}`.
pub async fn page(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    Language(accepted): Language,
    Path(token): Path<String>,
    Query(asked): Query<Asked>,
) -> Response {
    match Visit::begin(state, token, address, (&asked.language, accepted)) {
        Ok(visit) => visit.show(None, "").await,
        Err(refused) => *refused,
    }
}

/// `GET /letters/{token}/receipt`: the address of the form's answer, opened again.
pub async fn to_page(Path(token): Path<String>) -> Response {
    to_page_of("/letters/", &token)
}

/// `POST /letters/{token}`: no more letters.
pub async fn stop(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    origin: RequestOrigin,
    Language(accepted): Language,
    Path(token): Path<String>,
    Form(sent): Form<Sent>,
) -> Response {
    let visit = match Visit::begin(state, token, address, (&sent.language, accepted)) {
        Ok(visit) => visit,
        Err(refused) => return *refused,
    };
    let links = &visit.state.services.client_links;
    match links
        .refuse_by_letter(&visit.token, origin.by_stranger())
        .await
    {
        Ok(_) => visit.show(None, "").await,
        Err(error) => visit.broken(&error),
    }
}

/// `POST /letters/{token}/receipt`: the receipt, for the last digits of the payer's code. They never stand in an address.
pub async fn receipt(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    origin: RequestOrigin,
    Language(accepted): Language,
    Path(token): Path<String>,
    Form(sent): Form<Sent>,
) -> Response {
    let visit = match Visit::begin(state, token, address, (&sent.language, accepted)) {
        Ok(visit) => visit,
        Err(refused) => return *refused,
    };
    let typed = handed_back(sent.digits.expose_secret());
    let limits = &visit.state.limits;
    if limits
        .count_action_of_link(visit.token.expose_secret())
        .is_err()
    {
        return visit.show(Some(OfDigits::TooMany), &typed).await;
    }
    let links = &visit.state.services.client_links;
    let entered = links
        .receipt_by_letter(
            &visit.token,
            &sent.digits,
            visit.locale,
            origin.by_stranger(),
        )
        .await;
    match entered {
        Ok(Some(EnteredDigits::Right(file))) => {
            (secrecy_headers(), FileAnswer::<Pdf>::from(file)).into_response()
        }
        Ok(Some(EnteredDigits::Wrong)) => visit.show(Some(OfDigits::Wrong), &typed).await,
        Ok(Some(EnteredDigits::Unreadable)) => visit.show(Some(OfDigits::Unreadable), &typed).await,
        Ok(Some(EnteredDigits::NotAsked)) => visit.show(Some(OfDigits::NotAsked), "").await,
        Ok(None) => visit.nothing(),
        Err(AppError::Refused(refusal)) => {
            let said = OfDigits::Refused(refusal.key);
            visit.show(Some(said), &typed).await
        }
        Err(error) => visit.broken(&error),
    }
}

/// Returns what was typed as the page hands it back. `""` for what is longer than what was asked for.
fn handed_back(typed: &str) -> String {
    let typed = typed.trim();
    if typed.chars().count() > SHOWN_MAX {
        return String::new();
    }
    typed.to_owned()
}
