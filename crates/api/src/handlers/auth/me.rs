//! `POST /auth/me`.

use axum::extract::State;
use cabinet_storage::notaries::Notary;

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
        User {
            id: notary.id.to_string(),
            phone: notary.phone.as_str().to_owned(),
            full_name: notary.full_name,
            inn: notary.inn.unwrap_or_default(),
            certificate_number: notary.certificate_number.unwrap_or_default(),
            registry_identifier: notary.registry_identifier,
            phone_additional: notary.phone_additional.unwrap_or_default(),
            email: notary.email.unwrap_or_default(),
            notary_address: notary.notary_address.unwrap_or_default(),
            card_pan: notary.card_pan.unwrap_or_default(),
            iban: notary.iban.unwrap_or_default(),
            okpo: notary.okpo.unwrap_or_default(),
            exemption_date_finish: notary.exemption_date_finish.map(|date| date.to_string()),
            created_at: notary.created_at.into(),
            updated_at: notary.updated_at.into(),
            new_flow_enabled: notary.new_flow_enabled,
        }
    }
}
