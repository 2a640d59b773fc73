//! The page of a letter about a receipt: it gives the receipt for the last digits of the payer's code (decision 76), and ends letters about
//! the order. It asks first: programs that look through mail open every link in it.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use cabinet_app::client_link::EnteredDigits;
use cabinet_app::kernel::refusal::AppError;
use secrecy::ExposeSecret;

use super::view::OfDigits;
use super::{Visit, secrecy_headers, view};
use crate::http::file::{FileAnswer, Pdf};

/// Most characters that the page shows again of what was entered. A whole code stands on no page.
const SHOWN_MAX: usize = 4;

/// `GET /letters/{token}`.
pub async fn page(visit: Visit) -> Response {
    show(&visit, None, "").await
}

/// `POST /letters/{token}`: no more letters.
pub async fn stop(visit: Visit) -> Response {
    if !visit.count_action() {
        return visit.too_many();
    }
    let links = &visit.state.services.client_links;
    let refused = links.refuse_by_letter(&visit.token, visit.origin.clone());
    match refused.await {
        Ok(_) => show(&visit, None, "").await,
        Err(error) => visit.broken(&error),
    }
}

/// `POST /letters/{token}/receipt`: the receipt, for the last digits of the payer's code. They never stand in an address.
pub async fn receipt(visit: Visit) -> Response {
    let digits = &visit.sent.digits;
    let typed = handed_back(digits.expose_secret());
    if !visit.count_action() {
        return show(&visit, Some(OfDigits::TooMany), &typed).await;
    }
    let links = &visit.state.services.client_links;
    let origin = visit.origin.clone();
    let entered = links.receipt_by_letter(&visit.token, digits, visit.locale, origin);
    match entered.await {
        Ok(Some(EnteredDigits::Right(file))) => {
            (secrecy_headers(), FileAnswer::<Pdf>::from(file)).into_response()
        }
        Ok(Some(EnteredDigits::Wrong)) => show(&visit, Some(OfDigits::Wrong), &typed).await,
        Ok(Some(EnteredDigits::Unreadable)) => {
            show(&visit, Some(OfDigits::Unreadable), &typed).await
        }
        Ok(Some(EnteredDigits::NotAsked)) => show(&visit, Some(OfDigits::NotAsked), "").await,
        Ok(None) => visit.nothing(),
        Err(AppError::Refused(refusal)) => {
            let said = OfDigits::Refused(refusal.key);
            show(&visit, Some(said), &typed).await
        }
        Err(error) => visit.broken(&error),
    }
}

/// Returns the page as it is now, with what is said of entered digits, and the digits.
async fn show(visit: &Visit, said: Option<OfDigits>, typed: &str) -> Response {
    let links = &visit.state.services.client_links;
    match links.order_of_letter(&visit.token).await {
        Ok(Some(order)) => {
            let status = said.map_or(StatusCode::OK, OfDigits::status);
            let html = view::letters(order, &visit.text, visit.locale, (said, typed));
            visit.answer(status, html)
        }
        Ok(None) => visit.nothing(),
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
