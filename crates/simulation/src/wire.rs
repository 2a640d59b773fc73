//! The connection between the cabinet and the acquirer: the real adapter, the sandbox's router, and a gate before and after each
//! call. The driver decides when a gate opens and what passes.

use std::collections::BTreeMap;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

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

use crate::time::Time;
use crate::trace::Trace;
use crate::world::order_of_return;

/// The id of an operation.
pub(crate) type OperationId = u32;

/// The position of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Before the acquirer: the request waits.
    Before,
    /// After the acquirer: the request was handled, and the answer waits.
    After,
}

/// What happens to a request or an answer at a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    /// It passes.
    Through,
    /// It is lost.
    Lost,
    /// The adapter gives it up, but it arrives at this moment.
    Late(Timestamp),
    /// No connection could be made.
    NotSent,
    /// The acquirer answers 429 and does nothing.
    TooMany,
    /// The acquirer answers 500.
    Broken,
    /// The acquirer refuses.
    Refused,
    /// The answer can't be read.
    Garbage,
}

/// A gate that is closed.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    pub(crate) id: u64,
    pub(crate) operation: OperationId,
    pub(crate) call: String,
    pub(crate) side: Side,
    /// When the adapter times out.
    pub(crate) until: Timestamp,
}

struct Waiting {
    gate: Gate,
    passage: Option<Passage>,
    waker: Option<Waker>,
}

struct State {
    gates: BTreeMap<u64, Waiting>,
    next: u64,
    operation: OperationId,
    /// Whether all gates are open.
    open: bool,
    /// Operations that met a fault.
    faulty: Vec<OperationId>,
    /// Payments asked of the acquirer since the last call of `take_asked`.
    asked: Vec<Asked>,
    /// Requests that timed out and will arrive late, with the moment of their arrival.
    late: Vec<(Timestamp, String, reqwest::Request)>,
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
        tells_time: bool,
        time: Arc<Time>,
        trace: Trace,
    ) -> Wire {
        let state = State {
            gates: BTreeMap::new(),
            next: 1,
            operation: 0,
            open: false,
            faulty: Vec::new(),
            asked: Vec::new(),
            late: Vec::new(),
        };
        Wire {
            router,
            token: HeaderValue::from_str(token).expect("the sandbox's token is visible ASCII"),
            time,
            trace,
            tells_time,
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Sets which operation is polled from now on.
    pub(crate) fn set_operation(&self, operation: OperationId) {
        self.state().operation = operation;
    }

    /// Opens all gates: from now on everything passes at once.
    pub(crate) fn open_for_good(&self) {
        self.state().open = true;
        for gate in self.closed_gates() {
            self.open(gate.id, Passage::Through);
        }
    }

    /// Returns the closed gates, oldest first.
    pub(crate) fn closed_gates(&self) -> Vec<Gate> {
        let state = self.state();
        let closed = state.gates.values().filter(|gate| gate.passage.is_none());
        closed.map(|waiting| waiting.gate.clone()).collect()
    }

    /// Returns whether an operation waits at a gate.
    pub(crate) fn is_at_gate(&self, operation: OperationId) -> bool {
        let mut closed = self.closed_gates().into_iter();
        closed.any(|gate| gate.operation == operation)
    }

    /// Opens a gate. Its operation continues when it is polled next.
    pub(crate) fn open(&self, id: u64, passage: Passage) {
        let mut state = self.state();
        let Some(waiting) = state.gates.get_mut(&id) else {
            return;
        };
        waiting.passage = Some(passage);
        let (waker, gate) = (waiting.waker.take(), waiting.gate.clone());
        if passage != Passage::Through {
            state.faulty.push(gate.operation);
        }
        drop(state);
        let side = match gate.side {
            Side::Before => "request",
            Side::After => "answer",
        };
        let (operation, call) = (gate.operation, gate.call);
        self.trace
            .note(format!("  #{operation} {call}: {side} {passage:?}"));
        if let Some(waker) = waker {
            waker.wake();
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

    /// Takes out the payments that the acquirer was asked for since the last call.
    pub(crate) fn take_asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.state().asked)
    }

    /// Returns whether an operation met a fault.
    pub(crate) fn met_a_fault(&self, operation: OperationId) -> bool {
        self.state().faulty.contains(&operation)
    }

    /// Waits at a new gate.
    async fn pass(
        &self,
        call: &str,
        side: Side,
        until: Timestamp,
        operation: OperationId,
    ) -> Passage {
        let id = {
            let mut state = self.state();
            if state.open {
                return Passage::Through;
            }
            let id = state.next;
            state.next += 1;
            let gate = Gate {
                id,
                operation,
                call: call.to_owned(),
                side,
                until,
            };
            let waiting = Waiting {
                gate,
                passage: None,
                waker: None,
            };
            state.gates.insert(id, waiting);
            id
        };
        let _gone = Gone { wire: self, id };
        poll_fn(|context| {
            let mut state = self.state();
            let Some(waiting) = state.gates.get_mut(&id) else {
                return Poll::Ready(Passage::Lost);
            };
            if let Some(passage) = waiting.passage {
                return Poll::Ready(passage);
            }
            waiting.waker = Some(context.waker().clone());
            Poll::Pending
        })
        .await
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the name of a call in the trace.
    fn label(&self, request: &reqwest::Request) -> String {
        let path = request.url().path();
        let path = path.strip_prefix("/api/merchant/").unwrap_or(path);
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

/// Removes a gate when its operation has passed it or is dropped.
struct Gone<'a> {
    wire: &'a Wire,
    id: u64,
}

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        self.wire.state().gates.remove(&self.id);
    }
}

#[async_trait]
impl Transport for Wire {
    async fn send(&self, request: reqwest::Request) -> Result<Answer, NoAnswer> {
        let call = self.label(&request);
        let operation = self.state().operation;
        let limit = request
            .timeout()
            .and_then(|limit| SignedDuration::try_from(*limit).ok());
        let until = self.time.truth() + limit.unwrap_or(SignedDuration::from_secs(10));
        match self.pass(&call, Side::Before, until, operation).await {
            Passage::Through => {}
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
        }
        self.note_asked(&request, operation);
        let done = self.ask(request).await;
        let is_open = self.state().open;
        if !is_open {
            let status = done.status.as_u16();
            self.trace
                .note(format!("  #{operation} {call}: the acquirer says {status}"));
        }
        match self.pass(&call, Side::After, until, operation).await {
            Passage::Through => Ok(done),
            Passage::Lost
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
        // The header has whole seconds.
        let second = Timestamp::from_second(self.time.truth().as_second());
        Answer {
            status,
            retry_after: None,
            date: second.ok().filter(|_| self.tells_time),
            body,
        }
    }

    fn note_asked(&self, request: &reqwest::Request, operation: OperationId) {
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

const REFUSAL: &[u8] = br#"{"errCode": "BAD_REQUEST", "errText": "not now"}"#;
