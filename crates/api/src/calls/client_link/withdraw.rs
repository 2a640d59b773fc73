//! `POST /order/{id}/client-link/withdraw`: from now on the link opens nothing.

use axum::extract::{Path, State};

use super::view::ClientLink;
use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::post("/order/{id}/client-link/withdraw", handler, |docs| {
        docs.id("withdrawClientLink")
            .tag("orders")
            .summary("Withdraw the link by which the client pays an order")
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Path(id): Path<String>,
) -> Result<Json<ClientLink>, Refusal> {
    let links = &state.services.client_links;
    let view = links.withdraw(who.signer(), &id, origin.by(who)).await?;
    Ok(Json(view.into()))
}
