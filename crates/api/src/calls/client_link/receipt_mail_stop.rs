//! `POST /order/{id}/receipt-mail/stop`: the client wants no more letters about an order.

use axum::extract::{Path, State};

use super::view::ClientLink;
use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::post("/order/{id}/receipt-mail/stop", handler, |docs| {
        docs.id("stopOrderReceiptMail")
            .tag("orders")
            .summary("Send the client no more letters about an order")
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Path(id): Path<String>,
) -> Result<Json<ClientLink>, Refusal> {
    let links = &state.services.client_links;
    let view = links
        .refuse_for_client(who.notary, &id, origin.by(who))
        .await?;
    Ok(Json(view.into()))
}
