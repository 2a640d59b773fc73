//! `POST /auth/me`.

use axum::extract::State;
use cabinet_domain::{CertificateNumber, Email, Iban, Inn, Line, MaskedCard, Notary, Okpo, Phone};

use crate::extract::SignedIn;
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::User;

/// The signed-in notary.
pub async fn handler(State(state): State<ApiState>, who: SignedIn) -> Result<Json<User>, Refusal> {
    Ok(Json(User::from(state.app.me(who.notary).await?)))
}

impl From<Notary> for User {
    fn from(notary: Notary) -> User {
        let profile = notary.profile;
        User {
            id: notary.id.to_string(),
            phone: notary.phone.as_str().to_owned(),
            full_name: profile.full_name.as_str().to_owned(),
            inn: text(profile.inn.as_ref().map(Inn::as_str)),
            certificate_number: text(
                profile
                    .certificate_number
                    .as_ref()
                    .map(CertificateNumber::as_str),
            ),
            registry_identifier: profile.registry_identifier.as_str().to_owned(),
            phone_additional: text(profile.phone_additional.as_ref().map(Phone::as_str)),
            email: text(profile.email.as_ref().map(Email::as_str)),
            notary_address: text(profile.notary_address.as_ref().map(Line::as_str)),
            card_pan: text(profile.card_pan.as_ref().map(MaskedCard::as_str)),
            iban: text(profile.iban.as_ref().map(Iban::as_str)),
            okpo: text(profile.okpo.as_ref().map(Okpo::as_str)),
            exemption_date_finish: profile.exemption_date_finish.map(|date| date.to_string()),
            created_at: notary.created_at.into(),
            updated_at: notary.updated_at.into(),
            new_flow_enabled: notary.new_flow_enabled,
        }
    }
}

/// Returns an empty text for a field that was never filled in.
fn text(field: Option<&str>) -> String {
    field.unwrap_or_default().to_owned()
}
