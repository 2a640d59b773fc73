//! Which requests are answered when there are more than the server can answer: payments go first.

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{MatchedPath, Request};
use cabinet_app::refusal::RefusalKind;
use cabinet_domain::Key;

use http_body_util::LengthLimitError;
use tokio::sync::OwnedSemaphorePermit;

use crate::client_address;
use crate::extract::BODY_BYTES_MAX;
use crate::limits::Place;
use crate::refusal::Refusal;
use crate::state::ApiState;

/// The calls on which a payment depends. They have no common limit, so other calls can't take their places.
const FIRST: [&str; 5] = [
    "/api/order/create",
    "/api/order/{id}/update/pay-link",
    "/api/order/{id}",
    "/api/order/{id}/status",
    "/api/acquirer/report",
];

/// The places that a request has until it is answered.
pub struct Admitted {
    _of_address: Option<Place>,
    _of_calls: Option<OwnedSemaphorePermit>,
}

/// Takes the places of a request: one of its address, and for a call that can wait one of all such calls. A request whose address the
/// proxy does not tell has none of an address; the calls that need the address refuse it.
///
/// The body is read before the place of all calls is taken, so that bodies which never come take none.
///
/// # Errors
/// `too_many_requests`, `service_unavailable`, `body_too_large`, `body_unreadable`.
pub async fn admit(state: &ApiState, request: Request) -> Result<(Admitted, Request), Refusal> {
    let address = client_address::of_request(state, request.headers(), request.extensions());
    let of_address = address
        .map(|address| state.limits.request(address))
        .transpose()?;
    let can_wait = request
        .extensions()
        .get::<MatchedPath>()
        .is_some_and(|path| path.as_str().starts_with("/api/") && !FIRST.contains(&path.as_str()));
    let (request, of_calls) = if can_wait {
        (with_body(request).await?, Some(state.limits.call()?))
    } else {
        (request, None)
    };
    let admitted = Admitted {
        _of_address: of_address,
        _of_calls: of_calls,
    };
    Ok((admitted, request))
}

/// Reads the body of a request.
async fn with_body(request: Request) -> Result<Request, Refusal> {
    let (parts, body) = request.into_parts();
    if body.is_end_stream() {
        return Ok(Request::from_parts(parts, body));
    }
    if body.size_hint().lower() > BODY_BYTES_MAX as u64 {
        return Err(Refusal::new(RefusalKind::TooLarge, Key::BodyTooLarge));
    }
    match to_bytes(body, BODY_BYTES_MAX).await {
        Ok(bytes) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Err(error) if is_too_long(&error) => {
            Err(Refusal::new(RefusalKind::TooLarge, Key::BodyTooLarge))
        }
        Err(_) => Err(Refusal::new(RefusalKind::Unreadable, Key::BodyUnreadable)),
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.is::<LengthLimitError>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes;

    #[test]
    fn the_calls_that_go_first_exist() {
        let mut document = aide::openapi::OpenApi::default();
        let _: axum::Router<ApiState> = routes::calls().finish_api(&mut document);
        let paths = document.paths.expect("calls").paths;
        // A report of the acquirer is no call of a browser, so it is not in the document.
        let calls = FIRST.iter().filter(|path| !path.ends_with("/report"));
        for path in calls {
            assert!(paths.contains_key(*path), "{path}");
        }
    }
}
