//! Which requests are answered when there are more than the server can answer: payments go first.

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use cabinet_app::kernel::refusal::RefusalKind;
use cabinet_domain::{Key, NotaryId};
use http_body_util::LengthLimitError;
use tokio::sync::OwnedSemaphorePermit;

use crate::http::client_address;
use crate::http::extract::{BODY_BYTES_MAX, SHEET_BYTES_MAX, STATEMENT_BYTES_MAX};
use crate::http::limits::Place;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

/// The calls on which a payment depends. They have no common limit, so other calls can't take their places.
const FIRST: [&str; 7] = [
    "/api/order/create",
    "/api/order/{id}/pay",
    "/api/order/{id}/update/pay-link",
    "/api/order/{id}",
    "/api/order/{id}/status",
    "/api/acquirer/report",
    "/api/acquirer/report/liqpay",
];

/// The calls that only read but are not done in a moment: they ask the acquirer, or write documents. They have no turn among the
/// readings, because they would hold up the others.
const LONG: [&str; 10] = [
    "/api/tokenization/cards",
    "/api/order/token/get-all-tokens-by-phone",
    "/api/order/{id}/receipt",
    "/api/order/{id}/receipts",
    "/api/order/item/{id}/receipt",
    "/api/order/{id}/extract",
    "/api/order/{id}/deal-calculation",
    "/api/reports/income-book",
    "/api/reports/tax-quarter",
    "/api/cart/sheet/template",
];

/// The calls that carry a sheet of payments.
const SHEETS: [&str; 2] = ["/api/cart/sheet/read", "/api/cart/sheet/add"];

/// The calls that carry a statement of a bank.
const STATEMENTS: [&str; 2] = ["/api/order/statement/read", "/api/order/statement/mark"];

/// The places that a request has until it is answered.
#[derive(Default)]
pub struct Admitted {
    _of_address: Option<Place>,
    _of_calls: Option<OwnedSemaphorePermit>,
    _of_readings: Option<OwnedSemaphorePermit>,
}

/// What a call waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    /// Nothing: a payment depends on it.
    First,
    /// A place among the calls that can wait.
    Call,
    /// Such a place, and its turn among the readings.
    Reading,
}

impl Rank {
    fn of(request: &Request) -> Rank {
        let Some(path) = request.extensions().get::<MatchedPath>() else {
            return Rank::First;
        };
        let path = path.as_str();
        if !path.starts_with("/api/") || FIRST.contains(&path) {
            Rank::First
        } else if request.method() == Method::GET && !LONG.contains(&path) {
            Rank::Reading
        } else {
            Rank::Call
        }
    }
}

/// Takes the places of a request: one of its address, one of the notary who is signed in, and for a call that can wait one of all such calls. A call that only reads then
/// waits for its turn. A request whose address the proxy does not tell has none of an address; the calls that need the address refuse
/// it.
///
/// The body is read before the place of all calls is taken, so that bodies which never come take none.
///
/// # Errors
/// `too_many_requests`, `service_unavailable`, `body_too_large`, `body_unreadable`.
pub async fn admit(
    state: &ApiState,
    notary: Option<NotaryId>,
    request: Request,
) -> Result<(Admitted, Request), Refusal> {
    let address = client_address::of_request(state, request.headers(), request.extensions());
    let of_address = state.limits.request(address, notary)?;
    let rank = Rank::of(&request);
    let mut admitted = Admitted {
        _of_address: Some(of_address),
        ..Admitted::default()
    };
    if rank == Rank::First {
        return Ok((admitted, request));
    }
    let request = with_body(request).await?;
    admitted._of_calls = Some(state.limits.call()?);
    if rank == Rank::Reading {
        admitted._of_readings = state.limits.reading().await;
    }
    Ok((admitted, request))
}

/// Reads the body of a request.
async fn with_body(request: Request) -> Result<Request, Refusal> {
    let path = request.extensions().get::<MatchedPath>();
    let most = match path.map(MatchedPath::as_str) {
        Some(path) if SHEETS.contains(&path) => SHEET_BYTES_MAX,
        Some(path) if STATEMENTS.contains(&path) => STATEMENT_BYTES_MAX,
        _ => BODY_BYTES_MAX,
    };
    let (parts, body) = request.into_parts();
    if body.is_end_stream() {
        return Ok(Request::from_parts(parts, body));
    }
    if body.size_hint().lower() > most as u64 {
        return Err(Refusal::new(RefusalKind::TooLarge, Key::BodyTooLarge));
    }
    match to_bytes(body, most).await {
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

    fn documented() -> aide::openapi::Paths {
        let mut document = aide::openapi::OpenApi::default();
        let _: axum::Router<ApiState> = routes::calls().finish_api(&mut document);
        document.paths.expect("calls")
    }

    #[test]
    fn the_named_calls_exist() {
        let paths = documented().paths;
        // A report of an acquirer is no call of a browser, so it is not in the document.
        let is_report = |path: &&&str| path.starts_with("/api/acquirer/report");
        let calls = FIRST.iter().filter(|path| !is_report(path));
        for path in calls.chain(&LONG).chain(&SHEETS).chain(&STATEMENTS) {
            assert!(paths.contains_key(*path), "{path}");
        }
    }

    #[test]
    fn who_waits_for_a_document_holds_up_no_reading() {
        let answers_file = |call: &aide::openapi::Operation| {
            let responses = call.responses.iter().flat_map(|known| &known.responses);
            let known = responses.filter_map(|(_, response)| response.as_item());
            known
                .flat_map(|response| response.content.keys())
                .any(|kind| kind != "application/json")
        };
        let paths = documented();
        let files = paths.iter().filter_map(|(path, item)| {
            let call = item.as_item()?.get.as_ref()?;
            answers_file(call).then_some(path)
        });
        let files: Vec<&String> = files.collect();
        assert!(files.len() >= 8, "{files:?}");
        for path in files {
            assert!(LONG.contains(&path.as_str()), "{path}");
        }
    }
}
