//! The calls of the voice interface, `Calls.json`.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{Instructions, PhoneCall, PhoneCallStatus};
use crate::faults::LoseEffect;
use crate::sandbox::Sandbox;

const TWIML_CHARS_MAX: usize = 4_000;
const RING_SECONDS_USUAL: u64 = 60;
const RING_SECONDS_MAX: u64 = 600;

/// A refusal in the interface's form.
struct Refusal(StatusCode, u32, &'static str);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self(status, code, message) = self;
        let body = json!({
            "code": code, "message": message, "status": status.as_u16(),
            "more_info": format!("https://www.twilio.com/docs/errors/{code}"),
        });
        (status, Json(body)).into_response()
    }
}

const NOT_FOUND: Refusal = Refusal(
    StatusCode::NOT_FOUND,
    20404,
    "The requested resource was not found",
);

/// Returns the routes below an account.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/Calls.json", post(create))
        .route("/Calls/{file}", get(show).post(change))
        .fallback(|| async { NOT_FOUND })
}

fn authorized(sandbox: &Sandbox, account: &str, headers: &HeaderMap) -> Result<(), Refusal> {
    let settings = sandbox.settings();
    let expected = format!("{}:{}", settings.voice_account, settings.voice_token);
    let given = headers
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Basic "))
        .and_then(|value| STANDARD.decode(value).ok());
    if account == settings.voice_account && given.as_deref() == Some(expected.as_bytes()) {
        Ok(())
    } else {
        Err(Refusal(StatusCode::UNAUTHORIZED, 20003, "Authenticate"))
    }
}

/// Returns a call as the interface shows it.
fn object(sandbox: &Sandbox, call: &PhoneCall) -> Value {
    let account = &sandbox.settings().voice_account;
    let date = call
        .started_at
        .strftime("%a, %d %b %Y %H:%M:%S +0000")
        .to_string();
    json!({
        "sid": call.sid, "account_sid": account, "to": call.phone, "from": call.from,
        "status": call.status.as_str(), "direction": "outbound-api", "api_version": "2010-04-01",
        "date_created": date, "date_updated": date, "start_time": null, "end_time": null, "duration": null,
        "price": null, "price_unit": "USD", "answered_by": null, "queue_time": "0",
        "uri": format!("/2010-04-01/Accounts/{account}/Calls/{}.json", call.sid), "subresource_uris": {},
    })
}

fn is_e164(text: &str) -> bool {
    text.strip_prefix('+').is_some_and(|digits| {
        (8..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

async fn create(
    State(sandbox): State<Sandbox>,
    Path(account): Path<String>,
    headers: HeaderMap,
    lose: Option<Extension<LoseEffect>>,
    body: Bytes,
) -> Result<Response, Refusal> {
    authorized(&sandbox, &account, &headers)?;
    let form: Vec<(String, String)> = form_urlencoded::parse(&body).into_owned().collect();
    let call = read_phone_call(&sandbox, &form)?;
    let answer = object(&sandbox, &call);
    if lose.is_none() {
        let sid = call.sid.clone();
        sandbox.exchange().add(call);
        tokio::spawn(async move { sandbox.ring(&sid).await });
    }
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

/// Reads the form that asks for a call.
fn read_phone_call(sandbox: &Sandbox, form: &[(String, String)]) -> Result<PhoneCall, Refusal> {
    let values = |name: &'static str| {
        form.iter()
            .filter(move |pair| pair.0 == name)
            .map(|pair| pair.1.clone())
    };
    let value = |name: &'static str| values(name).next();
    let bad = |code, message| Refusal(StatusCode::BAD_REQUEST, code, message);
    let to = value("To")
        .filter(|to| !to.is_empty())
        .ok_or(bad(21201, "No 'To' number is specified"))?;
    if !is_e164(&to) {
        return Err(bad(21211, "Invalid 'To' phone number"));
    }
    let from = value("From")
        .filter(|from| is_e164(from))
        .ok_or(bad(21212, "Invalid 'From' number"))?;
    let instructions = match (value("Url"), value("Twiml")) {
        (Some(url), _) => Instructions::At(url),
        (None, Some(twiml)) if twiml.chars().count() <= TWIML_CHARS_MAX => {
            Instructions::Inline(twiml)
        }
        _ => return Err(bad(21205, "Url or Twiml is required")),
    };
    let seconds = value("Timeout")
        .and_then(|text| text.parse().ok())
        .unwrap_or(RING_SECONDS_USUAL);
    let mut events: Vec<String> = values("StatusCallbackEvent").collect();
    if events.is_empty() {
        events.push("completed".to_owned());
    }
    Ok(PhoneCall {
        sid: format!("CA{}", sandbox.characters(b"0123456789abcdef", 32)),
        phone: to,
        from,
        status: PhoneCallStatus::Queued,
        heard: Vec::new(),
        started_at: sandbox.now(),
        instructions,
        status_callback: value("StatusCallback"),
        events,
        ring_time: Duration::from_secs(seconds.min(RING_SECONDS_MAX)),
        sequence: 0,
    })
}

/// Returns the call that a path such as `CA….json` names.
fn named(sandbox: &Sandbox, file: &str) -> Result<PhoneCall, Refusal> {
    file.strip_suffix(".json")
        .and_then(|sid| sandbox.exchange().call(sid))
        .ok_or(NOT_FOUND)
}

async fn show(
    State(sandbox): State<Sandbox>,
    Path((account, file)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Json<Value>, Refusal> {
    authorized(&sandbox, &account, &headers)?;
    Ok(Json(object(&sandbox, &named(&sandbox, &file)?)))
}

async fn change(
    State(sandbox): State<Sandbox>,
    Path((account, file)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    authorized(&sandbox, &account, &headers)?;
    let call = named(&sandbox, &file)?;
    let status = form_urlencoded::parse(&body)
        .find(|pair| pair.0 == "Status")
        .map(|pair| pair.1.into_owned());
    match status.as_deref() {
        Some("canceled") => {
            sandbox
                .end_phone_call(&call.sid, PhoneCallStatus::rings, PhoneCallStatus::Canceled)
                .await
        }
        Some("completed") => {
            let may =
                |status: PhoneCallStatus| status.rings() || status == PhoneCallStatus::InProgress;
            sandbox
                .end_phone_call(&call.sid, may, PhoneCallStatus::Completed)
                .await
        }
        _ => {
            return Err(Refusal(
                StatusCode::BAD_REQUEST,
                21220,
                "Invalid call state",
            ));
        }
    };
    Ok(Json(object(&sandbox, &named(&sandbox, &file)?)))
}
