//! `POST /order/transfer/{id}/refund`: ask for a returned transfer to be given back to the client’s card.

use axum::extract::{Path, State};

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Done;

pub fn call() -> Call {
    Call::post("/order/transfer/{id}/refund", handler, |docs| {
        docs.id("orderTransferRefund")
            .tag("orders")
            .summary("Ask for a returned transfer to be given back to the client’s card")
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Path(id): Path<String>,
) -> Result<Json<Done>, Refusal> {
    state
        .services
        .returns
        .request_refund(who.signer(), &id, origin.by(who))
        .await?;
    Ok(Json(Done::carried_out()))
}
