//! `POST /me`.

use axum::extract::State;
use cabinet_app::auth::ProfileWish;
use cabinet_app::refusal::FieldErrors;

use crate::extract::{SignedIn, ValidJson};
use crate::handlers::fields::take_change;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{ProfileRequest, User};

/// Saves the profile: fields that are not here stay as they are. Phone, id and flags are not the form's to change and are ignored.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<ProfileRequest>,
) -> Result<Json<User>, Refusal> {
    let mut errors = FieldErrors::new();
    let wish = ProfileWish {
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
    Ok(Json(User::from(
        state.app.save_profile(who.notary, wish, errors).await?,
    )))
}
