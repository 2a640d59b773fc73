//! `GET /order/token/get-all-tokens-by-phone` and `GET /tokenization/cards`.

use axum::Json;
use axum::extract::State;
use cabinet_app::refusal::Sort;
use cabinet_domain::Key;

use crate::extract::{SignedIn, ValidQuery};
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{CardsFrame, CardsFrameQuery, SavedCard, SavedCards};

/// The signed-in notary's own saved cards.
pub async fn saved(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<SavedCards>, Refusal> {
    let cards = state.app.saved_cards(who.notary).await?;
    let tokens = cards
        .into_iter()
        .map(|card| SavedCard {
            token: card.token.expose().to_owned(),
            mask_pan: card.masked_pan.as_str().to_owned(),
        })
        .collect();
    Ok(Json(SavedCards { tokens }))
}

/// The frame that manages saved cards.
pub async fn frame(
    State(_): State<ApiState>,
    _: SignedIn,
    ValidQuery(_): ValidQuery<CardsFrameQuery>,
) -> Result<Json<CardsFrame>, Refusal> {
    Err(Refusal::new(Sort::Unavailable, Key::ServiceUnavailable))
}
