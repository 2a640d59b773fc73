//! `GET /payment-types/region/requisites`: recipients of a region.

use axum::extract::State;
use cabinet_app::kernel::refusal::Refusal as AppRefusal;
use cabinet_domain::{Key, PaymentTypeId, RegionId, TermId, kyiv_date};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::http::extract::{SignedIn, ValidQuery};
use crate::http::fields::required_id;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

pub fn call() -> Call {
    Call::get("/payment-types/region/requisites", handler, |docs| {
        docs.id("regionRequisites")
            .tag("payment types")
            .summary("Recipients of a region")
    })
}

/// Query of `GET /payment-types/region/requisites`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RequisitesQuery {
    /// From the fields of the payment type; required.
    pub payment_type_region_id: Option<String>,
    /// From `GET /payment-types`; required.
    pub payment_type_id: Option<String>,
    /// With it, only recipients of the term's budget code are answered.
    pub payment_type_option_term_id: Option<String>,
}

/// `GET /payment-types/region/requisites`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Requisites {
    /// Recipients valid today. Empty where a region has none.
    pub requisites: Vec<Requisite>,
}

/// A recipient.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Requisite {
    /// Opaque.
    pub id: String,
    /// As the payment names it.
    pub name: String,
    /// The account.
    pub iban: String,
    /// The code that belongs to the account.
    pub okpo: String,
    /// Budget code the account serves; null where it serves none.
    pub budget_code: Option<String>,
    /// An example that must not be paid to outside the sandbox.
    pub demonstration: bool,
    /// Set where nobody has confirmed since 1 January that the account is still the recipient's.
    pub unconfirmed: Option<UnconfirmedAccount>,
}

/// An account that may be of an earlier year.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UnconfirmedAccount {
    /// The day on which it was last confirmed: `2026-11-30`. Null: never.
    pub confirmed_on: Option<String>,
}

async fn handler(
    State(state): State<ApiState>,
    _: SignedIn,
    ValidQuery(query): ValidQuery<RequisitesQuery>,
) -> Result<Json<Requisites>, Refusal> {
    let reference = state.services.reference.current()?;
    let today = kyiv_date(state.services.now());
    let region = required_id(
        query.payment_type_region_id,
        "payment_type_region_id",
        Key::PaymentTypeRegionRequired,
    )?;
    let region = RegionId::parse(&region)
        .and_then(|id| reference.region(&id))
        .ok_or_else(|| AppRefusal::not_found(Key::RegionUnknown).on("payment_type_region_id"))?;
    let payment_type = required_id(
        query.payment_type_id,
        "payment_type_id",
        Key::PaymentTypeRequired,
    )?;
    let payment_type = PaymentTypeId::parse(&payment_type)
        .and_then(|id| reference.payment_type(&id))
        .ok_or_else(|| AppRefusal::not_found(Key::PaymentTypeUnknown).on("payment_type_id"))?;
    let term = match query
        .payment_type_option_term_id
        .filter(|id| !id.is_empty())
    {
        None => None,
        Some(id) => Some(
            TermId::parse(&id)
                .and_then(|id| reference.term(&id))
                .ok_or_else(|| {
                    AppRefusal::not_found(Key::TermNotForOption).on("payment_type_option_term_id")
                })?,
        ),
    };
    let requisites = reference
        .requisites(
            region.id(),
            payment_type.id(),
            term.and_then(|term| term.budget_code()),
            today,
        )
        .into_iter()
        .map(|requisite| Requisite {
            id: requisite.id().to_string(),
            name: requisite.name().to_owned(),
            iban: requisite.iban().as_str().to_owned(),
            okpo: requisite.okpo().as_str().to_owned(),
            budget_code: requisite
                .budget_codes()
                .first()
                .map(|code| code.as_str().to_owned()),
            demonstration: requisite.is_demonstration(),
            unconfirmed: (reference.tells_confirmations() && requisite.is_unconfirmed_on(today))
                .then(|| UnconfirmedAccount {
                    confirmed_on: requisite.confirmed_on().map(|day| day.to_string()),
                }),
        })
        .collect();
    Ok(Json(Requisites { requisites }))
}
