//! The cabinet's port for the acquirer's reports, and the proxy before its processes, which take turns.
//!
//! Requests of tests don't use the port; they call a process directly. The gate stays open while the cabinet restarts. It can hold the
//! acquirer's reports back, so that a test can deliver them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use tokio::net::TcpListener;
use tower::ServiceExt as _;

/// Where the paths of the acquirers' reports begin.
pub(crate) const REPORT_PATH: &str = "/api/acquirer/report";

/// A report of the acquirer, unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The value of `X-Sign`; LiqPay's signature stands in the body.
    pub signature: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Report {
    /// Returns its status.
    pub fn status(&self) -> String {
        let body: serde_json::Value = serde_json::from_slice(&self.body).unwrap_or_default();
        body["status"].as_str().unwrap_or_default().to_owned()
    }
}

#[derive(Default)]
pub(crate) struct Gate {
    /// One for each process.
    routers: RwLock<Vec<Router>>,
    turns: AtomicUsize,
    /// The reports that are held back, or `None` if they pass.
    kept: Mutex<Option<Vec<Report>>>,
}

impl Gate {
    /// Serves a gate on a free port. Returns its address.
    pub(crate) async fn serve() -> (Arc<Gate>, String) {
        let gate = Arc::new(Gate::default());
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port can be bound");
        let address = listener.local_addr().expect("a bound port has an address");
        let router = Router::new().fallback(pass).with_state(Arc::clone(&gate));
        tokio::spawn(async move { axum::serve(listener, router).await });
        (gate, format!("http://{address}"))
    }

    /// Sets the processes behind the gate.
    pub(crate) fn lead_to(&self, routers: Vec<Router>) {
        *self.routers.write().unwrap_or_else(PoisonError::into_inner) = routers;
    }

    /// Returns the process whose turn it is; `None` while none runs.
    pub(crate) fn router(&self) -> Option<Router> {
        let routers = self.routers.read().unwrap_or_else(PoisonError::into_inner);
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        let number = turn.checked_rem(routers.len())?;
        routers.get(number).cloned()
    }

    pub(crate) fn keep_reports(&self) {
        self.kept().get_or_insert_with(Vec::new);
    }

    pub(crate) fn kept_reports(&self) -> Vec<Report> {
        self.kept().clone().unwrap_or_default()
    }

    pub(crate) fn let_reports_through(&self) {
        *self.kept() = None;
    }

    fn kept(&self) -> MutexGuard<'_, Option<Vec<Report>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn pass(State(gate): State<Arc<Gate>>, request: Request) -> Response {
    let keeps = gate.kept().is_some();
    if keeps && request.uri().path().starts_with(REPORT_PATH) {
        return keep(&gate, request).await;
    }
    match gate.router() {
        Some(router) => match router.oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        },
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

async fn keep(gate: &Gate, request: Request<Body>) -> Response {
    let signature = request
        .headers()
        .get("x-sign")
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let body = to_bytes(request.into_body(), usize::MAX)
        .await
        .expect("a report has a body");
    if let Some(reports) = gate.kept().as_mut() {
        reports.push(Report {
            signature,
            body: body.to_vec(),
        });
    }
    StatusCode::OK.into_response()
}
