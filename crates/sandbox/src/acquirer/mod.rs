//! The acquirer's interface, as monobank documents it (v2412).

mod create;
mod invoice;
mod merchant;
mod refusal;
mod request;
mod wallet;

use axum::Router;
use axum::extract::{OriginalUri, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};

use self::refusal::Refusal;
use crate::sandbox::Sandbox;

/// Returns the routes of the service, with the check of the token.
pub(crate) fn routes(sandbox: &Sandbox) -> Router<Sandbox> {
    Router::new()
        .route("/pubkey", get(merchant::public_key))
        .route("/details", get(merchant::details))
        .route("/statement", get(merchant::statement))
        .route("/split-receiver/list", get(merchant::split_receivers))
        .route("/invoice/create", post(create::handler))
        .route("/invoice/status", get(invoice::status))
        .route("/invoice/remove", post(invoice::remove))
        .route("/invoice/cancel", post(invoice::cancel))
        .route("/wallet", get(wallet::list))
        .route("/wallet/card", delete(wallet::forget))
        .route("/wallet/payment", post(wallet::pay))
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer(axum::middleware::from_fn_with_state(
            sandbox.clone(),
            check_token,
        ))
}

async fn unknown_path() -> Refusal {
    Refusal::not_found("unknown path")
}

async fn wrong_method(method: Method) -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "METHOD_NOT_ALLOWED",
        format!("Method {method} not allowed"),
    )
}

async fn check_token(
    State(sandbox): State<Sandbox>,
    OriginalUri(address): OriginalUri,
    request: Request,
    next: Next,
) -> Response {
    match request
        .headers()
        .get("X-Token")
        .map(|value| value.as_bytes())
    {
        Some(token) if token == sandbox.settings().acquirer_token.as_bytes() => {
            next.run(request).await
        }
        // The bank documents this answer for this path only.
        None if address.path().ends_with("/pubkey") => {
            Refusal::bad_request("empty 'X-Token'").into_response()
        }
        _ => Refusal::new(StatusCode::FORBIDDEN, "FORBIDDEN", "invalid 'X-Token'").into_response(),
    }
}
