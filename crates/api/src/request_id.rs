//! The id that ties together an answer, its log lines and what a notary tells the support.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
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

/// Gives the request an id and answers with it. An id from outside is never taken over: it would let a stranger write into our logs.
pub async fn give(new_id: String, request: Request, next: Next) -> Response {
    let mut response = CURRENT.scope(new_id.clone(), next.run(request)).await;
    if let Ok(value) = HeaderValue::from_str(&new_id) {
        response.headers_mut().insert(HEADER, value);
    }
    response
}
