//! The pages that the server writes itself: the public offer, the check of a receipt, the frame of saved cards, the page of
//! a client's link.

pub mod cards_frame;
mod client_link;
mod layout;
mod offer;
mod receipt_check;

use axum::Router;
use axum::routing::get;

use crate::state::ApiState;

pub use client_link::returned_from_bank;

/// Returns the routes of the pages and of their stylesheets and scripts.
pub fn routes() -> Router<ApiState> {
    Router::new()
        .route("/offer", get(offer::page))
        .route("/offer/style.css", get(offer::style))
        .route(
            "/check",
            get(receipt_check::page).post(receipt_check::compare),
        )
        .merge(cards_frame::routes())
        .merge(client_link::routes())
}
