//! Health, metrics and the request log.

use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use cabinet_app::Services;
use cabinet_domain::OrderId;
use cabinet_metrics::{Answered, CallGroup, HTTP_REQUESTS, HTTP_ROUTE_SECONDS, HTTP_SECONDS};
use tracing::Span;
use tracing::field::{Empty, display};

use crate::state::ApiState;

/// Returns the health of the public address: whether the cabinet is ready, without the reason.
pub fn routes() -> Router<ApiState> {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(is_ready))
}

async fn alive() -> &'static str {
    "alive\n"
}

/// Answers like [`readiness`], without the reason.
async fn is_ready(State(state): State<ApiState>) -> Response {
    let mut answer = readiness(state.services.clone()).await;
    if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
        *answer.body_mut() = "not ready\n".into();
    }
    answer
}

const READY: &str = "ready\n";
const LEAVING: &str = "stopping\n";

/// Returns the router of the operator's address: health with reasons, and the metrics, which are written by `metrics` when they are
/// asked for.
pub fn operations_router<Metrics>(services: Services, metrics: Metrics) -> Router
where
    Metrics: Fn() -> String + Clone + Send + Sync + 'static,
{
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(move || readiness(services.clone())))
        .route("/metrics", get(move || async move { metrics() }))
}

/// Answers 200 when the database answers, reference data is loaded and the worker runs, otherwise 503. A cabinet that leaves answers 404: HAProxy
/// takes that for "nothing new, but let it finish" (`http-check disable-on-404`), and everybody else for "not ready".
async fn readiness(services: Services) -> Response {
    if services.health.leaving.has_begun() {
        return (StatusCode::NOT_FOUND, LEAVING).into_response();
    }
    match services.health.readiness().await {
        Ok(()) => READY.into_response(),
        Err(reason) => (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")).into_response(),
    }
}

/// What is told of a request: never its path, because paths contain ids, and never its body.
pub struct Asked {
    method: Method,
    route: Option<MatchedPath>,
    order: Option<OrderId>,
}

impl Asked {
    /// Reads what is told of a request.
    pub fn of(request: &Request) -> Asked {
        let route = request.extensions().get::<MatchedPath>().cloned();
        let order = route
            .as_ref()
            .and_then(|route| order_of(route.as_str(), request.uri().path()));
        Asked {
            method: request.method().clone(),
            route,
            order,
        }
    }

    fn route(&self) -> &str {
        self.route.as_ref().map_or(PAGE, MatchedPath::as_str)
    }

    /// Returns the span of answering: whatever is logged meanwhile carries the request's id. At the level of errors, so that no filter of
    /// levels takes the id from a line.
    pub fn span(&self, id: &str) -> Span {
        let span = tracing::error_span!(
            "request",
            request.id = id,
            http.method = %self.method,
            http.route = self.route(),
            order.id = Empty
        );
        if let Some(order) = self.order {
            span.record("order.id", display(order));
        }
        span
    }
}

/// Returns the order that a path names. Only what reads as an id is taken: a path is written by whoever asks.
fn order_of(route: &str, path: &str) -> Option<OrderId> {
    let beginning = ["/api/order/{id}", "/order/{id}"]
        .into_iter()
        .find(|beginning| route.starts_with(beginning))?;
    OrderId::parse(path.split('/').nth(beginning.matches('/').count())?)
}

/// Measures a request, and logs it.
///
/// A request that found no place is measured all the same, but its line is one for the debugger: a flood must not fill the log.
pub async fn observe(
    asked: &Asked,
    answering: impl Future<Output = (Response, Admission)>,
) -> Response {
    let started = Instant::now();
    let (response, admission) = answering.await;
    let duration = started.elapsed();
    let (method, route) = (&asked.method, asked.route());
    let status = response.status().as_u16();
    measure(route, status, duration);
    let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    match admission {
        Admission::Admitted => tracing::info!(
            http.status = status,
            duration_milliseconds = milliseconds,
            "{method} {route} {status} in {milliseconds} ms"
        ),
        Admission::Refused => {
            tracing::debug!(http.status = status, "{method} {route} found no place");
        }
    }
    response
}

/// Whether a request was let in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// It was.
    Admitted,
    /// There were too many others.
    Refused,
}

