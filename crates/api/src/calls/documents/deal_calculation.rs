//! `GET /order/{id}/deal-calculation`: the calculation of the deal that payments of an order come from.

use axum::extract::{Path, State};

use crate::call::Call;
use crate::http::extract::{Language, SignedIn};
use crate::http::file::{FileAnswer, Pdf};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/order/{id}/deal-calculation", handler, |docs| {
        docs.id("orderDealCalculation")
            .tag("orders")
            .summary("Calculation of the deal that payments of an order come from, PDF")
    })
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Language(locale): Language,
    Path(id): Path<String>,
) -> Result<FileAnswer<Pdf>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let receipts = &state.services.receipts;
    let file = receipts
        .deal_of_order(who.notary, &id, locale, origin.by(who))
        .await?;
    Ok(file.into())
}
