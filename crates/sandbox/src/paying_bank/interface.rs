//! The paying bank's interface for tests and its downloads, under `/sandbox/bank`.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::days::DayResult;
use super::files::FileError;
use super::state::{
    Answer, Booking, BookingKind, Line, PayingBank, Payment, Ruling, Side, TakenFile,
};
use super::statements;
use super::taking::Taken;
use super::xml::{self, Element};
use crate::control::{ControlError, read};
use crate::pages;
use crate::sandbox::Sandbox;

/// Bytes of a payment file, at most.
const FILE_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Returns the routes of the page, the interface and the downloads.
pub(crate) fn routes() -> Router<Sandbox> {
    pages::paying_bank::routes()
        .route("/files", get(files).post(take_file))
        .route("/files/{id}/pain.002.xml", get(status_report))
        .route("/days", post(run_day))
        .route("/payments", get(payments))
        .route("/ledger", get(ledger))
        .route("/accounts", get(accounts))
        .route("/settings", get(show_settings).put(set_settings))
        .route("/rulings/{document}", put(set_ruling).delete(clear_ruling))
        .route("/statements/{day}/camt.053.xml", get(statement))
        .route("/statements/{day}/camt.054.xml", get(notifications))
        .route("/statements/{day}/privat24.csv", get(table))
        .route("/bookings/{number}/camt.054.xml", get(notification))
        .layer(DefaultBodyLimit::max(FILE_BYTES_MAX))
}

impl Sandbox {
    /// Gives a file to the paying bank.
    pub(crate) fn take_payment_file(&self, name: &str, bytes: &[u8]) -> Result<Taken, FileError> {
        self.with_paying_bank(|bank, now| bank.take_file(name, bytes, now, || self.uuid()))
    }
}

#[derive(Deserialize)]
struct NameQuery {
    name: Option<String>,
}

/// The answer to a file.
#[derive(Serialize)]
struct FileAnswer<'a> {
    id: u64,
    name: &'a str,
    format: super::Format,
    message_id: &'a str,
    /// Whether the same bytes were taken before. Nothing was changed then.
    taken_before: bool,
    instructions: &'a [Answer],
}

impl FileAnswer<'_> {
    fn of(file: &TakenFile, taken_before: bool) -> Value {
        json!(FileAnswer {
            id: file.id,
            name: &file.name,
            format: file.format,
            message_id: &file.message_id,
            taken_before,
            instructions: &file.answers,
        })
    }
}

async fn take_file(
    State(sandbox): State<Sandbox>,
    Query(query): Query<NameQuery>,
    body: Bytes,
) -> Response {
    let name = query.name.as_deref().unwrap_or("file");
    match sandbox.take_payment_file(name, &body) {
        Ok(taken) => Json(FileAnswer::of(&taken.file, taken.is_known)).into_response(),
        Err(error) => {
            let body = json!({"error": error.to_string(), "code": error.code()});
            (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
        }
    }
}

async fn files(State(sandbox): State<Sandbox>) -> Json<Vec<Value>> {
    let list = |bank: &mut PayingBank, _| {
        let files = bank.files().iter();
        files.map(|file| FileAnswer::of(file, false)).collect()
    };
    Json(sandbox.with_paying_bank(list))
}

async fn run_day(State(sandbox): State<Sandbox>) -> Json<DayResult> {
    Json(sandbox.with_paying_bank(PayingBank::run_day))
}

async fn payments(State(sandbox): State<Sandbox>) -> Json<Vec<Payment>> {
    Json(sandbox.with_paying_bank(|bank, _| bank.payments().to_vec()))
}

async fn ledger(State(sandbox): State<Sandbox>) -> Json<Vec<Booking>> {
    Json(sandbox.with_paying_bank(|bank, _| bank.bookings().to_vec()))
}

/// The customer's account comes first.
async fn accounts(State(sandbox): State<Sandbox>) -> Json<Vec<Value>> {
    let balances = sandbox.with_paying_bank(|bank, _| bank.balances());
    let rows = balances
        .iter()
        .map(|(iban, balance)| json!({"iban": iban, "balance": balance}));
    Json(rows.collect())
}

/// What can be set; what is absent stays as it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// Whether payments are executed as soon as they are taken.
    immediate: Option<bool>,
    /// The accounts that are closed, in place of those before.
    closed_accounts: Option<BTreeSet<String>>,
    /// Whose accounts are that the table of recipients lacks, in place of those before: codes by account.
    owners: Option<BTreeMap<String, String>>,
}

