//! The voice service's callbacks: what was pressed, and how the call went.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cabinet_app::auth::CallbackOutcome;
use cabinet_app::refusal::Outcome;
use cabinet_domain::Locale;
use serde::Deserialize;

use crate::refusal::Refusal;
use crate::state::ApiState;

/// The language of the call.
#[derive(Deserialize)]
pub struct Spoken {
    #[serde(default)]
    language: String,
}

fn signature(headers: &HeaderMap) -> Option<&str> {
    headers
        .get("x-twilio-signature")
        .and_then(|value| value.to_str().ok())
}

fn answer(outcome: Outcome<CallbackOutcome>) -> Response {
    match outcome {
        Ok(CallbackOutcome::Say(reply)) => {
            ([(header::CONTENT_TYPE, reply.content_type)], reply.body).into_response()
        }
        Ok(CallbackOutcome::Noted) => StatusCode::NO_CONTENT.into_response(),
        Ok(CallbackOutcome::NotGenuine) => StatusCode::FORBIDDEN.into_response(),
        Err(error) => Refusal::from(error).into_response(),
    }
}

/// A key was pressed, or none was.
pub async fn key(
    State(state): State<ApiState>,
    Path(transaction): Path<String>,
    Query(spoken): Query<Spoken>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let locale = Locale::parse(&spoken.language).unwrap_or(Locale::Uk);
    answer(
        state
            .app
            .take_pressed_key(&transaction, locale, signature(&headers), &body)
            .await,
    )
}

/// The call went on or ended.
pub async fn progress(
    State(state): State<ApiState>,
    Path(transaction): Path<String>,
    Query(spoken): Query<Spoken>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let locale = Locale::parse(&spoken.language).unwrap_or(Locale::Uk);
    answer(
        state
            .app
            .take_call_progress(&transaction, locale, signature(&headers), &body)
            .await,
    )
}
