//! `POST /order/transfer/{id}/application`: the application for the return of money that its recipient has already.

use axum::extract::{Path, State};
use cabinet_app::documents::ApplicationRequest;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::file::{FileAnswer, Pdf};
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Given;

pub fn call() -> Call {
    Call::post("/order/transfer/{id}/application", handler, |docs| {
        docs.id("orderTransferApplication").tag("orders").summary(
            "Application for the return of a transfer from the budget or from the registers, PDF",
        )
    })
}

/// `POST /order/transfer/{id}/application`: what the notary types. Nothing of it is stored.
#[derive(Deserialize, JsonSchema)]
pub struct ReturnApplicationRequest {
    /// Why the money is to be returned: one line of at most 300 characters.
    #[serde(default)]
    pub reason: Given<String>,
    /// The applicant's account, to which the money is to be returned.
    #[serde(default)]
    pub iban: Given<String>,
}

/// Makes the application. A POST although nothing changes, because an account must not be in an address.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Path(id): Path<String>,
    ValidJson(body): ValidJson<ReturnApplicationRequest>,
) -> Result<FileAnswer<Pdf>, Refusal> {
    let mut errors = FieldErrors::new();
    let request = ApplicationRequest {
        reason: take(body.reason, "reason", &mut errors),
        iban: take(body.iban, "iban", &mut errors),
    };
    let receipts = &state.services.receipts;
    let file = receipts
        .application(who.notary, &id, request, errors, origin.by(who))
        .await?;
    Ok(file.into())
}
