//! `POST /voice/{transaction}/key`: the person pressed a key, or none in time.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;

use super::callback::{Spoken, answer, signature};
use crate::call::Call;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::callback("/voice/{transaction}/key", handler)
}

async fn handler(
    State(state): State<ApiState>,
    Path(transaction): Path<String>,
    Query(spoken): Query<Spoken>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    answer(
        state
            .services
            .accounts
            .take_pressed_key(&transaction, spoken.locale(), signature(&headers), &body)
            .await,
    )
}
