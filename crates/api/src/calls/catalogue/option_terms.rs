//! `GET /payment-types/option/terms`: terms of an option.

use axum::extract::State;
use cabinet_app::kernel::refusal::Refusal as AppRefusal;
use cabinet_domain::{Key, OptionId, kyiv_date};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidQuery};
use crate::http::fields::required_id;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Hryvnias, NextYearFee, StaleFee};

pub fn call() -> Call {
    Call::get("/payment-types/option/terms", handler, |docs| {
        docs.id("optionTerms")
            .tag("payment types")
            .summary("Terms of an option")
    })
}

/// Query of `GET /payment-types/option/terms`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TermsQuery {
    /// From the fields of the payment type; required.
    pub payment_type_option_id: Option<String>,
}

/// `GET /payment-types/option/terms`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Terms {
    /// Terms with a tax in force today.
    pub terms: Vec<OptionTerm>,
}

/// How fast the service is done, and its price.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OptionTerm {
    /// Opaque.
    pub id: String,
    /// What a person reads: «5 робочих днів».
    pub period: String,
    /// Today's tax for one unit, without commission: the `amount` of the payment.
    pub tax: Hryvnias,
    /// Only recipients of this budget code are accepted for the term; null where any is.
    pub budget_code: Option<String>,
    /// Set where the tax is that of an earlier year.
    pub stale: Option<StaleFee>,
    /// The 1 January (`2027-01-01`) from which the tax is of an earlier year: set from 1 December while the next year's is missing.
    pub outdated_from: Option<String>,
    /// Set from 20 December where the next year's tax is loaded and differs: a payment with that `filing_year` takes it.
    pub next_year: Option<NextYearFee>,
}

async fn handler(
    State(state): State<ApiState>,
    _: SignedIn,
    Language(locale): Language,
    ValidQuery(query): ValidQuery<TermsQuery>,
) -> Result<Json<Terms>, Refusal> {
    let reference = state.services.reference.current()?;
    let today = kyiv_date(state.services.now());
    let id = required_id(
        query.payment_type_option_id,
        "payment_type_option_id",
        Key::PaymentTypeOptionRequired,
    )?;
    let option = OptionId::parse(&id)
        .and_then(|id| reference.option(&id))
        .ok_or_else(|| AppRefusal::not_found(Key::OptionNotForType).on("payment_type_option_id"))?;
    let terms = reference
        .terms(option.id(), today)
        .into_iter()
        .map(|in_force| OptionTerm {
            id: in_force.term.id().to_string(),
            period: in_force.term.period(locale).to_owned(),
            tax: in_force.tax.into(),
            budget_code: in_force
                .term
                .budget_code()
                .map(|code| code.as_str().to_owned()),
            stale: in_force.stale.map(Into::into),
            outdated_from: in_force.outdated_from.map(|day| day.to_string()),
            next_year: in_force.next_year.map(Into::into),
        })
        .collect();
    Ok(Json(Terms { terms }))
}
