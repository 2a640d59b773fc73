//! `GET /payment-types…`: what can be paid, to whom and for how much. All of it is answered from memory.

use axum::extract::State;
use cabinet_app::refusal::{Refusal as AppRefusal, Sort};
use cabinet_domain::{Key, PaymentKind, kyiv_date};
use cabinet_domain::{OptionId, PaymentTypeId, RegionId, TermId};

use crate::extract::{Language, SignedIn, ValidQuery};
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire;

/// The four kinds.
pub async fn list(
    State(state): State<ApiState>,
    _: SignedIn,
) -> Result<Json<wire::PaymentTypes>, Refusal> {
    let reference = state.app.reference()?;
    let payment_types = reference
        .payment_types()
        .iter()
        .map(|payment_type| wire::PaymentType {
            id: payment_type.id().to_string(),
            slug: payment_type.kind().into(),
        })
        .collect();
    Ok(Json(wire::PaymentTypes { payment_types }))
}

/// Options and regions of a kind.
pub async fn fields(
    State(state): State<ApiState>,
    _: SignedIn,
    Language(locale): Language,
    ValidQuery(query): ValidQuery<wire::FieldsQuery>,
) -> Result<Json<wire::PaymentTypeFields>, Refusal> {
    let reference = state.app.reference()?;
    let today = kyiv_date(state.app.now());
    let id = named(
        query.payment_type_id,
        "payment_type_id",
        Key::PaymentTypeRequired,
    )?;
    let payment_type = PaymentTypeId::parse(&id)
        .and_then(|id| reference.payment_type(&id))
        .ok_or_else(|| AppRefusal::not_found(Key::PaymentTypeUnknown).on("payment_type_id"))?;
    if payment_type.kind().is_free_form() {
        return Ok(Json(wire::PaymentTypeFields {
            options: Vec::new(),
            regions: Vec::new(),
        }));
    }
    let options = reference
        .options(payment_type.id(), today)
        .into_iter()
        .map(|option| wire::PaymentTypeOption {
            id: option.id().to_string(),
            name: option.name(locale).to_owned(),
            additional_data: wire::AdditionalData {
                tariff: reference.option_tariff(option.id(), today).map(Into::into),
            },
        })
        .collect();
    let regions = reference
        .regions()
        .iter()
        .map(|region| region_on_wire(region.id(), region.name(locale)))
        .collect();
    Ok(Json(wire::PaymentTypeFields { options, regions }))
}

fn region_on_wire(id: &RegionId, name: &str) -> wire::Region {
    wire::Region {
        id: id.to_string(),
        name: name.to_owned(),
    }
}

/// Recipients of a region, valid today.
pub async fn requisites(
    State(state): State<ApiState>,
    _: SignedIn,
    ValidQuery(query): ValidQuery<wire::RequisitesQuery>,
) -> Result<Json<wire::Requisites>, Refusal> {
    let reference = state.app.reference()?;
    let today = kyiv_date(state.app.now());
    let region = named(
        query.payment_type_region_id,
        "payment_type_region_id",
        Key::PaymentTypeRegionRequired,
    )?;
    let region = RegionId::parse(&region)
        .and_then(|id| reference.region(&id))
        .ok_or_else(|| AppRefusal::not_found(Key::RegionUnknown).on("payment_type_region_id"))?;
    let payment_type = named(
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
        .map(|requisite| wire::Requisite {
            id: requisite.id().to_string(),
            name: requisite.name().to_owned(),
            iban: requisite.iban().as_str().to_owned(),
            okpo: requisite.okpo().as_str().to_owned(),
            budget_code: requisite
                .budget_codes()
                .first()
                .map(|code| code.as_str().to_owned()),
            demonstration: requisite.is_demonstration(),
        })
        .collect();
    Ok(Json(wire::Requisites { requisites }))
}

/// Terms of an option with a tax in force today.
pub async fn terms(
    State(state): State<ApiState>,
    _: SignedIn,
    Language(locale): Language,
    ValidQuery(query): ValidQuery<wire::TermsQuery>,
) -> Result<Json<wire::Terms>, Refusal> {
    let reference = state.app.reference()?;
    let today = kyiv_date(state.app.now());
    let id = named(
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
        .map(|in_force| wire::OptionTerm {
            id: in_force.term.id().to_string(),
            period: in_force.term.period(locale).to_owned(),
            tax: in_force.tax.into(),
            budget_code: in_force
                .term
                .budget_code()
                .map(|code| code.as_str().to_owned()),
        })
        .collect();
    Ok(Json(wire::Terms { terms }))
}

/// Ready requisites, valid today.
pub async fn templates(
    State(state): State<ApiState>,
    _: SignedIn,
    Language(locale): Language,
) -> Result<Json<wire::RequisitesTemplates>, Refusal> {
    let reference = state.app.reference()?;
    let requisites_templates = reference
        .templates(kyiv_date(state.app.now()))
        .into_iter()
        .map(|template| wire::RequisitesTemplate {
            id: template.id().to_string(),
            title: template.title(locale).to_owned(),
            amount: template.amount().map(Into::into),
            recipient_name: template.recipient_name().to_owned(),
            recipient_iban: template.iban().as_str().to_owned(),
            recipient_code: template.okpo().as_str().to_owned(),
            comment: template.comment().to_owned(),
            cbc_code: template.budget_code().map(|code| code.as_str().to_owned()),
        })
        .collect();
    Ok(Json(wire::RequisitesTemplates {
        requisites_templates,
    }))
}

fn named(id: Option<String>, field: &'static str, missing: Key) -> Result<String, AppRefusal> {
    id.filter(|id| !id.trim().is_empty())
        .ok_or_else(|| AppRefusal::new(Sort::Invalid, missing).on(field))
}

impl From<PaymentKind> for wire::PaymentTypeSlug {
    fn from(kind: PaymentKind) -> wire::PaymentTypeSlug {
        match kind {
            PaymentKind::AdminPayment => wire::PaymentTypeSlug::Admin,
            PaymentKind::AdminGovernmentPayment => wire::PaymentTypeSlug::AdminGovernment,
            PaymentKind::RegistryPayment => wire::PaymentTypeSlug::Registry,
            PaymentKind::RequisitesPayment => wire::PaymentTypeSlug::Requisites,
        }
    }
}
