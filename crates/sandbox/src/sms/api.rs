//! The calls of TurboSMS's interface.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, post};
use axum::{Extension, Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::inbox::{Kept, Message};
use crate::faults::LoseEffect;
use crate::sandbox::Sandbox;

/// The service's name.
const SERVICE: &str = "turbosms";
/// The service refuses the same text to the same number within this time.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(90);
/// Longest message in Cyrillic letters.
pub(super) const CHARS_MAX: usize = 661;

#[derive(Deserialize)]
struct SendRequest {
    #[serde(default)]
    recipients: Vec<String>,
    sms: Option<SmsPart>,
    sequence_id: Option<String>,
}

#[derive(Deserialize)]
struct SmsPart {
    sender: Option<String>,
    text: Option<String>,
}

#[derive(Deserialize)]
struct StatusRequest {
    #[serde(default)]
    messages: Vec<String>,
}

/// Returns the routes of the service.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/message/send.json", post(send))
        .route("/message/status.json", post(status))
        .route("/user/balance.json", any(balance))
        .route("/{module}/ping.json", any(ping))
}

fn envelope(code: u32, status: &str, result: Value) -> Response {
    Json(json!({"response_code": code, "response_status": status, "response_result": result}))
        .into_response()
}

/// Returns a refusal if the caller has not the right token.
fn unauthorized(sandbox: &Sandbox, headers: &HeaderMap) -> Option<Response> {
    match headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
    {
        None => Some(envelope(103, "REQUIRED_TOKEN", Value::Null)),
        Some(value) if value.strip_prefix("Bearer ") == Some(&sandbox.settings().sms_token) => None,
        Some(_) => Some(envelope(301, "INVALID_TOKEN", Value::Null)),
    }
}

async fn ping(Path(_module): Path<String>) -> Response {
    envelope(1, "PONG", Value::Null)
}

async fn balance(State(sandbox): State<Sandbox>, headers: HeaderMap) -> Response {
    unauthorized(&sandbox, &headers).unwrap_or_else(|| envelope(0, "OK", json!({"balance": 1000})))
}

async fn status(State(sandbox): State<Sandbox>, headers: HeaderMap, body: Bytes) -> Response {
    if let Some(refusal) = unauthorized(&sandbox, &headers) {
        return refusal;
    }
    let Ok(request) = serde_json::from_slice::<StatusRequest>(&body) else {
        return envelope(502, "FAILED_PARSE_BODY", Value::Null);
    };
    let kept = sandbox.inbox().kept();
    let rows = request.messages.iter().map(|id| match kept.phones.get(id) {
        Some(phone) => json!({
            "message_id": id, "recipient": phone, "status": "Delivered", "type": "sms",
            "response_code": 0, "response_status": "OK",
        }),
        None => json!({
            "message_id": id, "status": "Unknown", "response_code": 414,
            "response_status": "NOT_ALLOWED_MESSAGE_ID",
        }),
    });
    envelope(0, "OK", rows.collect())
}

async fn send(
    State(sandbox): State<Sandbox>,
    headers: HeaderMap,
    lose: Option<Extension<LoseEffect>>,
    body: Bytes,
) -> Response {
    if let Some(refusal) = unauthorized(&sandbox, &headers) {
        return refusal;
    }
    let Ok(request) = serde_json::from_slice::<SendRequest>(&body) else {
        return envelope(502, "FAILED_PARSE_BODY", Value::Null);
    };
    let text = match checked_text(&request) {
        Ok(text) => text,
        Err((code, status)) => return envelope(code, status, Value::Null),
    };
    let ids: Vec<String> = request
        .recipients
        .iter()
        .map(|_| message_id(&sandbox))
        .collect();
    let now = sandbox.now();
    let mut kept = sandbox.inbox().kept();
    if let Some(answer) = request
        .sequence_id
        .as_ref()
        .and_then(|id| kept.answers.get(id))
    {
        return envelope(507, "FAILED_DUPLICATE_REQUEST", answer.clone());
    }
    let mut rows = Vec::new();
    let mut refused = 0;
    for (recipient, id) in request.recipients.iter().zip(ids) {
        let message = Message {
            phone: format!("+{recipient}"),
            text: text.to_owned(),
            service: SERVICE,
            sent_at: now,
        };
        if let Some((code, status)) = refusal(&kept, recipient, &message) {
            refused += 1;
            rows.push(json!({
                "phone": recipient, "response_code": code, "message_id": null, "response_status": status,
            }));
            continue;
        }
        if lose.is_none() {
            kept.add(message);
        }
        rows.push(json!({"phone": recipient, "response_code": 0, "message_id": id, "response_status": "OK"}));
        kept.phones.insert(id, recipient.clone());
    }
    let result = Value::from(rows);
    if let Some(id) = request.sequence_id {
        kept.answers.insert(id, result.clone());
    }
    match refused {
        0 => envelope(800, "SUCCESS_MESSAGE_ACCEPTED", result),
        _ => envelope(802, "SUCCESS_MESSAGE_PARTIAL_ACCEPTED", result),
    }
}

/// Returns the text of a complete request, or code and status of the refusal.
fn checked_text(request: &SendRequest) -> Result<&str, (u32, &'static str)> {
    let filled = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    let Some(sms) = request.sms.as_ref().filter(|sms| filled(&sms.sender)) else {
        return Err((200, "REQUIRED_MESSAGE_SENDER"));
    };
    let Some(text) = sms.text.as_deref().filter(|text| !text.trim().is_empty()) else {
        return Err((201, "REQUIRED_MESSAGE_TEXT"));
    };
    if text.chars().count() > CHARS_MAX {
        return Err((413, "NOT_ALLOWED_TEXT_LENGTH"));
    }
    if request.recipients.is_empty() {
        return Err((202, "REQUIRED_MESSAGE_RECIPIENT"));
    }
    Ok(text)
}

/// Returns code and status if the message to this recipient is refused.
fn refusal(kept: &Kept, recipient: &str, message: &Message) -> Option<(u32, &'static str)> {
    if !is_number(recipient) {
        Some((305, "INVALID_PHONE"))
    } else if kept.is_repeat(message, DUPLICATE_WINDOW) {
        Some((427, "NOT_ALLOWED_DUPLICATE_MESSAGE"))
    } else {
        None
    }
}

pub(super) fn is_number(text: &str) -> bool {
    (10..=15).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn message_id(sandbox: &Sandbox) -> String {
    let hex = sandbox.characters(b"0123456789abcdef", 32);
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!(
        "{}-{}-{}-{}-{}",
        part(0, 8),
        part(8, 12),
        part(12, 16),
        part(16, 20),
        part(20, 32)
    )
}
