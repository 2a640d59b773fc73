//! The id that ties together an answer, its log lines and what a notary tells the support.

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

tokio::task_local! {
    static CURRENT: String;
}

/// The header that carries the id, in and out.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id of the request that is being answered; none outside a request.
pub fn current() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Gives what is being answered an id, and the answer too. An id from outside is never taken over: it would let a stranger write
/// into our logs.
pub async fn give(new_id: String, answering: impl Future<Output = Response>) -> Response {
    let header = HeaderValue::from_str(&new_id);
    let mut response = CURRENT.scope(new_id, answering).await;
    if let Ok(value) = header {
        response.headers_mut().insert(HEADER, value);
    }
    response
}
