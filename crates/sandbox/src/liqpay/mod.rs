//! LiqPay's interface, as its documentation describes it: the payment page and the calls of the shop's server.

mod checkout;
mod request;
mod signed;

use axum::Router;
use axum::routing::{get, post};

use crate::sandbox::Sandbox;

/// Returns the routes of the service.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/3/checkout", get(checkout::opened).post(checkout::posted))
        .route("/request", post(request::handler))
}
