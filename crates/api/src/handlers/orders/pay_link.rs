//! `GET /order/{id}/update/pay-link`.

use axum::extract::{Path, State};

use super::carry_through;
use crate::extract::SignedIn;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::PayLink;

/// A link that can be paid now.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Path(id): Path<String>,
) -> Result<Json<PayLink>, Refusal> {
    state.limits.asking(who.notary)?;
    let widget_url =
        carry_through(async move { state.app.pay_link(who.notary, &id).await }).await?;
    Ok(Json(PayLink { widget_url }))
}
