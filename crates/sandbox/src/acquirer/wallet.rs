//! Saved cards: list, forget, pay.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::request::{PaymentInfo, address, check_currency, read};
use crate::bank::{HRYVNIA, Invoice, InvoiceKind, SavedCard, wire_time};
use crate::sandbox::Sandbox;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WalletQuery {
    wallet_id: String,
}

pub(super) async fn list(
    State(sandbox): State<Sandbox>,
    query: Result<Query<WalletQuery>, QueryRejection>,
) -> Result<Json<Value>, Refusal> {
    let Ok(Query(query)) = query else {
        return Err(Refusal::bad_request("empty 'walletId'"));
    };
    let cards: Vec<Value> = sandbox.with_bank(|bank, _| {
        let cards = bank.wallet(&query.wallet_id).into_iter();
        let row = |saved: &SavedCard| {
            json!({"cardToken": saved.token, "maskedPan": saved.card.masked_pan, "country": "804"})
        };
        cards.map(row).collect()
    });
    Ok(Json(json!({"wallet": cards})))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardQuery {
    card_token: String,
}

fn unknown_token() -> Refusal {
    Refusal::new(
        StatusCode::BAD_REQUEST,
        "TOKEN_NOT_FOUND",
        "invalid 'cardToken'",
    )
}

pub(super) async fn forget(
    State(sandbox): State<Sandbox>,
    query: Result<Query<CardQuery>, QueryRejection>,
) -> Result<Json<Value>, Refusal> {
    let Ok(Query(query)) = query else {
        return Err(Refusal::bad_request("empty 'cardToken'"));
    };
    if sandbox.with_bank(|bank, _| bank.forget_card(&query.card_token)) {
        Ok(Json(json!({})))
    } else {
        Err(unknown_token())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PaymentRequest {
    card_token: String,
    amount: i64,
    ccy: i64,
    initiation_kind: String,
    redirect_url: Option<String>,
    web_hook_url: Option<String>,
    merchant_paym_info: Option<PaymentInfo>,
    payment_type: Option<String>,
}

pub(super) async fn pay(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    let request: PaymentRequest = read(&body)?;
    check_currency(Some(request.ccy))?;
    if request.amount < 1 {
        return Err(Refusal::bad_request("invalid 'amount'"));
    }
    if request.initiation_kind != "client" {
        return Err(Refusal::bad_request(
            "only 'initiationKind' client is offered by the sandbox",
        ));
    }
    if request.payment_type.is_some_and(|kind| kind != "debit") {
        return Err(Refusal::bad_request("invalid 'paymentType'"));
    }
    let info = request.merchant_paym_info.unwrap_or_default();
    info.check(request.amount, &sandbox.settings().split_receivers)?;
    let now = sandbox.now();
    let invoice = Invoice {
        reference: info.reference,
        destination: info.destination,
        metadata: info.metadata,
        redirect_url: address("redirectUrl", request.redirect_url)?,
        web_hook_url: address("webHookUrl", request.web_hook_url)?,
        ..Invoice::new(
            sandbox.invoice_id(now),
            InvoiceKind::Wallet,
            request.amount,
            now,
        )
    };
    let id = invoice.id.clone();
    let known = sandbox.with_bank(|bank, _| {
        let card = bank.card_by_token(&request.card_token)?.card.clone();
        bank.add_new(invoice);
        Some(card)
    });
    let card = known.ok_or_else(unknown_token)?;
    sandbox
        .charge(&id, &card, false)
        .map_err(|_| unknown_token())?;
    let answer = sandbox
        .with_bank(|bank, now| Some(answer(bank.invoice(&id, now)?, &sandbox.challenge_url(&id))));
    answer.map(Json).ok_or_else(unknown_token)
}

/// The answer to a payment by a saved card.
fn answer(invoice: &Invoice, challenge_url: &str) -> Value {
    let mut answer = json!({
        "invoiceId": invoice.id,
        "status": invoice.status.as_str(),
        "amount": invoice.amount,
        "ccy": HRYVNIA,
        "createdDate": wire_time(invoice.created_at),
        "modifiedDate": wire_time(invoice.modified_at),
    });
    if let Some(fields) = answer.as_object_mut() {
        if let Some((_, text)) = &invoice.failure {
            fields.insert("failureReason".to_owned(), text.as_str().into());
        }
        if invoice.is_challenged() {
            fields.insert("tdsUrl".to_owned(), challenge_url.into());
        }
    }
    answer
}
