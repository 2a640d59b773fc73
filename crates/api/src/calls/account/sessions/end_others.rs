//! `POST /me/sessions/end-others`: ends all sessions of the notary but the caller's.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::post("/me/sessions/end-others", handler, |docs| {
        docs.id("endOtherSessions")
            .tag("sessions")
            .summary("End all other sessions")
    })
}

/// `POST /me/sessions/end-others`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OthersEnded {
    /// How many sessions were ended.
    pub ended: usize,
}

/// Ends all other sessions at once, with their realtime connections. All other browsers count as new devices at the next entry.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
) -> Result<Json<OthersEnded>, Refusal> {
    let ended = state
        .services
        .accounts
        .end_other_sessions(who.signer(), origin.by(who))
        .await?;
    Ok(Json(OthersEnded { ended }))
}
