//! State, removal and refund of an invoice.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::request::read;
use crate::bank::{RefundError, RefundResult, RemoveError, wire_time};
use crate::sandbox::Sandbox;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InvoiceQuery {
    invoice_id: String,
}

fn unknown() -> Refusal {
    Refusal::not_found("invalid 'invoiceId'")
}

pub(super) async fn status(
    State(sandbox): State<Sandbox>,
    query: Result<Query<InvoiceQuery>, QueryRejection>,
) -> Result<Json<Value>, Refusal> {
    let Ok(Query(query)) = query else {
        return Err(Refusal::bad_request("empty 'invoiceId'"));
    };
    let state =
        sandbox.with_bank(|bank, now| Some(bank.monobank_invoice(&query.invoice_id, now)?.state()));
    state.map(Json).ok_or_else(unknown)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemoveRequest {
    invoice_id: String,
}

pub(super) async fn remove(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let request: RemoveRequest = read(&body)?;
    sandbox
        .with_bank(|bank, now| {
            let id = &request.invoice_id;
            bank.monobank_invoice(id, now).ok_or(RemoveError::Unknown)?;
            bank.remove(id, now)
        })
        .map_err(|error| match error {
            RemoveError::Unknown => unknown(),
            RemoveError::InProgress => Refusal::new(
                StatusCode::BAD_REQUEST,
                "ORDER_IN_PROGRESS",
                "the invoice is being paid",
            ),
            RemoveError::Used => Refusal::new(
                StatusCode::BAD_REQUEST,
                "INVOICE_ALREADY_USED",
                "the invoice is paid",
            ),
        })?;
    Ok(Json(json!({})))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CancelRequest {
    invoice_id: String,
    ext_ref: Option<String>,
    amount: Option<i64>,
}

pub(super) async fn cancel(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let request: CancelRequest = read(&body)?;
    let codes = sandbox.operation_codes();
    let processing_time = sandbox.settings().processing_time;
    let at = sandbox.now();
    let result = sandbox
        .with_bank(|bank, now| {
            let id = &request.invoice_id;
            bank.monobank_invoice(id, now).ok_or(RefundError::Unknown)?;
            bank.refund(
                id,
                request.amount,
                request.ext_ref,
                processing_time,
                codes,
                now,
            )
        })
        .map_err(|error| match error {
            RefundError::Unknown => unknown(),
            RefundError::WrongAmount => Refusal::new(
                StatusCode::BAD_REQUEST,
                "WRONG_CANCEL_AMOUNT",
                "more than is left",
            ),
            // The real acquirer answers this refusal with HTTP 500.
            RefundError::NotPaid => Refusal::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "CANCEL_NOT_AVAILABLE",
                "nothing to give back",
            ),
        })?;
    let status = match result {
        RefundResult::Success => "success",
        RefundResult::Processing => {
            sandbox.finish_later(request.invoice_id);
            "processing"
        }
    };
    let at = wire_time(at);
    Ok(Json(
        json!({"status": status, "createdDate": at, "modifiedDate": at}),
    ))
}
