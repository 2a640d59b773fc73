//! `POST /me`: saves the profile.

use axum::extract::State;
use cabinet_app::account;
use cabinet_app::kernel::refusal::FieldErrors;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidJson};
use crate::http::fields::take_change;
use crate::http::json::Json;
use crate::http::origin::RequestOrigin;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Given, User};

pub fn call() -> Call {
    Call::post("/me", handler, |docs| {
        docs.id("saveProfile")
            .tag("auth")
            .summary("Save the profile")
    })
}

/// `POST /me`: a field that is left out stays as it is; null or an empty text empties it. Phone, id and flags are ignored.
#[derive(Deserialize, JsonSchema)]
pub struct ProfileRequest {
    /// Surname, name, patronymic; required.
    #[serde(default)]
    pub full_name: Given<String>,
    /// A code in any form that a client's may have, or empty.
    #[serde(default)]
    pub inn: Given<String>,
    /// Digits, or empty.
    #[serde(default)]
    pub certificate_number: Given<String>,
    /// 4 to 15 letters and digits; required.
    #[serde(default)]
    pub registry_identifier: Given<String>,
    /// A phone in any usual form, or empty.
    #[serde(default)]
    pub phone_additional: Given<String>,
    /// An address, or empty.
    #[serde(default)]
    pub email: Given<String>,
    /// Free text, or empty.
    #[serde(default)]
    pub notary_address: Given<String>,
    /// First six and last four digits with the rest masked, or empty. A full number is cut at once.
    #[serde(default)]
    pub card_pan: Given<String>,
    /// A Ukrainian IBAN, or empty.
    #[serde(default)]
    pub iban: Given<String>,
    /// 8 or 10 digits, or empty.
    #[serde(default)]
    pub okpo: Given<String>,
    /// `YYYY-MM-DD` or null.
    #[serde(default)]
    pub exemption_date_finish: Given<String>,
}

/// Saves the profile. Missing fields keep their values. Phone, id and flags can't be changed and are ignored.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    origin: RequestOrigin,
    ValidJson(body): ValidJson<ProfileRequest>,
) -> Result<Json<User>, Refusal> {
    let mut errors = FieldErrors::new();
    let request = account::ProfileRequest {
        full_name: take_change(body.full_name, "full_name", &mut errors),
        inn: take_change(body.inn, "inn", &mut errors),
        certificate_number: take_change(body.certificate_number, "certificate_number", &mut errors),
        registry_identifier: take_change(
            body.registry_identifier,
            "registry_identifier",
            &mut errors,
        ),
        phone_additional: take_change(body.phone_additional, "phone_additional", &mut errors),
        email: take_change(body.email, "email", &mut errors),
        notary_address: take_change(body.notary_address, "notary_address", &mut errors),
        card_pan: take_change(body.card_pan, "card_pan", &mut errors),
        iban: take_change(body.iban, "iban", &mut errors),
        okpo: take_change(body.okpo, "okpo", &mut errors),
        exemption_date_finish: take_change(
            body.exemption_date_finish,
            "exemption_date_finish",
            &mut errors,
        ),
    };
    let accounts = &state.services.accounts;
    let notary = accounts
        .save_profile(who.signer(), request, errors, origin.by(who))
        .await?;
    let contact = accounts.register_contact(&notary).await?;
    Ok(Json(User::new(notary, contact)))
}
