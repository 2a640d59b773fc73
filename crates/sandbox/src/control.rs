//! The interface for tests, under `/sandbox`.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use cabinet_clock::ADVANCE_SECONDS_MAX;
use cabinet_domain::Phone;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::bank::{Card, ChargeResult, Invoice, LedgerEntry, PayError};
use crate::faults::Fault;
use crate::mail::Letter;
use crate::sandbox::Sandbox;
use crate::sms::Message;

/// A refusal of the test interface, with a text for the author of the test.
#[derive(Debug)]
pub(crate) struct ControlError(StatusCode, String);

impl ControlError {
    pub(crate) fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self(status, text.into())
    }
}

impl IntoResponse for ControlError {
    fn into_response(self) -> Response {
        (self.0, Json(json!({"error": self.1}))).into_response()
    }
}

/// Returns the routes of the interface.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/messages", get(messages))
        .route("/letters", get(letters))
        .route("/ledger", get(ledger))
        .route(
            "/faults",
            get(show_faults).put(set_faults).delete(clear_faults),
        )
        .route("/clock", get(show_clock).put(advance_clock))
        .route("/key/rotate", post(rotate_key))
        .route("/invoices", get(invoices))
        .route("/invoices/{id}/pay", post(pay))
        .route("/invoices/{id}/three-d-secure", post(answer_challenge))
        .route("/wallets/{id}/cards", post(save_card))
        .route("/calls", get(calls))
        .route("/calls/{sid}/answer", post(answer_phone_call))
        .route("/calls/{sid}/decline", post(decline_phone_call))
        .fallback(|| async { ControlError::new(StatusCode::NOT_FOUND, "unknown path") })
}

/// Reads a body of JSON.
pub(crate) fn read<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, ControlError> {
    serde_json::from_slice(body)
        .map_err(|error| ControlError::new(StatusCode::BAD_REQUEST, error.to_string()))
}

#[derive(Deserialize)]
struct PhoneQuery {
    phone: Option<String>,
}

/// Reads a phone in any usual form. An unescaped plus sign in the address arrives as a space.
fn phone(text: Option<&str>) -> Result<Option<Phone>, ControlError> {
    text.map(Phone::parse)
        .transpose()
        .map_err(|_| ControlError::new(StatusCode::BAD_REQUEST, "the phone is wrong"))
}

async fn messages(
    State(sandbox): State<Sandbox>,
    Query(query): Query<PhoneQuery>,
) -> Result<Json<Vec<Message>>, ControlError> {
    let phone = phone(query.phone.as_deref())?;
    Ok(Json(sandbox.messages(phone.as_ref())))
}

async fn letters(State(sandbox): State<Sandbox>) -> Json<Vec<Letter>> {
    Json(sandbox.letters())
}

async fn ledger(State(sandbox): State<Sandbox>) -> Json<Vec<LedgerEntry>> {
    Json(sandbox.ledger())
}

async fn show_faults(State(sandbox): State<Sandbox>) -> Json<Vec<Fault>> {
    Json(sandbox.faults().list())
}

/// One fault, a list of them, or an object with a list named `faults`.
#[derive(Deserialize)]
#[serde(untagged)]
enum FaultsBody {
    List(Vec<Value>),
    Named { faults: Vec<Value> },
    One(Value),
}

