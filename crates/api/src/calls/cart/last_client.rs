//! `GET /cart/client/last`: the client of the latest payment.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/cart/client/last", handler, |docs| {
        docs.id("cartLastClient")
            .tag("cart")
            .summary("The client of the latest payment")
    })
}

/// `GET /cart/client/last`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LastClient {
    /// The client of the latest payment; null before the first.
    pub client: Option<LastClientData>,
}

/// A client without an id, as the form takes it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LastClientData {
    /// Tax id, EDRPOU, ID card or passport.
    pub inn: String,
    /// Name of the person or entity.
    pub full_name: String,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<LastClient>, Refusal> {
    let client = state.services.cart.last_client(who.notary).await?;
    let client = client.map(|client| LastClientData {
        inn: client.inn.as_str().to_owned(),
        full_name: client.full_name.as_str().to_owned(),
    });
    Ok(Json(LastClient { client }))
}
