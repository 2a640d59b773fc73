//! `POST /me/passkeys/{id}/remove`: removes a passkey.

use axum::extract::{Path, State};

use super::read_id;
use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Done;

pub fn call() -> Call {
    Call::post("/me/passkeys/{id}/remove", handler, |docs| {
        docs.id("removePasskey")
            .tag("passkeys")
            .summary("Remove a passkey")
    })
}

/// Removes a passkey: after a code by SMS for this, in the same session. It opens nothing any more; sessions that it has opened stay. The
/// notary is told by letter and SMS.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Path(id): Path<String>,
) -> Result<Json<Done>, Refusal> {
    state.limits.count_confirmation(who.session)?;
    let passkey = read_id(&id)?;
    let session = (who.notary, who.session);
    let accounts = &state.services.accounts;
    accounts
        .remove_passkey(session, passkey, origin.by(who))
        .await?;
    Ok(Json(Done::carried_out()))
}
