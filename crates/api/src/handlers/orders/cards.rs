//! `GET /order/token/get-all-tokens-by-phone` and `GET /tokenization/cards`.

use axum::extract::State;
use cabinet_app::refusal::{Refusal as AppRefusal, Sort};
use cabinet_domain::{Key, Locale};

use crate::cards_frame::{self, Holder};
use crate::extract::{SignedIn, ValidQuery};
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{CardsFrame, CardsFrameQuery, CardsFrameUrl, SavedCard, SavedCards};

/// The signed-in notary's own saved cards.
pub async fn saved(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<SavedCards>, Refusal> {
    state.limits.asking(who.notary)?;
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

/// The frame that manages saved cards: an address that is good once.
pub async fn frame(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidQuery(query): ValidQuery<CardsFrameQuery>,
) -> Result<Json<CardsFrame>, Refusal> {
    let locale = match query.language.as_deref() {
        None | Some("") => Locale::Uk,
        Some(text) => Locale::parse(text)
            .ok_or_else(|| AppRefusal::new(Sort::Invalid, Key::LocaleInvalid).on("language"))?,
    };
    let holder = Holder {
        notary: who.notary,
        session: who.session,
        locale,
    };
    Ok(Json(CardsFrame {
        cards: CardsFrameUrl {
            url: cards_frame::address(&state, &holder)?,
        },
    }))
}
