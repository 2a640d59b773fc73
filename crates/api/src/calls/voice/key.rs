//! `POST /voice/{transaction}/key`: a key was pressed, or none was.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;

use super::callback::{Spoken, answer, signature};
use crate::call::Call;
use crate::state::ApiState;

/// The callback. It is not in the document.
pub fn call() -> Call {
    Call::callback("/voice/{transaction}/key", handler)
}

/// A key was pressed, or none was.
pub async fn handler(
    State(state): State<ApiState>,
    Path(transaction): Path<String>,
    Query(spoken): Query<Spoken>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    answer(
        state
            .app
            .take_pressed_key(&transaction, spoken.locale(), signature(&headers), &body)
            .await,
    )
}
