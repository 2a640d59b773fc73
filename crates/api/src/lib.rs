//! The HTTP interface: calls, wire types, refusals, the server's own pages, and the OpenAPI document from which the browser's types
//! are generated.
//!
//! Only this crate serialises JSON for browsers. Use cases are in `cabinet-app`; a handler converts a request into the input of a use
//! case, and the result into an answer.
//!
//! To add a call, write a file in its subject's folder of `calls` with its types, documentation and handler, add a line to
//! `routes.rs`, and run `make generate`.

mod call;
mod calls;
mod document;
mod http;
mod pages;
mod realtime;
mod routes;
mod settings;
mod state;
mod tokens;
mod wire;

pub use document::openapi;
pub use http::limits::{Limits, Place, Places};
pub use http::observe::operations_router;
pub use realtime::{Command as RealtimeCommand, read_frame as read_realtime_frame};
pub use settings::{ApiSettings, OfferTexts};
pub use state::ApiState;

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use cabinet_app::Caller;
use cabinet_app::kernel::refusal::RefusalKind;
use cabinet_domain::Key;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};
use tower_http::timeout::TimeoutLayer;
use tracing::Instrument as _;

use crate::http::extract::Language;
use crate::http::observe::{Admission, Asked};
use crate::http::refusal::Refusal;

/// Time limit of a call. Requests to the acquirer have their own, shorter limit.
const CALL_TIME_MAX: Duration = Duration::from_secs(60);
/// How long a call waits for each thing that it asks the database. No limit of TCP notices a server whose processes stand still.
const DATABASE_TIME_MAX: Duration = Duration::from_secs(10);
/// Smallest answer that is compressed, in bytes.
const PACKED_BYTES_MIN: u64 = 1024;

/// Returns the server's router: calls, callbacks, the realtime endpoint, the server's own pages, health and the document.
/// Everything else goes to `pages`.
pub fn router<F, Fut>(state: ApiState, pages: F) -> Router
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
        .route(
            "/api/csp-report",
            axum::routing::post(http::policy_report::handler)
                .layer(DefaultBodyLimit::max(http::policy_report::BODY_BYTES_MAX)),
        )
        .route(
            "/api/page-timing",
            axum::routing::post(http::page_timing::handler)
                .layer(DefaultBodyLimit::max(http::page_timing::BODY_BYTES_MAX)),
        )
        .route(
            "/order/{id}/payment-status",
            axum::routing::get({
                let pages = pages.clone();
                move |state: State<ApiState>,
                      language: Language,
                      headers: HeaderMap,
                      request: Request| {
                    pages::returned_from_bank(state, language, headers, request, pages)
                }
            }),
        )
        .route("/api/openapi.json", axum::routing::get(document::handler))
        .route("/api/{*unknown}", axum::routing::any(unknown_call))
        .merge(pages::routes())
        .merge(http::observe::routes())
        .method_not_allowed_fallback(wrong_method)
        .fallback(pages)
        // A single `Router::layer`, because each one boxes every route again, and the boxes are cloned for every request.
        .layer(
            ServiceBuilder::new()
                .layer(middleware::from_fn_with_state(
                    state.clone(),
                    around_every_answer,
                ))
                .layer(CatchPanicLayer::custom(
                    |_: Box<dyn std::any::Any + Send>| {
                        http::refusal::internal("a handler panicked")
                    },
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
                .layer(DefaultBodyLimit::max(http::extract::BODY_BYTES_MAX)),
        )
        .with_state(state)
}

/// Gives every answer a request id, a log line, a measurement and the common headers.
async fn around_every_answer(
    State(state): State<ApiState>,
    request: Request,
    next: Next,
) -> Response {
    let is_call = http::headers::is_call(&request);
    let id = state.services.request_id();
    let asked = Asked::of(&request);
    let signed_in = http::extract::named_by_token(request.headers(), &state);
    let caller = Caller {
        notary: signed_in.map(|who| who.notary),
        waits_at_most: Some(DATABASE_TIME_MAX),
    };
    let span = asked.span(&id);
    let answering = async {
        match http::admission::admit(&state, caller.notary, request).await {
            Ok((_places, request)) => {
                let answered = caller.has_done(next.run(request)).await;
                let answer = http::refusal::in_own_words(answered);
                (answer, Admission::Admitted)
            }
            Err(refusal) => (refusal.into_response(), Admission::Refused),
        }
    };
    let observed = http::observe::observe(&asked, answering).instrument(span);
    let mut response = http::request_id::give(id, observed).await;
    http::refusal::say_when_to_try_again(&mut response);
    http::headers::guard(
        &state.page_policy,
        state.settings.secure,
        is_call,
        response.headers_mut(),
    );
    response
}

async fn unknown_call() -> Response {
    Refusal::new(RefusalKind::NotFound, Key::NotFound).into_response()
}

async fn wrong_method() -> Response {
    (
        StatusCode::METHOD_NOT_ALLOWED,
        Refusal::new(RefusalKind::NotFound, Key::MethodNotAllowed).into_body(),
    )
        .into_response()
}

/// Compresses only JSON. Other answers are compressed already or gain nothing.
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
