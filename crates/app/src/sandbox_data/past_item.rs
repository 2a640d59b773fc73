//! Items of past orders, made by the rules of the cart.

use cabinet_domain::{
    Count, Inn, ItemContent, KnownStatus, Money, PaymentKind, PersonName, kyiv_date,
};
use cabinet_reference::ReferenceData;
use jiff::Timestamp;
use jiff::civil::Date;

use super::SandboxData;
use super::people::{OWN_IBAN, SandboxNotary};
use crate::cart::{OwnCodes, PaymentRequest, check, content_of};
use crate::kernel::refusal::{AppError, FieldErrors, Result};

impl SandboxData {
    /// Returns the client and the content of an item as it could have been made at that time.
    pub(super) fn past_item(
        &self,
        notary: &SandboxNotary,
        kind: PaymentKind,
        at: Timestamp,
        (inn, full_name): (&str, &str),
    ) -> Result<(Inn, PersonName, ItemContent)> {
        let reference = self.reference.current()?;
        let day = kyiv_date(at);
        let request = if kind.is_free_form() {
            free_form(&reference, day, full_name, inn)
        } else {
            fee(&reference, kind, day, notary)
        };
        let request = PaymentRequest {
            client_inn: Some(inn.to_owned()),
            client_full_name: Some(full_name.to_owned()),
            payment_type_id: reference
                .payment_type_of(kind)
                .map(|kind| kind.id().to_string()),
            ..request.ok_or_else(|| {
                AppError::Broken(
                    "the reference data has nothing for a payment of the sandbox".to_owned(),
                )
            })?
        };
        let nobody = OwnCodes {
            inn: None,
            okpo: None,
            iban: None,
            name: None,
            status: KnownStatus::UNTOLD,
        };
        let checked = check(&request, FieldErrors::new(), &reference, &nobody, at)?;
        let content = content_of(&checked, Count::ONE);
        Ok((checked.inn, checked.full_name, content))
    }
}

/// Returns a payment by the first template.
fn free_form(
    reference: &ReferenceData,
    day: Date,
    full_name: &str,
    inn: &str,
) -> Option<PaymentRequest> {
    let templates = reference.templates(day);
    let template = templates.first()?;
    let amount = match template.amount() {
        Some(amount) => amount,
        None => Money::from_hryvnias(850).ok()?,
    };
    Some(PaymentRequest {
        amount: Some(amount),
        iban: Some(template.iban().as_str().to_owned()),
        okpo: Some(template.okpo().as_str().to_owned()),
        recipient_name: Some(template.recipient_name().to_owned()),
        purpose: Some(template.purpose_for(full_name, inn)),
        cbc_code: template.budget_code().map(|code| code.as_str().to_owned()),
        template_id: Some(template.id().to_string()),
        ..PaymentRequest::default()
    })
}

/// Returns a payment for the first service of a kind.
fn fee(
    reference: &ReferenceData,
    kind: PaymentKind,
    day: Date,
    notary: &SandboxNotary,
) -> Option<PaymentRequest> {
    let payment_type = reference.payment_type_of(kind)?;
    let options = reference.options(payment_type.id(), day);
    let option = options.first()?;
    let terms = reference.terms(option.id(), day);
    let term = terms.first().map(|in_force| in_force.term);
    let code = term.and_then(|term| term.budget_code());
    let (region, requisite) = reference.regions().iter().find_map(|region| {
        let requisites = reference.requisites(region.id(), payment_type.id(), code, day);
        requisites
            .first()
            .map(|requisite| (region, requisite.id().to_string()))
    })?;
    Some(PaymentRequest {
        option_id: Some(option.id().to_string()),
        term_id: term.map(|term| term.id().to_string()),
        region_id: Some(region.id().to_string()),
        requisite_id: Some(requisite),
        iban: Some(OWN_IBAN.to_owned()),
        okpo: Some(notary.inn.to_owned()),
        ..PaymentRequest::default()
    })
}
