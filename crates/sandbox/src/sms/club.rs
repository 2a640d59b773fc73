//! The calls of SMS Club's interface.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Extension, Json, Router};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::api::{CHARS_MAX, is_number};
use super::inbox::Message;
use crate::faults::LoseEffect;
use crate::sandbox::Sandbox;

/// The service's name.
const SERVICE: &str = "smsclub";
/// The service refuses the same text to the same number within this time.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);
/// Numbers of one request, or messages that are asked about.
const NUMBERS_MAX: usize = 100;

#[derive(Deserialize)]
struct SendRequest {
    #[serde(default)]
    src_addr: String,
    #[serde(default)]
    phone: Vec<String>,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct StatusRequest {
    #[serde(default)]
    id_sms: Vec<String>,
}

/// Returns the routes of the service.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/send", post(send))
        .route("/status", post(status))
        .route("/balance", post(balance))
}

fn refusal(status: u16, message: &str) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
    (status, Json(json!({"message": message}))).into_response()
}

fn accepted(result: &Value) -> Response {
    Json(json!({"success_request": result})).into_response()
}

/// Returns a refusal if the caller has not the right token.
fn unauthorized(sandbox: &Sandbox, headers: &HeaderMap) -> Option<Response> {
    let told = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let token = told.and_then(|value| value.strip_prefix("Bearer "));
    let is_right = token == Some(&sandbox.settings().sms_club_token);
    (!is_right).then(|| refusal(401, "Unauthorized"))
}

async fn balance(State(sandbox): State<Sandbox>, headers: HeaderMap) -> Response {
    unauthorized(&sandbox, &headers)
        .unwrap_or_else(|| accepted(&json!({"info": {"money": "1000.0000", "currency": "UAH"}})))
}

async fn status(State(sandbox): State<Sandbox>, headers: HeaderMap, body: Bytes) -> Response {
    if let Some(refusal) = unauthorized(&sandbox, &headers) {
        return refusal;
    }
    let Ok(request) = serde_json::from_slice::<StatusRequest>(&body) else {
        return refusal(400, "The body can't be read");
    };
    let kept = sandbox.inbox().kept();
    let known = request
        .id_sms
        .iter()
        .take(NUMBERS_MAX)
        .filter(|id| kept.phones.contains_key(*id));
    let info: Map<String, Value> = known.map(|id| (id.clone(), "DELIVRD".into())).collect();
    accepted(&json!({"info": info}))
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
        return refusal(400, "The body can't be read");
    };
    if request.src_addr.trim().is_empty()
        || request.message.trim().is_empty()
        || request.message.chars().count() > CHARS_MAX
        || !(1..=NUMBERS_MAX).contains(&request.phone.len())
    {
        return refusal(400, "A field is wrong");
    }
    let ids: Vec<String> = request
        .phone
        .iter()
        .map(|_| sandbox.characters(b"0123456789", 12))
        .collect();
    let now = sandbox.now();
    let mut kept = sandbox.inbox().kept();
    let (mut info, mut wrong) = (Map::new(), Map::new());
    for (number, id) in request.phone.iter().zip(ids) {
        let message = Message {
            phone: format!("+{number}"),
            text: request.message.clone(),
            service: SERVICE,
            sent_at: now,
        };
        if !is_number(number) {
            wrong.insert(number.clone(), "The number is wrong".into());
            continue;
        }
        if kept.is_repeat(&message, DUPLICATE_WINDOW) {
            return refusal(453, "Duplicate message");
        }
        if lose.is_none() {
            kept.add(message);
        }
        kept.phones.insert(id.clone(), number.clone());
        info.insert(id, number.clone().into());
    }
    let mut result = json!({"info": info});
    if !wrong.is_empty() {
        result["add_info"] = wrong.into();
    }
    accepted(&result)
}
