//! `GET /book/recipients`: recipients that the notary has saved.

use axum::extract::State;
use cabinet_domain::OwnRecipient as SavedRecipient;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/book/recipients", handler, |docs| {
        docs.id("ownRecipients")
            .tag("address book")
            .summary("The recipients that the notary has saved")
    })
}

/// `GET /book/recipients`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OwnRecipients {
    /// The one changed last first.
    pub recipients: Vec<OwnRecipient>,
}

/// A recipient that the notary has saved.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OwnRecipient {
    /// Opaque.
    pub id: String,
    /// What the notary calls it.
    pub title: String,
    /// The recipient's name.
    pub recipient_name: String,
    /// The recipient's account.
    pub iban: String,
    /// The recipient's code.
    pub okpo: String,
    /// The budget code; null where there is none.
    pub cbc_code: Option<String>,
    /// The purpose; may hold `{clientName}` and `{clientIPN}`. Null where it is typed each time.
    pub purpose: Option<String>,
}

impl From<SavedRecipient> for OwnRecipient {
    fn from(saved: SavedRecipient) -> OwnRecipient {
        OwnRecipient {
            id: saved.id.to_string(),
            title: saved.title.into_string(),
            recipient_name: saved.recipient_name.into_string(),
            iban: saved.iban.as_str().to_owned(),
            okpo: saved.okpo.as_str().to_owned(),
            cbc_code: saved.cbc_code.map(|code| code.as_str().to_owned()),
            purpose: saved.purpose.map(|purpose| purpose.into_string()),
        }
    }
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
) -> Result<Json<OwnRecipients>, Refusal> {
    let saved = state.services.address_book.recipients(who.notary).await?;
    Ok(Json(OwnRecipients {
        recipients: saved.into_iter().map(Into::into).collect(),
    }))
}
