//! `POST /order/{id}/refund`: ask for all returned transfers of an order to be given back to the client’s card.

use axum::extract::{Path, State};

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Done;

pub fn call() -> Call {
    Call::post("/order/{id}/refund", handler, |docs| {
        docs.id("orderRefundRequest").tag("orders").summary(
            "Ask for all returned transfers of an order to be given back to the client’s card",
        )
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
        .request_refund_of_order(who.signer(), &id, origin.by(who))
        .await?;
    Ok(Json(Done::carried_out()))
}
