//! The connection between the cabinet and the acquirer: the real adapter and the sandbox's router, with gates between them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode};
use cabinet_gateways::outbound::{Answer, NoAnswer, Transport};
use futures_util::FutureExt as _;
use http_body_util::BodyExt as _;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tower::ServiceExt as _;

use crate::acquirer::{ADDRESS, order_of_return, parameters_of};
use crate::gates::{Gates, OperationId, Passage, Side};
use crate::lies::{Lie, STALE_BY, hide_charges, hide_refunds};
use crate::time::{DAYS_AHEAD, Time};
use crate::trace::Trace;

#[derive(Default)]
struct State {
    /// Payments asked of the acquirer since the last call of `take_asked`.
    asked: Vec<Asked>,
    /// Requests that timed out and will arrive late, with the moment of their arrival.
    late: Vec<(Timestamp, String, reqwest::Request)>,
    /// How often the acquirer has lied.
    lies: BTreeMap<Lie, usize>,
}

/// How late monobank shows what has happened, and what time it tells.
#[derive(Clone, Copy)]
pub(crate) struct Lateness {
    pub(crate) statement: SignedDuration,
    pub(crate) refunds: SignedDuration,
    /// From when to when its clock is ahead.
    pub(crate) ahead: Option<(Timestamp, Timestamp)>,
}

/// A payment that the acquirer was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) operation: OperationId,
    pub(crate) reference: String,
    /// The id of our order.
    pub(crate) order: String,
}

/// The connection. Clones share it.
#[derive(Clone)]
pub(crate) struct Wire {
    router: Router,
    token: HeaderValue,
    time: Arc<Time>,
    trace: Trace,
    /// Whether the acquirer's answers contain its time.
    tells_time: bool,
    /// How late the statement and the lists of refunds are.
    late: Lateness,
    gates: Gates,
    state: Arc<Mutex<State>>,
}

impl fmt::Debug for Wire {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Wire")
    }
}

impl Wire {
    pub(crate) fn new(
        router: Router,
        token: &str,
        (tells_time, late): (bool, Lateness),
        time: Arc<Time>,
        trace: Trace,
        gates: Gates,
    ) -> Wire {
        Wire {
            router,
            token: HeaderValue::from_str(token).expect("the sandbox's token is visible ASCII"),
            time,
            trace,
            tells_time,
            late,
            gates,
            state: Arc::default(),
        }
    }

    /// Returns when the next late request arrives at the acquirer.
    pub(crate) fn next_arrival(&self) -> Option<Timestamp> {
        self.state().late.iter().map(|late| late.0).min()
    }

    /// Delivers the late requests whose time has come to the acquirer.
    pub(crate) fn let_late_arrive(&self) {
        let now = self.time.truth();
        let arrived: Vec<_> = {
            let mut state = self.state();
            state.late.extract_if(.., |late| late.0 <= now).collect()
        };
        for (_, call, request) in arrived {
            let done = self.ask(request).now_or_never();
            let status = done.map_or(0, |done| done.status.as_u16());
            self.trace
                .note(format!("  late: {call}: the acquirer says {status}"));
        }
    }

    /// Counts a lie.
    pub(crate) fn count(&self, lie: Lie) {
        *self.state().lies.entry(lie).or_default() += 1;
    }

    /// Returns how often the acquirer has lied.
    pub(crate) fn lies(&self) -> BTreeMap<Lie, usize> {
        self.state().lies.clone()
    }

    /// Takes out of an answer what the acquirer does not show yet.
    fn hide(&self, path: &str, is_stale: bool, answer: &mut Answer) {
        if self.gates.are_open() {
            return;
        }
        let Ok(mut body) = serde_json::from_slice::<Value>(&answer.body) else {
            return;
        };
        let now = self.time.truth();
        let lie = if is_stale {
            hide_charges(&mut body, now, STALE_BY).then_some(Lie::StatementStale)
        } else if path.ends_with("/merchant/statement") {
            hide_charges(&mut body, now, self.late.statement).then_some(Lie::StatementLate)
        } else if path.ends_with("/invoice/status") {
            hide_refunds(&mut body, now, self.late.refunds).then_some(Lie::RefundsLate)
        } else {
            None
        };
        if let Some(lie) = lie {
            self.count(lie);
            self.trace.note(format!("  the acquirer lies: {lie:?}"));
            answer.body = body.to_string().into_bytes();
        }
    }

    /// Takes out the payments that the acquirer was asked for since the last call.
    pub(crate) fn take_asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.state().asked)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the name of a call in the trace.
    fn label(&self, request: &reqwest::Request) -> String {
        let path = request.url().path();
        let path = path.strip_prefix("/api/merchant/").unwrap_or(path);
        if let Some(parameters) = liqpay_parameters(request) {
            let text = |field: &str| parameters[field].as_str().unwrap_or_default().to_owned();
            let invoice = self.trace.name("invoice", &text("order_id"));
            return format!("LiqPay {} {invoice}", text("action"));
        }
        let body = body_of(request);
        let asked = request
            .url()
            .query_pairs()
            .find(|(name, _)| name == "invoiceId");
        if let Some(id) = body["invoiceId"].as_str() {
            return format!("{path} {}", self.trace.name("invoice", id));
        }
        if let Some((_, id)) = asked {
            return format!("{path} {}", self.trace.name("invoice", &id));
        }
        match body["merchantPaymInfo"]["reference"].as_str() {
            Some(reference) => format!("{path} {}", self.trace.name("attempt", reference)),
            None => path.to_owned(),
        }
    }
}

