//! `POST /acquirer/report/liqpay`: LiqPay's callbacks, a form with `data` and its `signature`.

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use cabinet_domain::payment::AcquirerName;

use super::acquirer_report::answer;
use crate::call::Call;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::callback("/acquirer/report/liqpay", handler)
}

async fn handler(State(state): State<ApiState>, body: Bytes) -> Response {
    answer(&state, AcquirerName::LiqPay, None, body).await
}
