//! The request id. It is in the answer and in the log lines, and a notary can tell it to the support.

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

tokio::task_local! {
    static CURRENT: String;
}

/// The header with the id.
const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Returns the id of the current request; `None` outside a request.
pub fn current() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Sets the id for the time of `answering` and adds it to the answer. The id is always generated: an id from the request would let a
/// caller write to the logs.
pub async fn give(new_id: String, answering: impl Future<Output = Response>) -> Response {
    let header = HeaderValue::from_str(&new_id);
    let mut response = CURRENT.scope(new_id, answering).await;
    if let Ok(value) = header {
        response.headers_mut().insert(HEADER, value);
    }
    response
}
