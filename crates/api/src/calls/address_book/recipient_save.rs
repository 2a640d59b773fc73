//! `POST /book/recipients/save`: saves a recipient.

use axum::extract::State;
use cabinet_app::address_book::RecipientRequest;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::recipients::OwnRecipient;
use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Given;

pub fn call() -> Call {
    Call::post("/book/recipients/save", handler, |docs| {
        docs.id("saveRecipient")
            .tag("address book")
            .summary("Save a recipient, or change a saved one")
    })
}

/// `POST /book/recipients/save`.
#[derive(Deserialize, JsonSchema)]
pub struct SaveRecipientRequest {
    /// The saved recipient that is changed; missing or null for a new one.
    #[serde(default)]
    pub id: Given<String>,
    /// What the notary calls it; at most 80 characters.
    #[serde(default)]
    pub title: Given<String>,
    /// The recipient's name.
    #[serde(default)]
    pub recipient_name: Given<String>,
    /// The recipient's account.
    #[serde(default)]
    pub iban: Given<String>,
    /// The recipient's code.
    #[serde(default)]
    pub okpo: Given<String>,
    /// The budget code of an account of the budget.
    #[serde(default)]
    pub cbc_code: Given<String>,
    /// The purpose, at most 160 characters; may hold `{clientName}` and `{clientIPN}`.
    #[serde(default)]
    pub purpose: Given<String>,
}

/// `POST /book/recipients/save`: the recipient as it is stored.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SavedRecipient {
    /// The recipient.
    pub recipient: OwnRecipient,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    ValidJson(body): ValidJson<SaveRecipientRequest>,
) -> Result<Json<SavedRecipient>, Refusal> {
    let mut errors = FieldErrors::new();
    let request = RecipientRequest {
        id: take(body.id, "id", &mut errors),
        title: take(body.title, "title", &mut errors),
        recipient_name: take(body.recipient_name, "recipient_name", &mut errors),
        iban: take(body.iban, "iban", &mut errors),
        okpo: take(body.okpo, "okpo", &mut errors),
        cbc_code: take(body.cbc_code, "cbc_code", &mut errors),
        purpose: take(body.purpose, "purpose", &mut errors),
    };
    let (signer, origin) = (who.signer(), origin.by(who));
    let book = &state.services.address_book;
    let saved = book.save_recipient(signer, request, errors, origin).await?;
    Ok(Json(SavedRecipient {
        recipient: saved.into(),
    }))
}
