//! Health, metrics and the request log.

use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use cabinet_app::Services;
use cabinet_domain::OrderId;
use cabinet_metrics::{Answered, CallGroup, HTTP_REQUESTS, HTTP_ROUTE_SECONDS, HTTP_SECONDS};

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

async fn is_ready(State(state): State<ApiState>) -> Response {
    match state.services.health.readiness().await {
        Ok(()) => READY.into_response(),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response(),
    }
}

const READY: &str = "ready\n";

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

/// Answers 200 when the database answers, reference data is loaded and the worker runs.
async fn readiness(services: Services) -> Response {
    match services.health.readiness().await {
        Ok(()) => READY.into_response(),
        Err(reason) => (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")).into_response(),
    }
}

/// Measures a request, and logs it. The route's pattern is told instead of the path, because paths contain ids; bodies never are.
///
/// A request that found no place is measured all the same, but its line is one for the debugger: a flood must not fill the log.
pub async fn observe(
    method: Method,
    route: Option<MatchedPath>,
    answering: impl Future<Output = (Response, Admission)>,
) -> Response {
    let started = Instant::now();
    let (response, admission) = answering.await;
    let duration = started.elapsed();
    let route = route.as_ref().map_or(PAGE, MatchedPath::as_str);
    let status = response.status().as_u16();
    measure(route, status, duration);
    let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    match admission {
        Admission::Admitted => tracing::info!(
            http.method = %method,
            http.route = route,
            http.status = status,
            duration_milliseconds = milliseconds,
            "{method} {route} {status} in {milliseconds} ms"
        ),
        Admission::Refused => tracing::debug!(
            http.method = %method,
            http.route = route,
            http.status = status,
            "{method} {route} found no place"
        ),
    }
    response
}

/// Returns the order that a path names. Only what reads as an id is taken: a path is written by whoever asks.
pub fn order_of(route: &MatchedPath, path: &str) -> Option<OrderId> {
    let beginning = ["/api/order/{id}", "/order/{id}"]
        .into_iter()
        .find(|beginning| route.as_str().starts_with(beginning))?;
    let id = path.split('/').nth(beginning.matches('/').count())?;
    OrderId::parse(id)
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
    fn every_route_has_its_group() {
        for (route, group) in [
            ("/api/auth/login/otp", CallGroup::Entrance),
            ("/api/order/{id}/details", CallGroup::Other),
            ("/pay/{token}/card", CallGroup::Client),
            ("/api/acquirer/report", CallGroup::Callback),
            ("/readyz", CallGroup::Probe),
            ("/offer", CallGroup::Page),
            (PAGE, CallGroup::Page),
        ] {
            assert_eq!(group_of(route), group, "{route}");
        }
    }
}
