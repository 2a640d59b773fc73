//! What both callbacks of the voice service take and answer.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cabinet_app::auth::CallbackOutcome;
use cabinet_app::refusal::Outcome;
use cabinet_domain::Locale;
use serde::Deserialize;

use crate::refusal::Refusal;

/// The language of the call.
#[derive(Deserialize)]
pub struct Spoken {
    #[serde(default)]
    language: String,
}

impl Spoken {
    /// The language of the call; Ukrainian where it has none.
    pub fn locale(&self) -> Locale {
        Locale::parse(&self.language).unwrap_or(Locale::Uk)
    }
}

/// The signature of the voice service.
pub fn signature(headers: &HeaderMap) -> Option<&str> {
    headers
        .get("x-twilio-signature")
        .and_then(|value| value.to_str().ok())
}

/// The answer to the voice service.
pub fn answer(outcome: Outcome<CallbackOutcome>) -> Response {
    match outcome {
        Ok(CallbackOutcome::Say(reply)) => {
            ([(header::CONTENT_TYPE, reply.content_type)], reply.body).into_response()
        }
        Ok(CallbackOutcome::Noted) => StatusCode::NO_CONTENT.into_response(),
        Ok(CallbackOutcome::NotGenuine) => StatusCode::FORBIDDEN.into_response(),
        Err(error) => Refusal::from(error).into_response(),
    }
}