/// What is not a route of its own: the pages and their files.
const PAGE: &str = "page";

fn measure(route: &str, status: u16, duration: Duration) {
    let labels = (group_of(route), Answered::of(status));
    let seconds = duration.as_secs_f64();
    HTTP_REQUESTS.count(labels);
    HTTP_SECONDS.record(labels, seconds);
    // It lasts as long as its page is open.
    if route != REALTIME {
        HTTP_ROUTE_SECONDS.record(route, seconds);
    }
}

const REALTIME: &str = "/connection/websocket";

/// Beginnings of routes, the first that fits decides.
const GROUPS: [(&str, CallGroup); 15] = [
    ("/healthz", CallGroup::Probe),
    ("/readyz", CallGroup::Probe),
    ("/api/acquirer/", CallGroup::Callback),
    ("/api/voice/", CallGroup::Callback),
    ("/api/auth/", CallGroup::Entrance),
    ("/api/order/create", CallGroup::Paying),
    ("/api/order/{id}/pay", CallGroup::Paying),
    ("/api/order/{id}/status", CallGroup::Paying),
    ("/api/order/{id}/update/pay-link", CallGroup::Paying),
    ("/order/{id}/payment-status", CallGroup::Paying),
    ("/api/cart/add", CallGroup::Paying),
    ("/api/tokenization/cards", CallGroup::Paying),
    ("/pay/", CallGroup::Client),
    ("/letters/", CallGroup::Client),
    ("/api/", CallGroup::Other),
];

/// Returns what a request is for.
fn group_of(route: &str) -> CallGroup {
    // The order itself, which its page waits for; longer routes below it are other calls.
    if route == "/api/order/{id}" {
        return CallGroup::Paying;
    }
    let known = GROUPS
        .iter()
        .find(|(beginning, _)| route.starts_with(beginning));
    known.map_or(CallGroup::Page, |(_, group)| *group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes;

    #[test]
    fn the_calls_of_a_payment_are_the_group_paying() {
        let mut document = aide::openapi::OpenApi::default();
        let _: Router<ApiState> = routes::calls().finish_api(&mut document);
        let calls = document.paths.expect("calls").paths;
        let mut paying: Vec<&str> = calls
            .keys()
            .map(String::as_str)
            .filter(|route| group_of(route) == CallGroup::Paying)
            .collect();
        paying.sort_unstable();
        assert_eq!(
            paying,
            [
                "/api/cart/add",
                "/api/order/create",
                "/api/order/{id}",
                "/api/order/{id}/pay",
                "/api/order/{id}/status",
                "/api/order/{id}/update/pay-link",
                "/api/tokenization/cards",
            ]
        );
    }

    #[test]
    fn a_path_names_an_order_only_where_it_is_one() {
        let id = "0199f0c2-5a1e-7c3d-9f00-4c1f4f1d2a77";
        let named = |route: &str, path: String| order_of(route, &path).map(|id| id.to_string());
        for (route, path) in [
            ("/api/order/{id}", format!("/api/order/{id}")),
            ("/api/order/{id}/pay", format!("/api/order/{id}/pay")),
            (
                "/order/{id}/payment-status",
                format!("/order/{id}/payment-status"),
            ),
        ] {
            assert_eq!(named(route, path).as_deref(), Some(id));
        }
        for (route, path) in [
            (
                "/api/order/item/{id}/receipt",
                format!("/api/order/item/{id}/receipt"),
            ),
            ("/pay/{token}", format!("/pay/{id}")),
            ("/api/order/{id}", "/api/order/380501112233".to_owned()),
        ] {
            assert_eq!(named(route, path), None, "{route}");
        }
    }

    #[test]
    fn every_route_has_its_group() {
        for (route, group) in [
            ("/api/auth/login/otp", CallGroup::Entrance),
            ("/api/order/{id}/details", CallGroup::Other),
            ("/pay/{token}/card", CallGroup::Client),
            ("/api/acquirer/report", CallGroup::Callback),
            ("/api/acquirer/report/liqpay", CallGroup::Callback),
            ("/readyz", CallGroup::Probe),
            ("/offer", CallGroup::Page),
            (PAGE, CallGroup::Page),
        ] {
            assert_eq!(group_of(route), group, "{route}");
        }
    }
}
