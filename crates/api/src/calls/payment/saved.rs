//! `GET /order/token/get-all-tokens-by-phone`: the notary's saved cards.

use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/order/token/get-all-tokens-by-phone", handler, |docs| {
        docs.id("savedCards")
            .tag("orders")
            .summary("The notary's saved cards")
    })
}

/// `GET /order/token/get-all-tokens-by-phone`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SavedCards {
    /// The notary's own saved cards.
    pub tokens: Vec<SavedCard>,
    /// The `Token` of the card that paid the latest paid order; null if none of these did.
    pub last_used: Option<String>,
}

/// A saved card, named as the specification names it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SavedCard {
    /// Goes to `POST /order/create` as `token_id`.
    #[serde(rename = "Token")]
    pub token: String,
    /// Masked number; goes along as `pan`.
    #[serde(rename = "MaskPan")]
    pub mask_pan: String,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<SavedCards>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let cards = state.services.saved_cards.list(who.notary).await?;
    let last_used = state
        .services
        .saved_cards
        .last_used(who.notary, &cards)
        .await?
        .map(|card| card.token.expose().to_owned());
    let tokens = cards
        .into_iter()
        .map(|card| SavedCard {
            token: card.token.expose().to_owned(),
            mask_pan: card.mask().to_owned(),
        })
        .collect();
    Ok(Json(SavedCards { tokens, last_used }))
}
