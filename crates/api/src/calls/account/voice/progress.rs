//! `POST /voice/{transaction}/progress`: the status of the call changed.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;

use super::callback::{Spoken, answer, signature};
use crate::call::Call;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::callback("/voice/{transaction}/progress", handler)
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
            .take_phone_call_progress(&transaction, spoken.locale(), signature(&headers), &body)
            .await,
    )
}
