//! Request and answer of both callbacks.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cabinet_app::account::CallbackOutcome;
use cabinet_app::kernel::refusal::Result;
use cabinet_domain::Locale;
use serde::Deserialize;

use crate::http::refusal::Refusal;

/// Query of a callback: the language of the call.
#[derive(Deserialize)]
pub struct Spoken {
    #[serde(default)]
    language: String,
}

impl Spoken {
    /// Returns the language of the call; Ukrainian by default.
    pub fn locale(&self) -> Locale {
        Locale::parse(&self.language).unwrap_or(Locale::Uk)
    }
}

/// Returns the signature header.
pub fn signature(headers: &HeaderMap) -> Option<&str> {
    headers
        .get("x-twilio-signature")
        .and_then(|value| value.to_str().ok())
}

/// Converts the outcome into the answer to the voice service.
pub fn answer(outcome: Result<CallbackOutcome>) -> Response {
    match outcome {
        Ok(CallbackOutcome::Say(reply)) => {
            ([(header::CONTENT_TYPE, reply.content_type)], reply.body).into_response()
        }
        Ok(CallbackOutcome::Noted) => StatusCode::NO_CONTENT.into_response(),
        Ok(CallbackOutcome::NotGenuine) => StatusCode::FORBIDDEN.into_response(),
        Err(error) => Refusal::from(error).into_response(),
    }
}
