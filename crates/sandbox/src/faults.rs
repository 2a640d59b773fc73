//! Faults on order: what the outside world does wrong next, for a service and a number of calls.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{OriginalUri, Request, State};
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// Largest answer that is looked into to falsify its sums.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The service that misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultService {
    /// Calls to the acquirer.
    Acquirer,
    /// Calls to the message service.
    Sms,
    /// Calls to the voice service.
    Calls,
    /// Letters to the mail server.
    Mail,
    /// The acquirer's reports to the merchant.
    Reports,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// `delay_ms` pass first. With `"effect": true` the call is carried out at once and only its answer is late.
    Delay,
    /// Nothing is carried out and no answer comes.
    TimeoutBefore,
    /// The call is carried out, a card is charged, and no answer comes.
    TimeoutAfter,
    /// A message is taken and never arrives; a report is never sent.
    Drop,
    /// A report is sent `copies` times at once.
    Duplicate,
    /// A report is held back until the next one of the same invoice was sent (or `delay_ms`, 3 s, have passed).
    Reorder,
    /// A report is signed by a stranger's key.
    Forge,
    /// The sum is one kopiyka more, in the acquirer's answer or in a report that is signed properly.
    WrongAmount,
    /// The currency is another, likewise.
    WrongCurrency,
    /// "Too many requests" (a letter: not now); nothing is carried out.
    #[serde(rename = "status_429")]
    Status429,
    /// A fault inside. Nothing is carried out, unless `"effect": true`.
    #[serde(rename = "status_500")]
    Status500,
    /// A definite refusal with `code`; nothing is carried out.
    Refuse,
    /// The call is carried out (unless `"effect": false`) and its answer is a page that is no JSON.
    Garbage,
    /// The call is carried out (unless `"effect": false`) and the connection is closed without an answer.
    Reset,
}

/// One order for faults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Where.
    pub service: FaultService,
    /// What.
    pub kind: FaultKind,
    /// For so many calls (or reports); then it is over.
    #[serde(default = "one")]
    pub calls: u32,
    /// Only for calls whose path contains this text, `invoice/create` for instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A time in milliseconds, where the kind has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// Whether the call is carried out all the same, where the kind leaves the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<bool>,
    /// The code of a refusal. The acquirer's `NOT_FOUND` and `FORBIDDEN` come with the status of HTTP that is theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// How often a duplicated report is sent; twice when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<u32>,
}

fn one() -> u32 {
    1
}

impl Fault {
    /// A fault for one call.
    pub fn new(service: FaultService, kind: FaultKind) -> Self {
        Self {
            service,
            kind,
            calls: 1,
            path: None,
            delay_ms: None,
            effect: None,
            code: None,
            copies: None,
        }
    }

    /// Whether the service can fail in this way.
    pub(crate) fn makes_sense(&self) -> bool {
        use FaultKind as Kind;
        match self.service {
            FaultService::Reports => matches!(
                self.kind,
                Kind::Delay
                    | Kind::Drop
                    | Kind::Duplicate
                    | Kind::Reorder
                    | Kind::Forge
                    | Kind::Garbage
                    | Kind::WrongAmount
                    | Kind::WrongCurrency
            ),
            FaultService::Acquirer => !matches!(
                self.kind,
                Kind::Drop | Kind::Duplicate | Kind::Reorder | Kind::Forge
            ),
            FaultService::Sms | FaultService::Calls | FaultService::Mail => !matches!(
                self.kind,
                Kind::Duplicate
                    | Kind::Reorder
                    | Kind::Forge
                    | Kind::WrongAmount
                    | Kind::WrongCurrency
            ),
        }
    }

    /// The time of the fault, or a usual one.
    pub(crate) fn delay_or(&self, usual: Duration) -> Duration {
        self.delay_ms.map_or(usual, Duration::from_millis)
    }
}

/// The faults that are ordered, in the order in which they are used up.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    ordered: Mutex<Vec<Fault>>,
}

impl Faults {
    pub(crate) fn set(&self, faults: Vec<Fault>) {
        *self.ordered() = faults;
    }

    pub(crate) fn list(&self) -> Vec<Fault> {
        self.ordered().clone()
    }

