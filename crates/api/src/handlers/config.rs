//! `GET /config`.

use axum::extract::State;
use cabinet_domain::Tariff as DomainTariff;

use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Config, Support, Tariff};

/// What the browser needs to know before it can draw anything.
pub async fn handler(State(state): State<ApiState>) -> Result<Json<Config>, Refusal> {
    let reference = state.app.reference()?;
    let now = state.app.now();
    let tariffs = reference.tariffs();
    let in_force = tariffs.in_force(now);
    // The change that led to the tariff in force is told as well: notaries remember the one before it.
    let happened = in_force.valid_from.is_some().then_some(in_force);
    let settings = state.app.settings();
    Ok(Json(Config {
        tariff: Tariff::from(in_force),
        tariff_changes: happened
            .into_iter()
            .chain(tariffs.next_after(now))
            .map(Tariff::from)
            .collect(),
        currency: "UAH",
        otp_length: settings.codes.digits,
        realtime_url: state.settings.realtime_url.clone(),
        offer_url: state.settings.offer_url.clone(),
        support: Support {
            email: settings.support.email.clone(),
            phone: settings.support.phone.clone(),
        },
        demonstration: settings.demonstration,
    }))
}

impl From<&DomainTariff> for Tariff {
    fn from(tariff: &DomainTariff) -> Tariff {
        Tariff {
            valid_from: tariff.valid_from.map(|date| date.to_string()),
            basis_points: tariff.basis_points,
            minimum: tariff.minimum.into(),
        }
    }
}