async fn set_faults(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<Json<Vec<Fault>>, ControlError> {
    let values = match read::<FaultsBody>(&body)? {
        FaultsBody::List(values) | FaultsBody::Named { faults: values } => values,
        FaultsBody::One(value) => vec![value],
    };
    let mut faults = Vec::new();
    for value in values {
        let fault: Fault = serde_json::from_value(value)
            .map_err(|error| ControlError::new(StatusCode::BAD_REQUEST, error.to_string()))?;
        if !fault.is_possible() {
            let text = format!("{:?} cannot fail by {:?}", fault.service, fault.kind);
            return Err(ControlError::new(StatusCode::BAD_REQUEST, text));
        }
        faults.push(fault);
    }
    sandbox.set_faults(faults);
    Ok(Json(sandbox.faults().list()))
}

async fn clear_faults(State(sandbox): State<Sandbox>) -> Json<Vec<Fault>> {
    sandbox.set_faults(Vec::new());
    Json(Vec::new())
}

/// The present time, and by how much the machine's was advanced for it.
fn clock(sandbox: &Sandbox) -> Json<Value> {
    let advanced = sandbox.settings().time.advanced();
    Json(json!({"now": sandbox.now(), "advanced_seconds": advanced.as_secs()}))
}

async fn show_clock(State(sandbox): State<Sandbox>) -> Json<Value> {
    clock(&sandbox)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdvanceRequest {
    advance_seconds: i64,
}

async fn advance_clock(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<Json<Value>, ControlError> {
    let refused = |text: String| ControlError::new(StatusCode::UNPROCESSABLE_ENTITY, text);
    let request: AdvanceRequest = read(&body)?;
    let seconds = u64::try_from(request.advance_seconds).ok();
    let Some(seconds) = seconds.filter(|seconds| *seconds > 0) else {
        let text = "the clock goes forward only: advance_seconds must be at least 1";
        return Err(refused(text.to_owned()));
    };
    sandbox.advance(Duration::from_secs(seconds)).map_err(|_| {
        let before = sandbox.settings().time.advanced().as_secs();
        refused(format!(
            "the clock can be advanced by {ADVANCE_SECONDS_MAX} seconds in all, and was by {before}"
        ))
    })?;
    Ok(clock(&sandbox))
}

async fn rotate_key(State(sandbox): State<Sandbox>) -> Result<Json<Value>, ControlError> {
    sandbox
        .rotate_key()
        .map_err(|error| ControlError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(Json(json!({"rotated": true})))
}

#[derive(Deserialize)]
struct ReferenceQuery {
    reference: Option<String>,
}

async fn invoices(
    State(sandbox): State<Sandbox>,
    Query(query): Query<ReferenceQuery>,
) -> Json<Vec<Value>> {
    let fits =
        |invoice: &&Invoice| query.reference.is_none() || invoice.reference == query.reference;
    let rows = sandbox.with_bank(|bank, now| {
        bank.invoices(now)
            .iter()
            .rev()
            .filter(fits)
            .map(|invoice| row(&sandbox, invoice, now))
            .collect()
    });
    Json(rows)
}

fn row(sandbox: &Sandbox, invoice: &Invoice, now: Timestamp) -> Value {
    json!({
        "invoice_id": invoice.id,
        "reference": invoice.reference,
        "kind": invoice.kind,
        "status": invoice.status,
        "is_payable": invoice.is_payable(now),
        "amount": invoice.amount,
        "destination": invoice.destination,
        "page_url": sandbox.page_url(&invoice.id),
        "redirect_url": invoice.redirect_url,
        "created_at": invoice.created_at,
        "modified_at": invoice.modified_at,
    })
}

#[derive(Deserialize)]
struct PayRequest {
    card: String,
    #[serde(default)]
    save_card: bool,
}

/// Answers with the invoice's status, and with the address that the payer's browser is sent to.
fn payment_answer(
    sandbox: &Sandbox,
    id: &str,
    paid: Result<ChargeResult, PayError>,
) -> Result<Json<Value>, ControlError> {
    let paid = paid.map_err(|error| match error {
        PayError::Unknown => ControlError::new(StatusCode::NOT_FOUND, "there is no such invoice"),
        PayError::NotPayable(status) => ControlError::new(
            StatusCode::CONFLICT,
            format!("the invoice is {}", status.as_str()),
        ),
    })?;
    let answer = sandbox.with_bank(|bank, now| {
        let invoice = bank.invoice(id, now)?;
        let redirect = match paid {
            ChargeResult::Challenged => Some(sandbox.challenge_url(id)),
            _ => invoice.redirect_url.clone(),
        };
        Some(json!({"invoice_id": id, "status": invoice.status, "redirect_url": redirect}))
    });
    answer
        .map(Json)
        .ok_or_else(|| ControlError::new(StatusCode::NOT_FOUND, "there is no such invoice"))
}

fn card(text: &str) -> Result<Card, ControlError> {
    Card::parse(text)
        .map_err(|error| ControlError::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))
}

async fn pay(
    State(sandbox): State<Sandbox>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, ControlError> {
    let request: PayRequest = read(&body)?;
    let paid = sandbox.charge(&id, &card(&request.card)?, request.save_card);
    payment_answer(&sandbox, &id, paid)
}

#[derive(Deserialize)]
struct ChallengeRequest {
    confirm: bool,
}

async fn answer_challenge(
    State(sandbox): State<Sandbox>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, ControlError> {
    let request: ChallengeRequest = read(&body)?;
    payment_answer(
        &sandbox,
        &id,
        sandbox.answer_challenge(&id, request.confirm),
    )
}

#[derive(Deserialize)]
struct SaveRequest {
    card: String,
}

async fn save_card(
    State(sandbox): State<Sandbox>,
    Path(wallet_id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, ControlError> {
    let request: SaveRequest = read(&body)?;
    let token = sandbox
        .save_card(&wallet_id, &request.card)
        .map_err(|error| ControlError::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))?;
    Ok(Json(json!({"token": token})))
}

async fn calls(
    State(sandbox): State<Sandbox>,
    Query(query): Query<PhoneQuery>,
) -> Result<Json<Vec<Value>>, ControlError> {
    let phone = phone(query.phone.as_deref())?;
    let calls = sandbox
        .exchange()
        .phone_calls(phone.as_ref().map(Phone::as_str));
    let rows = calls.iter().map(|call| {
        json!({"sid": call.sid, "phone": call.phone, "status": call.status, "heard": call.heard, "started_at": call.started_at})
    });
    Ok(Json(rows.collect()))
}

#[derive(Deserialize)]
struct AnswerRequest {
    #[serde(default)]
    digits: String,
}

fn phone_call_answer(call: Option<crate::voice::PhoneCall>) -> Result<Json<Value>, ControlError> {
    let Some(call) = call else {
        return Err(ControlError::new(
            StatusCode::CONFLICT,
            "there is no such call, or it does not ring",
        ));
    };
    Ok(Json(
        json!({"sid": call.sid, "phone": call.phone, "status": call.status, "heard": call.heard}),
    ))
}

async fn answer_phone_call(
    State(sandbox): State<Sandbox>,
    Path(sid): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, ControlError> {
    let request: AnswerRequest = read(&body)?;
    phone_call_answer(sandbox.answer_phone_call(&sid, &request.digits).await)
}

#[derive(Deserialize)]
struct DeclineRequest {
    status: crate::voice::PhoneCallStatus,
}

async fn decline_phone_call(
    State(sandbox): State<Sandbox>,
    Path(sid): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, ControlError> {
    let request: DeclineRequest = read(&body)?;
    phone_call_answer(sandbox.decline_phone_call(&sid, request.status).await)
}
