//! `GET /order/{id}/extract`: the extract of a paid order for the notarial file.

use axum::extract::{Path, State};

use crate::call::Call;
use crate::http::extract::{Language, SignedIn};
use crate::http::file::{FileAnswer, Pdf};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/order/{id}/extract", handler, |docs| {
        docs.id("orderExtract")
            .tag("orders")
            .summary("Extract of a paid order for the notarial file, PDF")
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<FileAnswer<Pdf>, Refusal> {
    let receipts = &state.services.receipts;
    let file = receipts
        .extract(who.notary, &id, locale, origin.by(who))
        .await?;
    Ok(file.into())
}