async fn show_settings(State(sandbox): State<Sandbox>) -> Json<Value> {
    Json(sandbox.with_paying_bank(|bank, _| {
        json!({
            "immediate": bank.is_immediate(),
            "closed_accounts": bank.closed_accounts(),
            "owners": bank.owners(),
            "rulings": bank.rulings(),
        })
    }))
}

async fn set_settings(
    State(sandbox): State<Sandbox>,
    body: Bytes,
) -> Result<Json<Value>, ControlError> {
    let settings: Settings = read(&body)?;
    sandbox.with_paying_bank(|bank, _| {
        if let Some(is_immediate) = settings.immediate {
            bank.record(Line::Immediate(is_immediate));
        }
        if let Some(accounts) = settings.closed_accounts {
            bank.record(Line::Closed(accounts));
        }
        if let Some(owners) = settings.owners {
            bank.record(Line::Owners(owners));
        }
    });
    Ok(show_settings(State(sandbox)).await)
}

async fn set_ruling(
    State(sandbox): State<Sandbox>,
    Path(document): Path<String>,
    body: Bytes,
) -> Result<Json<Ruling>, ControlError> {
    let ruling: Ruling = read(&body)?;
    sandbox.with_paying_bank(|bank, _| bank.record(Line::Ruling(document, Some(ruling.clone()))));
    Ok(Json(ruling))
}

async fn clear_ruling(State(sandbox): State<Sandbox>, Path(document): Path<String>) -> StatusCode {
    sandbox.with_paying_bank(|bank, _| bank.record(Line::Ruling(document, None)));
    StatusCode::NO_CONTENT
}

fn download(kind: &'static str, name: &str, bytes: Vec<u8>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (CONTENT_TYPE, kind.to_owned()),
        (CONTENT_DISPOSITION, disposition),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, bytes).into_response()
}

/// Downloads a document that `make` makes of the bank's state, if it is known.
fn xml_download(
    sandbox: &Sandbox,
    name: &str,
    make: impl FnOnce(&PayingBank, Timestamp) -> Option<Element>,
) -> Result<Response, ControlError> {
    let document = sandbox
        .with_paying_bank(|bank, now| make(bank, now))
        .ok_or_else(|| ControlError::new(StatusCode::NOT_FOUND, "the bank knows no such thing"))?;
    let bytes = xml::write(&document)
        .map_err(|error| ControlError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(download("application/xml; charset=utf-8", name, bytes))
}

fn day(text: &str) -> Result<Date, ControlError> {
    text.parse()
        .map_err(|_| ControlError::new(StatusCode::BAD_REQUEST, "a day is written 2026-03-02"))
}

async fn status_report(
    State(sandbox): State<Sandbox>,
    Path(id): Path<u64>,
) -> Result<Response, ControlError> {
    xml_download(&sandbox, &format!("pain.002-{id}.xml"), |bank, now| {
        let file = bank.files().iter().find(|file| file.id == id)?;
        Some(statements::status_report(bank, file, now))
    })
}

async fn statement(
    State(sandbox): State<Sandbox>,
    Path(text): Path<String>,
) -> Result<Response, ControlError> {
    let day = day(&text)?;
    xml_download(&sandbox, &format!("camt.053-{day}.xml"), |bank, now| {
        Some(statements::statement(bank, day, now))
    })
}

/// The bookings of the customer's account, and what was credited to recipients.
async fn notifications(
    State(sandbox): State<Sandbox>,
    Path(text): Path<String>,
) -> Result<Response, ControlError> {
    let day = day(&text)?;
    xml_download(&sandbox, &format!("camt.054-{day}.xml"), |bank, now| {
        let own = &bank.customer().iban;
        let is_told = |booking: &&Booking| {
            let is_credited = booking.side == Side::Credit && booking.kind == BookingKind::Payment;
            booking.booked_on == day && (booking.account == *own || is_credited)
        };
        let bookings: Vec<&Booking> = bank.bookings().iter().filter(is_told).collect();
        Some(statements::notification(bank, &bookings, now))
    })
}

async fn notification(
    State(sandbox): State<Sandbox>,
    Path(number): Path<u64>,
) -> Result<Response, ControlError> {
    xml_download(&sandbox, &format!("camt.054-{number}.xml"), |bank, now| {
        let found = bank.bookings().iter().find(|b| b.number == number)?;
        Some(statements::notification(bank, &[found], now))
    })
}

async fn table(
    State(sandbox): State<Sandbox>,
    Path(text): Path<String>,
) -> Result<Response, ControlError> {
    let day = day(&text)?;
    let table = sandbox.with_paying_bank(|bank, _| statements::table(bank, day));
    let bytes = table
        .map_err(|error| ControlError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let name = format!("statement-{day}.csv");
    Ok(download("text/csv; charset=utf-8", &name, bytes))
}
