//! `GET /cntr/tkn`.

use axum::extract::State;
use cabinet_app::refusal::AppError;

use crate::extract::{ClientAddress, MaybeSignedIn};
use crate::json::Json;
use crate::realtime::Listener;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::RealtimeToken;

/// A token for the realtime connection: the notary's own, or one that is good for a single call that is waited for.
pub async fn token(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    MaybeSignedIn(who): MaybeSignedIn,
) -> Result<Json<RealtimeToken>, Refusal> {
    let listener = match who {
        Some(who) => Listener::Notary(who.notary),
        None => {
            state.limits.entering(address)?;
            Listener::Anonymous
        }
    };
    let token = state.realtime_tokens.issue(listener, state.app.now());
    let token = token.map_err(|error| {
        Refusal::Internal(AppError::Broken(format!(
            "a realtime token can't be signed: {error}"
        )))
    })?;
    Ok(Json(RealtimeToken { token }))
}
