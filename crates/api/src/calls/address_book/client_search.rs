//! `POST /book/clients/search`: clients of the address book.

use axum::extract::State;
use cabinet_app::address_book::ClientSearch;
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_domain::Key;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::{take, take_whole};
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, Moment, NumberText};

pub fn call() -> Call {
    Call::post("/book/clients/search", handler, |docs| {
        docs.id("searchClients")
            .tag("address book")
            .summary("Clients by any part of name or code, the last used first")
    })
}

/// `POST /book/clients/search`. The text is in the body, because it is personal data and must not be in an address.
#[derive(Deserialize, JsonSchema)]
pub struct SearchClientsRequest {
    /// Words of which each occurs in the name or the code. Case, apostrophes, accents, Latin look-alikes and dashes do not count.
    #[serde(default)]
    pub text: Given<String>,
    /// Clients of a page: 1 to 100, 20 by default.
    #[serde(default)]
    pub limit: Given<NumberText<i64>>,
    /// `next` of the page before.
    #[serde(default)]
    pub before: Given<String>,
}

/// `POST /book/clients/search`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BookClients {
    /// The last used first.
    pub clients: Vec<BookClient>,
    /// `before` of the next page; null on the last one.
    pub next: Option<String>,
}

/// A client of the address book.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BookClient {
    /// Opaque.
    pub id: String,
    /// Tax id, EDRPOU, ID card or passport.
    pub inn: String,
    /// Name of the person or entity.
    pub full_name: String,
    /// When a payment for the client was last added to the cart.
    pub used_at: Moment,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<SearchClientsRequest>,
) -> Result<Json<BookClients>, Refusal> {
    let mut errors = FieldErrors::new();
    let search = ClientSearch {
        text: take(body.text, "text", &mut errors),
        limit: take_whole(body.limit, "limit", Key::NumberInvalid, &mut errors),
        before: take(body.before, "before", &mut errors),
    };
    let page = state
        .services
        .address_book
        .clients(who.notary, search, errors)
        .await?;
    let clients = page.clients.into_iter().map(|listed| BookClient {
        id: listed.client.id.to_string(),
        inn: listed.client.inn.as_str().to_owned(),
        full_name: listed.client.full_name.as_str().to_owned(),
        used_at: listed.used_at.into(),
    });
    Ok(Json(BookClients {
        clients: clients.collect(),
        next: page.next.map(|client| client.to_string()),
    }))
}
