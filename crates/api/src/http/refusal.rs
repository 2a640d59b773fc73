//! The body of every refusal, `{"message": key, "errors": {field: [key]}}`, and its status.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use aide::OperationOutput;
use aide::generate::GenContext;
use aide::openapi::{Operation, Response as DocumentedResponse};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cabinet_app::kernel::refusal::{AppError, Detail, Refusal as AppRefusal, RefusalKind};
use cabinet_domain::Key;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::request_id;
use crate::wire::{AskedProof, DuplicatePayment, MessageKey, OrderSummary, PasskeyToProve, Price};

/// What a caller is told to wait where the cabinet or an outside service is not available.
const PAUSE: Duration = Duration::from_secs(5);

/// The body of a refusal.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RefusalBody {
    /// What went wrong.
    pub message: MessageKey,
    /// The bad fields, each with its keys.
    pub errors: BTreeMap<String, Vec<MessageKey>>,
    /// With `price_changed`: the right figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// With `cart_already_ordered`: the order that exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderSummary>,
    /// With `payment_duplicate`: the payment that is there, and the one that was not added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicate: Option<DuplicatePayment>,
    /// With `otp_not_sent`: a call may take the place of the code (`by_call` of the login).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_offered: Option<bool>,
    /// With `confirmation_required` of a payment: what must be proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<AskedProof>,
    /// With `confirmation_required` of a passkey: what the code must prove.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passkey: Option<PasskeyToProve>,
    /// With faults of our own: what to name to the support.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

/// The error of a handler.
#[derive(Debug)]
pub enum Refusal {
    /// The request was refused; the caller can correct it or try later.
    Refused(Box<AppRefusal>),
    /// An internal error. It is logged when the answer is made; the caller gets `internal_error` and the request id.
    Internal(AppError),
}

impl Refusal {
    /// Returns a refusal without field errors.
    pub fn new(kind: RefusalKind, key: Key) -> Refusal {
        Refusal::Refused(Box::new(AppRefusal::new(kind, key)))
    }

    /// Returns the refusal of a caller without a valid session.
    pub fn unauthorized() -> Refusal {
        Refusal::new(RefusalKind::Unauthorized, Key::Unauthorized)
    }

    /// Returns whether this is a refusal of the sort.
    pub fn is(&self, kind: RefusalKind) -> bool {
        matches!(self, Refusal::Refused(refused) if refused.kind == kind)
    }

    /// Returns only the body, for an answer with another status.
    pub fn into_body(self) -> Json<RefusalBody> {
        match self {
            Refusal::Refused(refusal) => Json(body(&refusal)),
            Refusal::Internal(_) => Json(body(&AppRefusal::new(
                RefusalKind::Unavailable,
                Key::InternalError,
            ))),
        }
    }
}

impl From<AppError> for Refusal {
    fn from(error: AppError) -> Refusal {
        match error {
            AppError::Refused(refusal) => Refusal::Refused(refusal),
            passing if passing.is_passing() => {
                // A flood must not fill the log; it is counted.
                if !passing.is_overload() {
                    passing.log("A request was refused", Instant::now());
                }
                Refusal::new(RefusalKind::Unavailable, Key::ServiceUnavailable)
            }
            other => Refusal::Internal(other),
        }
    }
}

impl From<AppRefusal> for Refusal {
    fn from(refusal: AppRefusal) -> Refusal {
        Refusal::Refused(Box::new(refusal))
    }
}

const fn status(kind: RefusalKind) -> StatusCode {
    match kind {
        RefusalKind::Unreadable => StatusCode::BAD_REQUEST,
        RefusalKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        RefusalKind::Unauthorized => StatusCode::UNAUTHORIZED,
        RefusalKind::Forbidden => StatusCode::FORBIDDEN,
        RefusalKind::NotFound => StatusCode::NOT_FOUND,
        RefusalKind::Conflict => StatusCode::CONFLICT,
        RefusalKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        RefusalKind::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
        RefusalKind::Outside => StatusCode::BAD_GATEWAY,
        RefusalKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// Returns how long a caller should wait before another try.
const fn wait(kind: RefusalKind) -> Option<Duration> {
    match kind {
        RefusalKind::TooMany(wait) => Some(wait),
        RefusalKind::Unavailable => Some(PAUSE),
        _ => None,
    }
}

fn body(refusal: &AppRefusal) -> RefusalBody {
    let mut errors: BTreeMap<String, Vec<MessageKey>> = BTreeMap::new();
    for (field, key) in refusal.errors.iter() {
        errors
            .entry(field.to_owned())
            .or_default()
            .push(MessageKey(key));
    }
    let mut body = RefusalBody {
        message: MessageKey(refusal.key),
        errors,
        price: None,
        order: None,
        duplicate: None,
        call_offered: None,
        proof: None,
        passkey: None,
        request_id: None,
    };
    match &refusal.detail {
        None => {}
        Some(Detail::Price(price)) => body.price = Some(Price::from(price)),
        Some(Detail::Order(order)) => body.order = Some(OrderSummary::from(order.as_ref())),
        Some(Detail::Duplicate(both)) => body.duplicate = Some(both.as_ref().into()),
        Some(Detail::CallOffered) => body.call_offered = Some(true),
        Some(Detail::Passkey(wanted)) => body.passkey = Some(PasskeyToProve::from(*wanted)),
        Some(Detail::Proof(asked)) => body.proof = Some(AskedProof::from(asked.as_ref())),
    }
    body
}

/// Replaces what the framework says of a query, a form or an address that it can't read, and of a call whose time is over: its words are English
/// and no key.
pub fn in_own_words(answer: Response) -> Response {
    let kind = answer.headers().get(header::CONTENT_TYPE);
    if kind.is_none() && answer.status() == StatusCode::SERVICE_UNAVAILABLE {
        // Its time was over.
        return Refusal::new(RefusalKind::Unavailable, Key::ServiceUnavailable).into_response();
    }
    let is_text = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !is_text || !answer.status().is_client_error() {
        return answer;
    }
    let (kind, key) = match answer.status() {
        StatusCode::NOT_FOUND => (RefusalKind::NotFound, Key::NotFound),
        StatusCode::PAYLOAD_TOO_LARGE => (RefusalKind::TooLarge, Key::BodyTooLarge),
        _ => (RefusalKind::Unreadable, Key::BodyUnreadable),
    };
    (answer.status(), Refusal::new(kind, key).into_body()).into_response()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Refusal::Refused(refusal) => {
                let mut response = (status(refusal.kind), Json(body(&refusal))).into_response();
                if let Some(wait) = wait(refusal.kind) {
                    response.headers_mut().insert(
                        header::RETRY_AFTER,
                        HeaderValue::from(wait.as_secs().max(1)),
                    );
                }
                response
            }
            Refusal::Internal(error) => internal(&error.to_string()),
        }
    }
}

