//! `POST /order/transfer/{id}/resend`: sends a returned transfer again with corrected requisites.

use axum::extract::{Path, State};
use cabinet_app::kernel::refusal::FieldErrors;
use cabinet_app::transfer::returns::PayeeRequest;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Done, Given};

pub fn call() -> Call {
    Call::post("/order/transfer/{id}/resend", handler, |docs| {
        docs.id("orderTransferResend")
            .tag("orders")
            .summary("Send a transfer again that a bank has returned")
    })
}

/// `POST /order/transfer/{id}/resend`: the requisites of the new transfer.
#[derive(Deserialize, JsonSchema)]
pub struct ResendRequest {
    /// The account.
    #[serde(default)]
    pub iban: Given<String>,
    /// The code of its owner.
    #[serde(default)]
    pub okpo: Given<String>,
    /// The recipient. The notary's own part bears the name of the profile.
    #[serde(default)]
    pub recipient_name: Given<String>,
    /// The purpose.
    #[serde(default)]
    pub purpose: Given<String>,
}

impl ResendRequest {
    /// Returns the requisites as they were typed.
    pub(in crate::calls) fn read(self, errors: &mut FieldErrors) -> PayeeRequest {
        PayeeRequest {
            iban: take(self.iban, "iban", errors),
            okpo: take(self.okpo, "okpo", errors),
            recipient_name: take(self.recipient_name, "recipient_name", errors),
            purpose: take(self.purpose, "purpose", errors),
        }
    }
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    Path(id): Path<String>,
    ValidJson(body): ValidJson<ResendRequest>,
) -> Result<Json<Done>, Refusal> {
    let mut errors = FieldErrors::new();
    let request = body.read(&mut errors);
    state
        .services
        .returns
        .send_again(who.signer(), &id, request, errors, origin.by(who))
        .await?;
    Ok(Json(Done::carried_out()))
}
