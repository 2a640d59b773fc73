//! `GET /me/card-figures` and `POST /me/card-figures`: up to what sum a day saved cards pay without a proof, and from what sum the notary is told.

use axum::extract::State;
use cabinet_app::account::CardFiguresRequest as TypedFigures;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take_sum;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{CardFigures, Given, Hryvnias, NumberText};

pub fn call() -> Call {
    Call::get("/me/card-figures", handler, |docs| {
        docs.id("cardFigures")
            .tag("me")
            .summary("The notary's figures for saved cards")
    })
}

pub fn save_call() -> Call {
    Call::post("/me/card-figures", save, |docs| {
        docs.id("saveCardFigures")
            .tag("me")
            .summary("Change the figures for saved cards")
    })
}

/// `POST /me/card-figures`.
#[derive(Default, Deserialize, JsonSchema)]
pub struct CardFiguresRequest {
    /// The most that saved cards pay within 24 hours without a proof to recipients outside of the tables.
    #[serde(default)]
    pub daily_unproved_max: Given<NumberText<Hryvnias>>,
    /// From this sum on the notary is told of each charge.
    #[serde(default)]
    pub told_from: Given<NumberText<Hryvnias>>,
}

impl CardFiguresRequest {
    /// Returns the figures as they were typed.
    pub(super) fn read(self, errors: &mut FieldErrors) -> TypedFigures {
        TypedFigures {
            daily_unproved_max: take_sum(self.daily_unproved_max, "daily_unproved_max", errors),
            told_from: take_sum(self.told_from, "told_from", errors),
        }
    }
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<CardFigures>, Refusal> {
    let figures = state.services.accounts.card_figures(who.notary).await?;
    Ok(Json(CardFigures::from(figures)))
}

/// Changes the figures. Larger ones need a proof for these very figures, and the notary is told; smaller ones need none.
async fn save(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    ValidJson(body): ValidJson<CardFiguresRequest>,
) -> Result<Json<CardFigures>, Refusal> {
    let mut errors = FieldErrors::new();
    let figures = body.read(&mut errors).read(errors)?;
    let accounts = &state.services.accounts;
    let saved = accounts
        .set_card_figures(who.signer(), figures, origin.by(who))
        .await?;
    Ok(Json(CardFigures::from(saved)))
}
