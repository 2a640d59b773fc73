//! Calls about the merchant: the public key of reports, details, receivers, the statement.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal::Refusal;
use crate::bank::InvoiceKind;
use crate::sandbox::Sandbox;
use crate::time::after;

/// Longest period of a statement, in seconds. The bank publishes no limit, but tells merchants to stay below 31 days.
const STATEMENT_SECONDS_MAX: i64 = 31 * 86_400;

pub(super) async fn public_key(State(sandbox): State<Sandbox>) -> Result<Json<Value>, Refusal> {
    let key = sandbox.key().public_text().map_err(|_| {
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "INTERNAL_ERROR",
            "no key",
        )
    })?;
    Ok(Json(json!({"key": key})))
}

pub(super) async fn details(State(sandbox): State<Sandbox>) -> Json<Value> {
    let name = &sandbox.settings().merchant_name;
    Json(json!({"merchantId": "sandbox", "merchantName": name, "edrpou": "00000000"}))
}

pub(super) async fn split_receivers(State(sandbox): State<Sandbox>) -> Json<Value> {
    let receivers = sandbox.settings().split_receivers.iter();
    let list: Vec<Value> = receivers
        .map(|receiver| {
            json!({"splitReceiverId": receiver.id, "edrpou": receiver.edrpou, "name": receiver.name})
        })
        .collect();
    Json(json!({"list": list}))
}

#[derive(Deserialize)]
pub(super) struct StatementQuery {
    from: i64,
    to: Option<i64>,
}

pub(super) async fn statement(
    State(sandbox): State<Sandbox>,
    query: Result<Query<StatementQuery>, QueryRejection>,
) -> Result<Json<Value>, Refusal> {
    let Ok(Query(query)) = query else {
        return Err(Refusal::bad_request("invalid 'from' or 'to'"));
    };
    let to = query.to.unwrap_or_else(|| sandbox.now().as_second());
    let span = to
        .checked_sub(query.from)
        .filter(|span| (0..=STATEMENT_SECONDS_MAX).contains(span));
    let (Some(_), Ok(from), Ok(to)) = (
        span,
        Timestamp::from_second(query.from),
        Timestamp::from_second(to),
    ) else {
        return Err(Refusal::bad_request("invalid period"));
    };
    // The period includes the whole second `to`.
    let to = after(to, Duration::from_secs(1));
    let mut entries: Vec<(Timestamp, Value)> = sandbox.with_bank(|bank, now| {
        let tried = bank.invoices(now).iter().filter_map(|invoice| {
            if invoice.kind == InvoiceKind::LiqPay {
                return None;
            }
            let at = invoice.payment.as_ref()?.at;
            (from <= at && at < to)
                .then(|| Some((at, invoice.statement_entry()?)))
                .flatten()
        });
        tried.collect()
    });
    entries.reverse();
    entries.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let list: Vec<Value> = entries.into_iter().map(|(_, entry)| entry).collect();
    Ok(Json(json!({"list": list})))
}
