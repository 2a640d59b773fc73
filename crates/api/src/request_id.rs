//! The request id. It is in the answer and in the log lines, and a notary can tell it to the support.

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;
use cabinet_domain::OrderId;
use tracing::Instrument as _;
use tracing::field::{Empty, display};

tokio::task_local! {
    static CURRENT: String;
}

/// The header with the id.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Returns the id of the current request; `None` outside a request.
pub fn current() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Sets the id for the time of `answering`, also for each line of the log, and adds it to the answer. `order` is the order that the request is about, if its path names one. The id is always generated: an id from the request would let a
/// caller write to the logs.
pub async fn give(
    new_id: String,
    order: Option<OrderId>,
    answering: impl Future<Output = Response>,
) -> Response {
    let header = HeaderValue::from_str(&new_id);
    // At the level of errors, so that no filter of levels takes the id from a line.
    let span = tracing::error_span!("request", request.id = new_id, order.id = Empty);
    if let Some(order) = order {
        span.record("order.id", display(order));
    }
    let mut response = CURRENT.scope(new_id, answering.instrument(span)).await;
    if let Ok(value) = header {
        response.headers_mut().insert(HEADER, value);
    }
    response
}
