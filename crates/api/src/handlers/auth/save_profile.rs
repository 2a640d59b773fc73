//! `POST /me`.

use axum::extract::State;
use cabinet_app::auth::ProfileWish;
use cabinet_app::refusal::FieldErrors;

use crate::extract::{SignedIn, ValidJson};
use crate::handlers::fields::take;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{ProfileRequest, User};

/// Saves the profile. Phone, id and flags are not the form's to change and are ignored.
pub async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidJson(body): ValidJson<ProfileRequest>,
) -> Result<Json<User>, Refusal> {
    let mut errors = FieldErrors::new();
    let wish = ProfileWish {
        full_name: take(body.full_name, "full_name", &mut errors),
        inn: take(body.inn, "inn", &mut errors),
        certificate_number: take(body.certificate_number, "certificate_number", &mut errors),
        registry_identifier: take(body.registry_identifier, "registry_identifier", &mut errors),
        phone_additional: take(body.phone_additional, "phone_additional", &mut errors),
        email: take(body.email, "email", &mut errors),
        notary_address: take(body.notary_address, "notary_address", &mut errors),
        card_pan: take(body.card_pan, "card_pan", &mut errors),
        iban: take(body.iban, "iban", &mut errors),
        okpo: take(body.okpo, "okpo", &mut errors),
        exemption_date_finish: take(
            body.exemption_date_finish,
            "exemption_date_finish",
            &mut errors,
        ),
    };
    Ok(Json(User::from(
        state.app.save_profile(who.notary, wish, errors).await?,
    )))
}
