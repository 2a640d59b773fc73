//! `GET /cntr/tkn`.

use axum::Json;

use crate::refusal::Refusal;
use crate::wire::RealtimeToken;

/// A token for the realtime connection.
pub async fn token() -> Result<Json<RealtimeToken>, Refusal> {
    Err(Refusal::unauthorized())
}
