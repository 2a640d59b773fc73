//! `POST /order/{id}/codes/document`: the QR codes of an unpaid order as a sheet for the client.

use axum::extract::{Path, State};

use crate::call::Call;
use crate::http::carry_through::carry_through;
use crate::http::extract::{Language, SignedIn};
use crate::http::file::{FileAnswer, Pdf};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::post("/order/{id}/codes/document", handler, |docs| {
        docs.id("orderCodesDocument")
            .tag("orders")
            .summary("QR codes of an unpaid order, PDF; its payment page is closed first")
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
    let file = carry_through(async move {
        let payments = &state.services.payments;
        payments
            .codes_document(who.signer(), &id, locale, origin.by(who))
            .await
    })
    .await?;
    Ok(file.into())
}