    /// Uses up one call of the first fault that fits.
    pub(crate) fn take(&self, service: FaultService, path: &str) -> Option<Fault> {
        let mut ordered = self.ordered();
        let fits = |fault: &Fault| {
            fault.service == service
                && fault.calls > 0
                && fault
                    .path
                    .as_ref()
                    .is_none_or(|part| path.contains(part.as_str()))
        };
        let position = ordered.iter().position(fits)?;
        let fault = ordered.get_mut(position)?;
        fault.calls -= 1;
        let taken = fault.clone();
        if fault.calls == 0 {
            ordered.remove(position);
        }
        Some(taken)
    }

    fn ordered(&self) -> MutexGuard<'_, Vec<Fault>> {
        self.ordered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks an answer that must not be sent: [`crate::serve`] closes the connection instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CloseConnection;

/// Marks a request whose effect must not reach anybody: a message that is taken and lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoseEffect;

/// An answer that closes the connection.
fn closed() -> Response {
    let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
    response.extensions_mut().insert(CloseConnection);
    response
}

/// Lets a request through, or fails it as ordered. Letters do not come by HTTP: their server fails by itself.
pub(crate) async fn layer(
    State((sandbox, service)): State<(Sandbox, FaultService)>,
    OriginalUri(address): OriginalUri,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(fault) = sandbox.faults().take(service, address.path()) else {
        return next.run(request).await;
    };
    let delay = fault.delay_or(Duration::from_secs(1));
    match fault.kind {
        FaultKind::Delay if fault.effect == Some(true) => {
            let response = next.run(request).await;
            tokio::time::sleep(delay).await;
            response
        }
        FaultKind::Delay => {
            tokio::time::sleep(delay).await;
            next.run(request).await
        }
        FaultKind::TimeoutBefore => hold(&sandbox, &fault).await,
        FaultKind::TimeoutAfter => {
            next.run(request).await;
            hold(&sandbox, &fault).await
        }
        FaultKind::Drop => {
            request.extensions_mut().insert(LoseEffect);
            next.run(request).await
        }
        FaultKind::Status429 => too_many(service),
        FaultKind::Status500 => {
            if fault.effect == Some(true) {
                next.run(request).await;
            }
            inner_fault(service)
        }
        FaultKind::Refuse => refusal(service, fault.code.as_deref()),
        FaultKind::Garbage => {
            if fault.effect != Some(false) {
                next.run(request).await;
            }
            (
                StatusCode::OK,
                [(CONTENT_TYPE, "text/html")],
                "<html><body>Ooops</body></html>",
            )
                .into_response()
        }
        FaultKind::Reset => {
            if fault.effect != Some(false) {
                next.run(request).await;
            }
            closed()
        }
        FaultKind::WrongAmount | FaultKind::WrongCurrency => {
            falsified(next.run(request).await, fault.kind).await
        }
        // Not taken for these services; let through rather than lost.
        FaultKind::Duplicate | FaultKind::Reorder | FaultKind::Forge => next.run(request).await,
    }
}

/// Keeps the caller waiting until it gives up (then this future is dropped) or the limit is reached.
async fn hold(sandbox: &Sandbox, fault: &Fault) -> Response {
    tokio::time::sleep(fault.delay_or(sandbox.settings().hold_limit)).await;
    closed()
}

fn too_many(service: FaultService) -> Response {
    let body = match service {
        FaultService::Acquirer | FaultService::Reports => {
            json!({"errCode": "TMR", "errText": "too many requests"})
        }
        FaultService::Sms | FaultService::Mail => {
            json!({"response_code": 500, "response_status": "FAILED"})
        }
        FaultService::Calls => {
            json!({"code": 20429, "message": "Too many requests", "status": 429})
        }
    };
    let mut response = (StatusCode::TOO_MANY_REQUESTS, axum::Json(body)).into_response();
    response
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

fn inner_fault(service: FaultService) -> Response {
    let body = match service {
        FaultService::Acquirer | FaultService::Reports => {
            json!({"errCode": "INTERNAL_ERROR", "errText": "internal server error"})
        }
        FaultService::Sms | FaultService::Mail => {
            json!({"response_code": 999, "response_status": "FAILED_FATAL_ERROR"})
        }
        FaultService::Calls => json!({"code": 20500, "message": "Internal error", "status": 500}),
    };
    (StatusCode::INTERNAL_SERVER_ERROR, axum::Json(body)).into_response()
}

fn refusal(service: FaultService, code: Option<&str>) -> Response {
    let number = |usual: u32| code.and_then(|code| code.parse().ok()).unwrap_or(usual);
    match service {
        FaultService::Acquirer | FaultService::Reports => {
            let body =
                json!({"errCode": code.unwrap_or("BAD_REQUEST"), "errText": "refused on order"});
            let status = match code {
                Some("NOT_FOUND") => StatusCode::NOT_FOUND,
                Some("FORBIDDEN") => StatusCode::FORBIDDEN,
                _ => StatusCode::BAD_REQUEST,
            };
            (status, axum::Json(body)).into_response()
        }
        FaultService::Sms | FaultService::Mail => {
            let body = json!({
                "response_code": number(203), "response_status": "REFUSED_ON_ORDER", "response_result": null,
            });
            axum::Json(body).into_response()
        }
        FaultService::Calls => {
            let body = json!({"code": number(21216), "message": "Refused on order", "status": 400});
            (StatusCode::BAD_REQUEST, axum::Json(body)).into_response()
        }
    }
}

/// The same answer with another sum or currency in it.
async fn falsified(response: Response, kind: FaultKind) -> Response {
    let (parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, ANSWER_BYTES_MAX).await else {
        return closed();
    };
    let Ok(mut value) = serde_json::from_slice::<Value>(&bytes) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    falsify(&mut value, kind);
    (parts.status, axum::Json(value)).into_response()
}

/// Changes the sum or the currency of an invoice, or of each entry of a list.
pub(crate) fn falsify(value: &mut Value, kind: FaultKind) {
    if let Some(entries) = value.get_mut("list").and_then(Value::as_array_mut) {
        for entry in entries {
            falsify(entry, kind);
        }
    }
    let (field, change): (_, fn(i64) -> i64) = match kind {
        FaultKind::WrongCurrency => ("ccy", |_| 840),
        _ => ("amount", |amount| amount + 1),
    };
    if let Some(number) = value.get_mut(field)
        && let Some(known) = number.as_i64()
    {
        *number = change(known).into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_used_up_by_calls_that_fit_its_path() {
        let faults = Faults::default();
        let mut fault = Fault::new(FaultService::Acquirer, FaultKind::Status500);
        fault.calls = 2;
        fault.path = Some("invoice/create".to_owned());
        faults.set(vec![fault]);
        assert!(
            faults
                .take(FaultService::Acquirer, "/api/merchant/invoice/status")
                .is_none()
        );
        assert!(
            faults
                .take(FaultService::Sms, "/api/merchant/invoice/create")
                .is_none()
        );
        assert!(
            faults
                .take(FaultService::Acquirer, "/api/merchant/invoice/create")
                .is_some()
        );
        assert_eq!(faults.list().len(), 1);
        assert!(
            faults
                .take(FaultService::Acquirer, "/api/merchant/invoice/create")
                .is_some()
        );
        assert!(
            faults
                .take(FaultService::Acquirer, "/api/merchant/invoice/create")
                .is_none()
        );
        assert!(faults.list().is_empty());
    }

    #[test]
    fn the_words_of_the_interface_are_read() {
        let words = [
            "delay",
            "timeout_before",
            "timeout_after",
            "drop",
            "duplicate",
            "reorder",
            "forge",
            "wrong_amount",
            "wrong_currency",
            "status_429",
            "status_500",
            "refuse",
            "garbage",
            "reset",
        ];
        for word in words {
            let fault: Fault =
                serde_json::from_value(json!({"service": "reports", "kind": word})).unwrap();
            assert_eq!(fault.calls, 1);
            assert_eq!(serde_json::to_value(&fault).unwrap()["kind"], word);
        }
    }

    #[test]
    fn sums_are_falsified_in_answers_and_lists() {
        let mut value = json!({"amount": 100, "ccy": 980, "list": [{"amount": 5}]});
        falsify(&mut value, FaultKind::WrongAmount);
        assert_eq!(
            value,
            json!({"amount": 101, "ccy": 980, "list": [{"amount": 6}]})
        );
        falsify(&mut value, FaultKind::WrongCurrency);
        assert_eq!(value["ccy"], 840);
    }
}
