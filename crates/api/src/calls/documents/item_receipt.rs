//! `GET /order/item/{id}/receipt`: the receipt of an item.

use axum::extract::{Path, State};

use super::receipt_query::ReceiptQuery;
use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidQuery};
use crate::http::file::{FileAnswer, Pdf};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/order/item/{id}/receipt", handler, |docs| {
        docs.id("orderItemReceipt")
            .tag("orders")
            .summary("Receipt of an item, PDF")
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
    ValidQuery(query): ValidQuery<ReceiptQuery>,
) -> Result<FileAnswer<Pdf>, Refusal> {
    let file = state
        .services
        .receipts
        .of_item(who.notary, &id, query.request(locale)?, origin.by(who))
        .await?;
    Ok(file.into())
}
