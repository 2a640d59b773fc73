//! `GET /order/{id}/receipts`: all receipts of an order, in a ZIP.

use axum::extract::{Path, State};

use crate::call::Call;
use crate::http::extract::{Language, SignedIn};
use crate::http::file::{FileAnswer, Zip};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/order/{id}/receipts", handler, |docs| {
        docs.id("orderReceipts")
            .tag("orders")
            .summary("All receipts of an order, ZIP")
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<FileAnswer<Zip>, Refusal> {
    let file = state
        .services
        .receipts
        .archive(who.notary, &id, locale, origin.by(who))
        .await?;
    Ok(file.into())
}
