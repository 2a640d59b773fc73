//! `POST /deal/calculation`: the calculation of a deal as a document, before its payments are in the cart.

use axum::extract::State;
use cabinet_app::kernel::refusal::FieldErrors;

use crate::call::Call;
use crate::calls::deal::cart::AddDealRequest;
use crate::http::extract::{Language, SignedIn, ValidJson};
use crate::http::file::{FileAnswer, Pdf};
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::post("/deal/calculation", handler, |docs| {
        docs.id("dealCalculation")
            .tag("deals")
            .summary("The calculation of a deal, PDF")
    })
}

/// Calculates the deal anew. Nothing is stored. Names, recipients and reasons may be missing.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Language(locale): Language,
    ValidJson(body): ValidJson<AddDealRequest>,
) -> Result<FileAnswer<Pdf>, Refusal> {
    state.limits.count_acquirer_call(who.notary)?;
    let mut errors = FieldErrors::new();
    let asked = body.read(&mut errors);
    let services = &state.services;
    let draft = services.cart.deal_draft(who.notary, asked, errors).await?;
    let receipts = &services.receipts;
    let file = receipts.deal_draft(who.notary, draft, locale).await?;
    Ok(file.into())
}
