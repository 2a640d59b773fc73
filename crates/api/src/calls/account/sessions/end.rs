//! `POST /me/sessions/{id}/end`: ends a session of the notary.

use axum::extract::{Path, State};
use cabinet_app::kernel::refusal::RefusalKind;
use cabinet_domain::{Key, SessionId};

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Done;

pub fn call() -> Call {
    Call::post("/me/sessions/{id}/end", handler, |docs| {
        docs.id("endSession")
            .tag("sessions")
            .summary("End a session")
    })
}

/// Ends a session at once, with its realtime connections. Its browser counts as a new device at the next entry.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Path(id): Path<String>,
) -> Result<Json<Done>, Refusal> {
    let session = SessionId::parse(&id)
        .ok_or_else(|| Refusal::new(RefusalKind::NotFound, Key::SessionUnknown))?;
    state
        .services
        .accounts
        .end_session(who.signer(), session, origin.by(who))
        .await?;
    Ok(Json(Done::carried_out()))
}
