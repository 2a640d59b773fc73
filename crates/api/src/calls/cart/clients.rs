//! `GET /cart/clients`: the clients of the latest payments.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use super::last_client::LastClientData;
use crate::call::Call;
use crate::extract::SignedIn;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/cart/clients", handler, |docs| {
        docs.id("cartClients")
            .tag("cart")
            .summary("The clients of the latest payments")
    })
}

/// `GET /cart/clients`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LatestClients {
    /// The latest first, at most a hundred.
    pub clients: Vec<LastClientData>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<LatestClients>, Refusal> {
    let clients = state.services.cart.latest_clients(who.notary).await?;
    let clients = clients.into_iter().map(|client| LastClientData {
        inn: client.inn.as_str().to_owned(),
        full_name: client.full_name.as_str().to_owned(),
    });
    Ok(Json(LatestClients {
        clients: clients.collect(),
    }))
}
