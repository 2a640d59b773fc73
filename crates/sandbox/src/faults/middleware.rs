//! The middleware that makes a service fail as a test has set it.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{OriginalUri, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;

use super::falsify::falsify;
use super::{Fault, FaultKind, FaultService, Replacement, answers};
use crate::sandbox::Sandbox;

/// Largest answer, in bytes, whose sums can be falsified.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Marks an answer that must not be sent. [`crate::serve`] closes the connection instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CloseConnection;

/// Marks an answer whose `Date` is ahead by so long. [`crate::serve`] writes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DateAhead(pub(crate) Duration);

/// Marks a request that is answered as usual and has no effect: a message that is accepted and lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoseEffect;

/// Returns an answer that closes the connection.
fn closed() -> Response {
    let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
    response.extensions_mut().insert(CloseConnection);
    response
}

/// Passes a request on, or fails it with the next fault that is set for the service. The mail server, which has no HTTP, handles
/// its faults itself.
pub(crate) async fn fail_as_set(
    State((sandbox, service)): State<(Sandbox, FaultService)>,
    OriginalUri(address): OriginalUri,
    request: Request,
    next: Next,
) -> Response {
    match sandbox.faults().begin(service, address.path()) {
        Some((fault, replaced)) => fail(&sandbox, &fault, replaced, request, next).await,
        None => next.run(request).await,
    }
}

async fn fail(
    sandbox: &Sandbox,
    fault: &Fault,
    replaced: Replacement,
    mut request: Request,
    next: Next,
) -> Response {
    let service = fault.service;
    let delay = fault.delay_or(Duration::from_secs(1));
    match fault.kind {
        FaultKind::Delay if fault.effect == Some(true) => {
            let response = next.run(request).await;
            replaced.within(delay).await;
            response
        }
        FaultKind::Delay => {
            replaced.within(delay).await;
            next.run(request).await
        }
        FaultKind::TimeoutBefore => hold(sandbox, fault, replaced).await,
        FaultKind::TimeoutAfter => {
            next.run(request).await;
            hold(sandbox, fault, replaced).await
        }
        FaultKind::Drop => {
            request.extensions_mut().insert(LoseEffect);
            next.run(request).await
        }
        FaultKind::Status429 => answers::too_many(service),
        FaultKind::Status500 => {
            if fault.effect == Some(true) {
                next.run(request).await;
            }
            answers::internal_error(service)
        }
        FaultKind::Refuse => answers::refusal(service, fault.code.as_deref()),
        FaultKind::Garbage => {
            if fault.effect != Some(false) {
                next.run(request).await;
            }
            answers::garbage()
        }
        FaultKind::Reset => {
            if fault.effect != Some(false) {
                next.run(request).await;
            }
            closed()
        }
        FaultKind::WrongDate => {
            let mut response = next.run(request).await;
            let ahead = fault.delay_or(Duration::from_secs(3_600));
            response.extensions_mut().insert(DateAhead(ahead));
            response
        }
        FaultKind::WrongAmount | FaultKind::WrongCurrency | FaultKind::Behind => {
            falsified(next.run(request).await, fault.kind).await
        }
        // `Fault::is_possible` refuses these kinds for services with HTTP.
        FaultKind::Duplicate | FaultKind::Reorder | FaultKind::Forge => next.run(request).await,
    }
}

/// Keeps the connection open without an answer until the caller gives up, the limit is reached, or the faults are replaced.
async fn hold(sandbox: &Sandbox, fault: &Fault, replaced: Replacement) -> Response {
    let limit = fault.delay_or(sandbox.settings().hold_limit);
    replaced.within(limit).await;
    closed()
}

/// Returns the answer with another sum or currency.
async fn falsified(response: Response, kind: FaultKind) -> Response {
    let (parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, ANSWER_BYTES_MAX).await else {
        return closed();
    };
    let Ok(mut value) = serde_json::from_slice::<Value>(&bytes) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    falsify(&mut value, kind);
    (parts.status, axum::Json(value)).into_response()
}
