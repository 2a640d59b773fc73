//! `GET /payment-types/last-choices`: what the notary chose the last time.

use axum::extract::State;
use cabinet_domain::Key;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidQuery};
use crate::http::fields::required_id;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/payment-types/last-choices", handler, |docs| {
        docs.id("lastChoices")
            .tag("payment types")
            .summary("Term, region and recipient of the notary’s latest fees")
    })
}

/// Query of `GET /payment-types/last-choices`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LastChoicesQuery {
    /// From `GET /payment-types`; required.
    pub payment_type_id: Option<String>,
    /// From the fields of the payment type.
    pub payment_type_option_id: Option<String>,
}

/// `GET /payment-types/last-choices`: what may be chosen today of what was chosen the last time.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LastChoices {
    /// The term that was last chosen for the option; null without an option, and where there was none or it is not in force.
    pub payment_type_option_term_id: Option<String>,
    /// The region of the latest fees; null before the first.
    pub payment_type_region_id: Option<String>,
    /// The latest recipient in that region who takes such a fee; null where none does.
    pub payment_type_requisite_id: Option<String>,
}

async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    ValidQuery(query): ValidQuery<LastChoicesQuery>,
) -> Result<Json<LastChoices>, Refusal> {
    let payment_type = required_id(
        query.payment_type_id,
        "payment_type_id",
        Key::PaymentTypeRequired,
    )?;
    let option = query.payment_type_option_id;
    let cart = &state.services.cart;
    let last = cart
        .last_choices(who.notary, &payment_type, option.as_deref())
        .await?;
    let recipient = last.recipient.as_ref();
    let requisite = recipient.and_then(|found| found.requisite.as_ref());
    Ok(Json(LastChoices {
        payment_type_option_term_id: last.term.map(|term| term.to_string()),
        payment_type_region_id: recipient.map(|found| found.region.to_string()),
        payment_type_requisite_id: requisite.map(ToString::to_string),
    }))
}
