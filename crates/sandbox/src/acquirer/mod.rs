//! The acquirer's interface, as monobank documents it (v2412).

mod create;
mod invoice;
mod merchant;
mod wallet;

use axum::Router;
use axum::extract::{OriginalUri, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::sandbox::Sandbox;

/// A refusal as the acquirer words it.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    code: &'static str,
    text: String,
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, text: impl Into<String>) -> Self {
        Self {
            status,
            code,
            text: text.into(),
        }
    }

    fn bad_request(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "BAD_REQUEST", text)
    }

    fn payment_info(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "INVALID_MERCHANT_PAYM_INFO", text)
    }

    fn not_found(text: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", text)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (
            self.status,
            axum::Json(json!({"errCode": self.code, "errText": self.text})),
        )
            .into_response()
    }
}

/// The paths of the service, token check included.
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
        // Described so for this path alone.
        None if address.path().ends_with("/pubkey") => {
            Refusal::bad_request("empty 'X-Token'").into_response()
        }
        _ => Refusal::new(StatusCode::FORBIDDEN, "FORBIDDEN", "invalid 'X-Token'").into_response(),
    }
}

/// Reads a JSON body.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad_request(format!("invalid body: {error}")))
}

/// An absolute http or https address, where there is one.
fn address(name: &str, text: Option<String>) -> Result<Option<String>, Refusal> {
    let fits = |text: &String| {
        reqwest::Url::parse(text)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    };
    match text {
        None => Ok(None),
        Some(text) if fits(&text) => Ok(Some(text)),
        Some(_) => Err(Refusal::bad_request(format!("invalid '{name}'"))),
    }
}

/// The currency: hryvnias, also when nothing is said.
fn check_currency(ccy: Option<i64>) -> Result<(), Refusal> {
    if ccy.is_none_or(|ccy| ccy == crate::bank::HRYVNIA) {
        Ok(())
    } else {
        Err(Refusal::bad_request("invalid 'ccy'"))
    }
}
