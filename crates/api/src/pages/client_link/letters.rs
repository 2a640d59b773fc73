//! The page that ends letters about an order. It asks first: programs that look through mail open every link in it.

use std::time::Instant;

use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use cabinet_domain::Locale;
use secrecy::SecretString;

use super::{Asked, Sent, answer, view};
use crate::http::extract::{ClientAddress, Language};
use crate::http::origin::RequestOrigin;
use crate::state::ApiState;

/// `GET /letters/{token}`.
pub async fn page(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    Language(accepted): Language,
    Path(token): Path<String>,
    Query(asked): Query<Asked>,
) -> Response {
    let locale = Locale::parse(&asked.language).unwrap_or(accepted);
    if state.limits.count_public_request(address).is_err() {
        return answer(
            &state,
            StatusCode::TOO_MANY_REQUESTS,
            view::too_many(locale),
        );
    }
    show(&state, &token, locale).await
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
    let locale = Locale::parse(&sent.language).unwrap_or(accepted);
    if state.limits.count_public_request(address).is_err() {
        return answer(
            &state,
            StatusCode::TOO_MANY_REQUESTS,
            view::too_many(locale),
        );
    }
    let secret = SecretString::from(token.clone());
    let links = &state.services.client_links;
    match links.refuse_by_letter(&secret, origin.by_stranger()).await {
        Ok(_) => show(&state, &token, locale).await,
        Err(error) => broken(&state, locale, &error),
    }
}

async fn show(state: &ApiState, token: &str, locale: Locale) -> Response {
    let secret = SecretString::from(token.to_owned());
    let links = &state.services.client_links;
    match links.order_of_letter(&secret).await {
        Ok(Some(order)) => {
            let html = view::letters(order, token, locale);
            answer(state, StatusCode::OK, html)
        }
        Ok(None) => answer(state, StatusCode::NOT_FOUND, view::nothing(locale)),
        Err(error) => broken(state, locale, &error),
    }
}

fn broken(
    state: &ApiState,
    locale: Locale,
    error: &cabinet_app::kernel::refusal::AppError,
) -> Response {
    error.log("Letters about an order can't be ended", Instant::now());
    answer(state, StatusCode::SERVICE_UNAVAILABLE, view::broken(locale))
}
