//! The realtime endpoint `/connection/websocket`. It implements the part of Centrifugo's JSON protocol that the cabinet needs: connect,
//! subscribe with recovery, unsubscribe, refresh and ping.

mod connection;
mod pace;
mod protocol;

pub use protocol::{Command, read_frame};

use axum::extract::{State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use tracing::{Instrument as _, Span};

use crate::http::extract::ClientAddress;
use crate::state::ApiState;

/// Largest frame accepted from a client, in bytes.
const FRAME_BYTES_MAX: usize = 64 * 1024;

/// Read buffer of a connection, in bytes.
const BUFFER_BYTES: usize = 4 * 1024;

/// Accepts a connection from one of our own pages.
pub async fn handler(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !state.settings.is_own_origin(&headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Some(place) = state.limits.connection() else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let Some(unknown) = state.limits.unknown_of_address(address) else {
        return StatusCode::TOO_MANY_REQUESTS.into_response();
    };
    // Its lines carry the id of the request by which it was opened.
    let span = Span::current();
    upgrade
        // Small buffers, because frames are short and thousands of connections are open at once.
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(0)
        .max_message_size(FRAME_BYTES_MAX)
        .max_frame_size(FRAME_BYTES_MAX)
        .on_upgrade(move |socket| {
            let serving = async move {
                connection::serve(state, socket, unknown).await;
                drop(place);
            };
            serving.instrument(span)
        })
}
