//! `POST /order/export`.

use axum::extract::State;
use cabinet_app::orders::OrderSearch;
use cabinet_app::refusal::FieldErrors;

use super::receipts::Document;
use crate::extract::{Language, SignedIn, ValidJson};
use crate::handlers::fields::take;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::ExportOrdersRequest;

/// The payments of a search as a table. A body, although nothing changes: a client's name or code must not stand in an address.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidJson(body): ValidJson<ExportOrdersRequest>,
) -> Result<Document, Refusal> {
    state.limits.asking(who.notary)?;
    let mut errors = FieldErrors::new();
    let search = OrderSearch {
        status: take(body.status, "status", &mut errors),
        text: take(body.text, "text", &mut errors),
        from: take(body.from, "from", &mut errors),
        to: take(body.to, "to", &mut errors),
        ..OrderSearch::default()
    };
    let file = state
        .app
        .export_orders(who.notary, search, locale, errors)
        .await?;
    Ok(Document {
        file,
        content_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    })
}
