//! `GET /order/{id}/update/pay-link`.

use axum::Json;
use axum::extract::{Path, State};

use crate::extract::SignedIn;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::PayLink;

/// A link that can be paid now.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Path(id): Path<String>,
) -> Result<Json<PayLink>, Refusal> {
    Ok(Json(PayLink {
        widget_url: state.app.pay_link(who.notary, &id).await?,
    }))
}
