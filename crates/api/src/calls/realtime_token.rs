//! `GET /cntr/tkn`: a token for the realtime connection.

use axum::extract::State;
use cabinet_app::kernel::refusal::AppError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::{ClientAddress, MaybeSignedIn};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::tokens::realtime::Listener;

pub fn call() -> Call {
    Call::get("/cntr/tkn", handler, |docs| {
        docs.id("realtimeToken")
            .tag("realtime")
            .summary("Token of a realtime connection")
    })
}

/// `GET /cntr/tkn`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RealtimeToken {
    /// For the realtime connection; empty of rights but for the caller's own channels.
    pub token: String,
}

/// Issues a token: for the notary's own channel, or without signing in for the channel of one open phone call.
async fn handler(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    MaybeSignedIn(who): MaybeSignedIn,
) -> Result<Json<RealtimeToken>, Refusal> {
    let listener = match who {
        Some(who) => Listener::Notary(who.notary, who.session),
        None => {
            state.limits.count_public_request(address)?;
            Listener::Anonymous
        }
    };
    let token = state.realtime_tokens.issue(listener, state.services.now());
    let token = token.map_err(|error| {
        Refusal::Internal(AppError::Broken(format!(
            "a realtime token can't be signed: {error}"
        )))
    })?;
    Ok(Json(RealtimeToken { token }))
}
