//! `GET /tokenization/cards`: the frame that manages saved cards.

use axum::extract::State;
use cabinet_app::kernel::refusal::{Refusal as AppRefusal, RefusalKind};
use cabinet_domain::{Key, Locale};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidQuery};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::pages::cards_frame;
use crate::state::ApiState;
use crate::tokens::frame::Holder;

pub fn call() -> Call {
    Call::get("/tokenization/cards", handler, |docs| {
        docs.id("cardsFrame")
            .tag("orders")
            .summary("The frame that manages saved cards")
    })
}

/// Query of `GET /tokenization/cards`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CardsFrameQuery {
    /// `uk` or `en`.
    pub language: Option<String>,
}

/// `GET /tokenization/cards`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CardsFrame {
    /// The frame to embed.
    pub cards: CardsFrameUrl,
}

/// Where the frame is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CardsFrameUrl {
    /// Good once and for a short while.
    pub url: String,
}

/// Returns the single-use address of the frame.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidQuery(query): ValidQuery<CardsFrameQuery>,
) -> Result<Json<CardsFrame>, Refusal> {
    let locale = match query.language.as_deref() {
        None | Some("") => Locale::Uk,
        Some(text) => Locale::parse(text).ok_or_else(|| {
            AppRefusal::new(RefusalKind::Invalid, Key::LocaleInvalid).on("language")
        })?,
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
