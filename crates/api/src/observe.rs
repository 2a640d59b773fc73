//! Health, metrics and the request log.

use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use cabinet_app::Services;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::request_id;

/// Sources of health and metrics.
#[derive(Clone)]
pub struct Observability {
    /// Reports readiness.
    pub services: Services,
    /// Renders the metrics.
    pub metrics: PrometheusHandle,
}

/// `/healthz`, `/readyz`, `/metrics`.
pub fn routes<S: Clone + Send + Sync + 'static>(observability: &Observability) -> Router<S> {
    let ready = observability.services.clone();
    let metrics = observability.metrics.clone();
    Router::new()
        .route("/healthz", axum::routing::get(|| async { "alive\n" }))
        .route(
            "/readyz",
            axum::routing::get(move || is_ready(ready.clone())),
        )
        .route(
            "/metrics",
            axum::routing::get(move || async move { metrics.render() }),
        )
}

/// Answers 200 when the database answers, reference data is loaded and the worker runs.
async fn is_ready(services: Services) -> Response {
    match services.health.readiness().await {
        Ok(()) => "ready\n".into_response(),
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