#[async_trait]
impl Transport for Wire {
    async fn send(&self, request: reqwest::Request) -> Result<Answer, NoAnswer> {
        let call = self.label(&request);
        let operation = self.gates.operation();
        let limit = request
            .timeout()
            .and_then(|limit| SignedDuration::try_from(*limit).ok());
        let until = self.time.truth() + limit.unwrap_or(SignedDuration::from_secs(10));
        let passage = self.gates.pass(&call, Side::Before, until, operation).await;
        let is_stale = passage == Passage::Stale;
        match passage {
            Passage::Through | Passage::Stale | Passage::WrongTime(_) => {}
            Passage::Lost | Passage::Garbage => return Err(NoAnswer::Lost),
            Passage::Late(arrival) => {
                self.state().late.push((arrival, call, request));
                return Err(NoAnswer::Lost);
            }
            Passage::NotSent => return Err(NoAnswer::NotSent),
            Passage::TooMany => return Ok(self.answer(StatusCode::TOO_MANY_REQUESTS, Vec::new())),
            Passage::Broken => {
                return Ok(self.answer(StatusCode::INTERNAL_SERVER_ERROR, Vec::new()));
            }
            Passage::Refused => return Ok(self.answer(StatusCode::BAD_REQUEST, REFUSAL.to_vec())),
            Passage::Forgotten => {
                return Ok(self.answer(StatusCode::NOT_FOUND, UNKNOWN.to_vec()));
            }
        }
        self.record_payment(&request, operation);
        let path = request.url().path().to_owned();
        let mut done = self.ask(request).await;
        self.hide(&path, is_stale, &mut done);
        if !self.gates.are_open() {
            let status = done.status.as_u16();
            self.trace
                .note(format!("  #{operation} {call}: the acquirer says {status}"));
        }
        match self.gates.pass(&call, Side::After, until, operation).await {
            Passage::Through => Ok(done),
            Passage::WrongTime(seconds) => {
                done.date = done
                    .date
                    .map(|date| date + SignedDuration::from_secs(seconds));
                Ok(done)
            }
            Passage::Lost
            | Passage::Forgotten
            | Passage::Stale
            | Passage::Late(_)
            | Passage::NotSent
            | Passage::TooMany
            | Passage::Refused => Err(NoAnswer::Lost),
            Passage::Broken => Ok(self.answer(StatusCode::INTERNAL_SERVER_ERROR, Vec::new())),
            Passage::Garbage => Ok(self.answer(StatusCode::OK, b"<html>".to_vec())),
        }
    }
}

impl Wire {
    fn answer(&self, status: StatusCode, body: Vec<u8>) -> Answer {
        let now = self.time.truth();
        let ahead = self.late.ahead.filter(|_| !self.gates.are_open());
        let is_ahead = ahead.is_some_and(|(from, to)| (from..to).contains(&now)) && self.tells_time;
        let told = if is_ahead {
            self.count(Lie::WrongClock);
            now + DAYS_AHEAD
        } else {
            now
        };
        // The header has whole seconds.
        let second = Timestamp::from_second(told.as_second());
        Answer {
            status,
            retry_after: None,
            date: second.ok().filter(|_| self.tells_time),
            body,
        }
    }

    /// Records a request for a payment.
    fn record_payment(&self, request: &reqwest::Request, operation: OperationId) {
        let body = body_of(request);
        let reference = body["merchantPaymInfo"]["reference"].as_str();
        let (Some(reference), Some(address)) = (reference, body["redirectUrl"].as_str()) else {
            return;
        };
        self.state().asked.push(Asked {
            operation,
            reference: reference.to_owned(),
            order: order_of_return(address).to_owned(),
        });
    }

    /// Hands a request to the sandbox's router.
    async fn ask(&self, request: reqwest::Request) -> Answer {
        let address = match request.url().query() {
            Some(query) => format!("{}?{query}", request.url().path()),
            None => request.url().path().to_owned(),
        };
        let mut asked = Request::builder()
            .method(request.method().clone())
            .uri(address)
            .body(Body::from(
                request
                    .body()
                    .and_then(|body| body.as_bytes())
                    .unwrap_or_default()
                    .to_vec(),
            ))
            .expect("a request of the adapter is one");
        *asked.headers_mut() = HeaderMap::from_iter(
            request
                .headers()
                .iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        asked.headers_mut().insert("X-Token", self.token.clone());
        let Ok(response) = self.router.clone().oneshot(asked).await;
        let status = response.status();
        let body = response.into_body().collect().await;
        self.answer(
            status,
            body.map(|body| body.to_bytes().to_vec())
                .unwrap_or_default(),
        )
    }
}

fn body_of(request: &reqwest::Request) -> Value {
    let body = request.body().and_then(|body| body.as_bytes());
    serde_json::from_slice(body.unwrap_or_default()).unwrap_or_default()
}

/// Returns the parameters of a request to LiqPay.
fn liqpay_parameters(request: &reqwest::Request) -> Option<Value> {
    let form = request.body()?.as_bytes()?;
    let form = format!("{ADDRESS}?{}", std::str::from_utf8(form).ok()?);
    parameters_of(&form)
}

const UNKNOWN: &[u8] = br#"{"errCode": "NOT_FOUND", "errText": "invoice not found"}"#;
const REFUSAL: &[u8] = br#"{"errCode": "BAD_REQUEST", "errText": "not now"}"#;
