//! Health, metrics and the request log.

use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use cabinet_app::Services;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::request_id;
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

/// Returns the router of the operator's address: health with reasons, and the metrics.
pub fn operations_router(services: Services, metrics: PrometheusHandle) -> Router {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(move || readiness(services.clone())))
        .route("/metrics", get(move || async move { metrics.render() }))
}

/// Answers 200 when the database answers, reference data is loaded and the worker runs.
async fn readiness(services: Services) -> Response {
    match services.health.readiness().await {
        Ok(()) => READY.into_response(),
        Err(reason) => (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")).into_response(),
    }
}

/// Logs and measures a request. Logs the route pattern instead of the path, because paths contain ids; never logs bodies.
pub async fn observe(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| "page".to_owned(), |path| path.as_str().to_owned());
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let duration = started.elapsed();
    metrics::histogram!("http_request_duration_seconds", "route" => route.clone(), "status" => status.to_string()).record(duration.as_secs_f64());
    let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    tracing::info!(
        http.method = %method,
        http.route = route,
        http.status = status,
        duration_milliseconds = milliseconds,
        request.id = request_id::current(),
        "{method} {route} {status} in {milliseconds} ms"
    );
    response
}
