//! `GET /payment-types/fields`: options and regions of a kind.

use axum::extract::State;
use cabinet_app::kernel::refusal::Refusal as AppRefusal;
use cabinet_domain::{Key, PaymentTypeId, kyiv_date};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{Language, SignedIn, ValidQuery};
use crate::http::fields::required_id;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{Hryvnias, NextYearFee, Region, StaleFee};

pub fn call() -> Call {
    Call::get("/payment-types/fields", handler, |docs| {
        docs.id("paymentTypeFields")
            .tag("payment types")
            .summary("Options and regions of a kind")
    })
}

/// Query of `GET /payment-types/fields`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FieldsQuery {
    /// From `GET /payment-types`; required.
    pub payment_type_id: Option<String>,
}

/// `GET /payment-types/fields`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PaymentTypeFields {
    /// Empty for payments to any requisites.
    pub options: Vec<PaymentTypeOption>,
    /// Empty for payments to any requisites.
    pub regions: Vec<Region>,
}

/// A service whose fee is paid.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PaymentTypeOption {
    /// Opaque.
    pub id: String,
    /// What a person reads.
    pub name: String,
    /// Holds the tariff of a register's service.
    pub additional_data: AdditionalData,
}

/// What only some options have.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AdditionalData {
    /// Today's tariff for one unit, without commission: the `amount` of the payment. Only for `registry_payment`.
    pub tariff: Option<Hryvnias>,
    /// Set where the tariff is that of an earlier year.
    pub stale: Option<StaleFee>,
    /// The 1 January (`2027-01-01`) from which the tariff is of an earlier year: set from 1 December while the next year's is missing.
    pub outdated_from: Option<String>,
    /// Set from 20 December where the next year's tariff is loaded and differs: a payment with that `filing_year` takes it.
    pub next_year: Option<NextYearFee>,
}

async fn handler(
    State(state): State<ApiState>,
    _: SignedIn,
    Language(locale): Language,
    ValidQuery(query): ValidQuery<FieldsQuery>,
) -> Result<Json<PaymentTypeFields>, Refusal> {
    let reference = state.services.reference.current()?;
    let today = kyiv_date(state.services.now());
    let id = required_id(
        query.payment_type_id,
        "payment_type_id",
        Key::PaymentTypeRequired,
    )?;
    let payment_type = PaymentTypeId::parse(&id)
        .and_then(|id| reference.payment_type(&id))
        .ok_or_else(|| AppRefusal::not_found(Key::PaymentTypeUnknown).on("payment_type_id"))?;
    if payment_type.kind().is_free_form() {
        return Ok(Json(PaymentTypeFields {
            options: Vec::new(),
            regions: Vec::new(),
        }));
    }
    let options = reference
        .options(payment_type.id(), today)
        .into_iter()
        .map(|option| {
            let fee = reference.option_fee(option.id(), today);
            PaymentTypeOption {
                id: option.id().to_string(),
                name: option.name(locale).to_owned(),
                additional_data: AdditionalData {
                    tariff: fee.map(|fee| fee.sum.into()),
                    stale: fee.and_then(|fee| fee.stale).map(Into::into),
                    outdated_from: fee
                        .and_then(|fee| fee.outdated_from)
                        .map(|day| day.to_string()),
                    next_year: fee.and_then(|fee| fee.next_year).map(Into::into),
                },
            }
        })
        .collect();
    let regions = reference
        .regions()
        .iter()
        .map(|region| Region {
            id: region.id().to_string(),
            name: region.name(locale).to_owned(),
        })
        .collect();
    Ok(Json(PaymentTypeFields { options, regions }))
}