/// Adds to an answer 503 when to try again, if it does not say so.
pub fn say_when_to_try_again(response: &mut Response) {
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        let wait = HeaderValue::from(PAUSE.as_secs());
        response
            .headers_mut()
            .entry(header::RETRY_AFTER)
            .or_insert(wait);
    }
}

/// Logs an internal error and returns its answer.
pub fn internal(reason: &str) -> Response {
    tracing::error!(error = reason, "A request failed by a fault of ours");
    let body = RefusalBody {
        message: MessageKey(Key::InternalError),
        errors: BTreeMap::new(),
        price: None,
        order: None,
        duplicate: None,
        call_offered: None,
        proof: None,
        passkey: None,
        request_id: request_id::current(),
    };
    (StatusCode::INTERNAL_SERVER_ERROR, Json(body)).into_response()
}

impl OperationOutput for Refusal {
    type Inner = RefusalBody;

    fn operation_response(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Option<DocumentedResponse> {
        Json::<RefusalBody>::operation_response(ctx, operation)
    }

    fn inferred_responses(
        ctx: &mut GenContext,
        operation: &mut Operation,
    ) -> Vec<(Option<u16>, DocumentedResponse)> {
        // All refusals have the same body, so it is documented as the default response.
        Self::operation_response(ctx, operation)
            .map(|response| vec![(None, response)])
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use cabinet_storage::StorageError;

    use super::*;

    fn answer(error: StorageError) -> Response {
        Refusal::from(AppError::from(error)).into_response()
    }

    #[test]
    fn a_database_that_does_not_serve_now_is_503_with_the_time_of_another_try() {
        for error in [
            StorageError::Full,
            StorageError::ReadOnly,
            StorageError::Unavailable("the connection is lost".to_owned()),
            StorageError::Damaged("a flush failed"),
            StorageError::TimedOut,
            StorageError::Overloaded,
            StorageError::Closed,
            StorageError::Contention { attempts: 8 },
            StorageError::OutcomeUnknown,
        ] {
            let response = answer(error.clone());
            assert_eq!(
                response.status(),
                StatusCode::SERVICE_UNAVAILABLE,
                "{error}"
            );
            assert!(
                response.headers().contains_key(header::RETRY_AFTER),
                "{error}"
            );
        }
    }

    #[test]
    fn what_no_waiting_mends_is_a_fault_of_ours() {
        for error in [
            StorageError::Panicked,
            StorageError::Statement("42P01".to_owned()),
            StorageError::Unsupported("no backup"),
        ] {
            let response = answer(error);
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            assert!(!response.headers().contains_key(header::RETRY_AFTER));
        }
    }

    #[test]
    fn a_call_whose_time_is_over_is_told_so_by_a_key() {
        let response = in_own_words(StatusCode::SERVICE_UNAVAILABLE.into_response());
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
        assert!(response.headers().contains_key(header::RETRY_AFTER));
    }

    #[test]
    fn every_answer_503_says_when_to_try_again_and_no_other_does() {
        let said = |status: StatusCode| {
            let mut response = status.into_response();
            say_when_to_try_again(&mut response);
            response.headers().get(header::RETRY_AFTER).cloned()
        };
        assert_eq!(
            said(StatusCode::SERVICE_UNAVAILABLE),
            Some(HeaderValue::from_static("5"))
        );
        assert_eq!(said(StatusCode::INTERNAL_SERVER_ERROR), None);
        assert_eq!(said(StatusCode::OK), None);
    }
}
