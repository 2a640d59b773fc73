//! `POST /acquirer/report`: monobank's reports of what happened to an invoice.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use cabinet_app::payment::ReportOutcome;
use cabinet_domain::payment::AcquirerName;

use crate::call::Call;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::callback("/acquirer/report", handler)
}

async fn handler(State(state): State<ApiState>, headers: HeaderMap, body: Bytes) -> Response {
    let signature = headers
        .get("x-sign")
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    answer(&state, AcquirerName::Monobank, signature, body).await
}

/// Answers 200 to every report with a valid signature, also late and repeated ones, so that the acquirer stops sending it. A report
/// with an invalid signature gets 403 without a body.
pub(crate) async fn answer(
    state: &ApiState,
    acquirer: AcquirerName,
    signature: Option<String>,
    body: Bytes,
) -> Response {
    let payments = &state.services.payments;
    match payments
        .receive_report(acquirer, signature, body.to_vec())
        .await
    {
        Ok(ReportOutcome::Taken) => StatusCode::OK.into_response(),
        Ok(ReportOutcome::NotGenuine) => StatusCode::FORBIDDEN.into_response(),
        Ok(ReportOutcome::TryAgain) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Err(error) => Refusal::from(error).into_response(),
    }
}
