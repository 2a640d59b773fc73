//! Refusals in the acquirer's form.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// A refusal with the acquirer's code and text.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    code: &'static str,
    text: String,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, code: &'static str, text: impl Into<String>) -> Self {
        Self {
            status,
            code,
            text: text.into(),
        }
    }

    pub(super) fn bad_request(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "BAD_REQUEST", text)
    }

    pub(super) fn payment_info(text: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "INVALID_MERCHANT_PAYM_INFO", text)
    }

    pub(super) fn not_found(text: impl Into<String>) -> Self {
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
