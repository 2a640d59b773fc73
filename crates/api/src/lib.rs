//! The web server's calls: one file a call, wire types of their own, one shape of refusal, and the OpenAPI document that the
//! browser's types are made from.
//!
//! Nothing but this crate serialises to the wire. Use cases are in `cabinet-app`; a handler turns a request into what a use
//! case takes, and its outcome into an answer.

mod call;
mod calls;
mod document;
mod extract;
mod fields;
mod headers;
mod json;
mod limits;
mod observe;
mod pages;
mod realtime;
mod refusal;
mod request_id;
mod routes;
mod settings;
mod state;
mod tokens;
mod wire;

pub use document::openapi;
pub use limits::Limits;
pub use observe::Observability;
pub use settings::{ApiSettings, OfferTexts};
pub use state::ApiState;

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use cabinet_app::refusal::Sort;
use cabinet_domain::Key;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};
use tower_http::timeout::TimeoutLayer;

use crate::refusal::Refusal;

/// Longest time a call may take. Calls that ask the acquirer wait for it within its own, shorter limit.
const CALL_TIME_MAX: Duration = Duration::from_secs(60);
/// Smaller answers are sent as they are: packing them costs more than it saves.
const PACKED_BYTES_MIN: u64 = 1024;

/// The server's router: the calls, the acquirer's reports, health, metrics and the document. Everything else is answered by
/// `pages`.
pub fn router<F, Fut>(state: ApiState, observability: Observability, pages: F) -> Router
where
    F: Fn(Request) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Response> + Send + 'static,
{
    let mut document = aide::openapi::OpenApi::default();
    let calls: Router<ApiState> = routes::calls().finish_api(&mut document);
    calls
        .route(
            "/connection/websocket",
            axum::routing::any(realtime::handler),
        )
        .route("/api/openapi.json", axum::routing::get(document::handler))
        .route("/api/{*unknown}", axum::routing::any(unknown_call))
        .merge(pages::routes())
        .merge(observe::routes(&observability))
        .method_not_allowed_fallback(wrong_method)
        .fallback(pages)
        // One layer, not seven: each `Router::layer` puts another box around every route, to be copied at every request.
        .layer(
            ServiceBuilder::new()
                .layer(middleware::from_fn_with_state(
                    state.clone(),
                    around_every_answer,
                ))
                .layer(CatchPanicLayer::custom(
                    |_: Box<dyn std::any::Any + Send>| refusal::internal("a handler panicked"),
                ))
                .layer(TimeoutLayer::with_status_code(
                    StatusCode::SERVICE_UNAVAILABLE,
                    CALL_TIME_MAX,
                ))
                .layer(
                    CompressionLayer::new()
                        .br(true)
                        .gzip(true)
                        .compress_when(SizeAbove::new(PACKED_BYTES_MIN).and(NotPacked)),
                )
                .layer(DefaultBodyLimit::max(extract::BODY_BYTES_MAX)),
        )
        .with_state(state)
}

/// What belongs to every answer: an id, a line in the log with a measurement, and the headers.
async fn around_every_answer(
    State(state): State<ApiState>,
    request: Request,
    next: Next,
) -> Response {
    let is_call = headers::is_call(&request);
    let id = state.app.request_id();
    let mut response = request_id::give(id, observe::observe(request, next)).await;
    headers::guard(
        &state.page_policy,
        state.settings.secure,
        is_call,
        response.headers_mut(),
    );
    response
}

async fn unknown_call() -> Response {
    Refusal::new(Sort::NotFound, Key::NotFound).into_response()
}

async fn wrong_method() -> Response {
    (
        StatusCode::METHOD_NOT_ALLOWED,
        Refusal::new(Sort::NotFound, Key::MethodNotAllowed).into_body(),
    )
        .into_response()
}

/// Answers that are packed already, or gain nothing by it.
#[derive(Clone, Copy)]
struct NotPacked;

impl Predicate for NotPacked {
    fn should_compress<B>(&self, response: &axum::http::Response<B>) -> bool
    where
        B: axum::body::HttpBody,
    {
        let kind = response
            .headers()
            .get(axum::http::header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        kind.starts_with("application/json")
    }
}
