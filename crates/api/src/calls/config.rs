//! `GET /config`: settings that the browser needs at the start.

use axum::extract::State;
use cabinet_domain::{Tariff as DomainTariff, kyiv_date, told_treasury_day};
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Hryvnias;

pub fn call() -> Call {
    Call::get("/config", handler, |docs| {
        docs.id("config")
            .tag("config")
            .summary("What the browser needs to know")
    })
}

/// `GET /config`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Config {
    /// The commission's tariff in force now.
    pub tariff: Tariff,
    /// Changes of the commission's tariff, the latest that happened and those to come, oldest first; the form's warning names them.
    pub tariff_changes: Vec<Tariff>,
    /// The last day of the year (Kyiv) on which the Treasury takes payments, `YYYY-MM-DD`: from ten days before it until the year ends. What
    /// is paid to an account at the Treasury after it reaches the budget in January. Null on other days, and where it is not known.
    pub treasury_last_day: Option<String>,
    /// Of a sum in the product: `UAH`.
    pub currency: &'static str,
    /// Address of the realtime connection, relative to the page's origin or absolute.
    pub realtime_url: String,
    /// The public offer.
    pub offer_url: String,
    /// Whom to ask.
    pub support: Support,
    /// What numbers in the register of notarial acts are taken.
    pub register_number: RegisterNumber,
    /// True with the sandbox: no money moves.
    pub demonstration: bool,
}

/// Commission: so many percent, at least so much.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tariff {
    /// First day (Kyiv), `YYYY-MM-DD`; null: since ever.
    pub valid_from: Option<String>,
    /// Hundredths of a percent: 150 is 1.5 %.
    pub basis_points: i64,
    /// The least commission of each part.
    pub minimum: Hryvnias,
}

/// What numbers in the register of notarial acts are taken. Those that are stored already may stay.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RegisterNumber {
    /// Longest number, in characters.
    pub chars_max: usize,
    /// The characters that a number may have beside letters, digits and spaces, one after the other. Null: all that a line may have.
    pub marks: Option<String>,
}

/// Whom to ask.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Support {
    /// E-mail.
    pub email: String,
    /// Telephone as a person reads it.
    pub phone: String,
}

async fn handler(State(state): State<ApiState>) -> Result<Json<Config>, Refusal> {
    let reference = state.services.reference.current()?;
    let now = state.services.now();
    let today = kyiv_date(now);
    let tariffs = reference.tariffs();
    let in_force = tariffs.in_force(now);
    // Includes the change to the tariff in force, because notaries may still expect the tariff before it.
    let happened = in_force.valid_from.is_some().then_some(in_force);
    let settings = &state.services.settings;
    Ok(Json(Config {
        tariff: Tariff::from(in_force),
        tariff_changes: happened
            .into_iter()
            .chain(tariffs.next_after(now))
            .map(Tariff::from)
            .collect(),
        treasury_last_day: told_treasury_day(today, reference.treasury_last_day(today.year()))
            .map(|day| day.to_string()),
        currency: "UAH",
        realtime_url: state.settings.realtime_url.clone(),
        offer_url: state.settings.offer_url.clone(),
        support: Support {
            email: settings.support.email.clone(),
            phone: settings.support.phone.clone(),
        },
        register_number: RegisterNumber {
            chars_max: settings.register_number.chars_max,
            marks: settings.register_number.marks.clone(),
        },
        demonstration: settings.sandbox,
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
