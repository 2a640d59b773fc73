//! Pages for people. They need no script.

mod frame;
mod inbox;
mod overview;
mod pay;
pub(crate) mod paying_bank;
mod payments;
mod phone;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::{get, post};

use crate::sandbox::Sandbox;

const STYLE: &str = include_str!("../../assets/sandbox.css");
const ICON: &str = include_str!("../../assets/icon.svg");
const HANDSET: &str = include_str!("../../assets/handset.svg");

/// Returns the routes of all pages.
pub(crate) fn routes() -> Router<Sandbox> {
    Router::new()
        .route("/", get(overview::show))
        .route("/inbox", get(inbox::show))
        .route("/phone", get(phone::show))
        .route("/phone/{sid}", post(phone::submit))
        .route("/payments", get(payments::show))
        .route("/pay/{id}", get(pay::show).post(pay::submit))
        .route(
            "/pay/{id}/3ds",
            get(pay::challenge::show).post(pay::challenge::submit),
        )
        .route(
            "/assets/sandbox.css",
            get(|| async { asset("text/css; charset=utf-8", STYLE) }),
        )
        .route(
            "/assets/icon.svg",
            get(|| async { asset("image/svg+xml", ICON) }),
        )
        .route(
            "/assets/handset.svg",
            get(|| async { asset("image/svg+xml", HANDSET) }),
        )
        .fallback(frame::not_found)
}

fn asset(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "max-age=60")], text)
}
