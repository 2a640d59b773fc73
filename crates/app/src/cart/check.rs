//! Checking a payment before it enters the cart (specification, points 5 and 9).
//!
//! Amounts, recipients and commissions of state fees come from the reference data and the tariff. What the request says of them
//! is only compared, so that nobody pays a sum that was not on the screen.

use cabinet_domain::{
    BudgetCode, FilingYear, Iban, Inn, Key, KnownStatus, Line, Okpo, PaymentTypeId, PersonName,
    Price, Purpose, TemplateId, price,
};
use cabinet_reference::{PaymentType, ReferenceData};
use jiff::Timestamp;

use super::own_codes::OwnCodes;
use super::request::PaymentRequest;
use super::rules::{Fee, Rules, given};
use crate::kernel::refusal::{Detail, FieldErrors, Refusal, RefusalKind, Result};

/// A payment that follows every rule.
pub(crate) struct CheckedPayment<'a> {
    /// The client's code.
    pub(crate) inn: Inn,
    /// The client's name.
    pub(crate) full_name: PersonName,
    /// The kind of payment.
    pub(crate) payment_type: &'a PaymentType,
    /// The fee. `None`: a payment to any requisites.
    pub(crate) fee: Option<Fee<'a>>,
    /// The notary's own account, or the recipient's.
    pub(crate) iban: Option<Iban>,
    /// The code of the account's owner.
    pub(crate) okpo: Option<Okpo>,
    /// The recipient of a payment to any requisites.
    pub(crate) recipient_name: Option<Line>,
    /// The purpose of the recipient's part.
    pub(crate) purpose: Purpose,
    /// The template it was filled from.
    pub(crate) template: Option<TemplateId>,
    /// The budget code.
    pub(crate) cbc_code: Option<BudgetCode>,
    /// The price of one unit.
    pub(crate) price: Price,
    /// The year of filing whose fee it takes, where that is not this one.
    pub(crate) filing_year: Option<FilingYear>,
}

/// Checks a payment. Fields that `errors` already names are not checked again.
///
/// # Errors
/// Every bad field at once, or `price_changed` with the right figures.
pub(crate) fn check<'a>(
    request: &PaymentRequest,
    mut errors: FieldErrors,
    reference: &'a ReferenceData,
    notary: &OwnCodes,
    now: Timestamp,
) -> Result<CheckedPayment<'a>, Refusal> {
    let inn = client_inn(request, &mut errors);
    let full_name = person_name(request, &mut errors);
    let payment_type = payment_type(request, &mut errors, reference, notary.status);
    let Some(payment_type) = payment_type else {
        errors.check()?;
        return Err(Refusal::field("payment_type_id", Key::PaymentTypeRequired));
    };
    let mut rules = Rules {
        request,
        errors,
        reference,
        now,
        kind: payment_type.kind(),
    };
    let parts = if payment_type.kind().is_free_form() {
        rules.free_form(inn.as_ref(), notary.inn.as_ref())
    } else {
        rules.fee(payment_type, inn.as_ref(), full_name.as_ref(), notary)
    };
    let errors = rules.errors;
    errors.check()?;
    let (Some(inn), Some(full_name), Some(parts)) = (inn, full_name, parts) else {
        // Unreachable while the rules above name every missing field.
        return Err(Refusal::new(RefusalKind::Invalid, Key::FieldRequired));
    };
    let right = price(
        payment_type.kind(),
        parts.amount,
        reference.tariffs().in_force(now),
    )
    .map_err(|error| Refusal::field("amount", error.key()))?;
    let shown_otherwise = request.amount.is_some_and(|amount| amount != right.amount)
        || request.sum.is_some_and(|sum| sum != right.sum);
    if shown_otherwise {
        return Err(Refusal::conflict(Key::PriceChanged)
            .on("amount")
            .with(Detail::Price(right)));
    }
    Ok(CheckedPayment {
        inn,
        full_name,
        payment_type,
        fee: parts.fee,
        iban: parts.iban,
        okpo: parts.okpo,
        recipient_name: parts.recipient_name,
        purpose: parts.purpose,
        template: parts.template,
        cbc_code: parts.cbc_code,
        price: right,
        filing_year: parts.filing_year,
    })
}

fn client_inn(request: &PaymentRequest, errors: &mut FieldErrors) -> Option<Inn> {
    if errors.has("client") || errors.has("client.inn") {
        return None;
    }
    let read = given(request.client_inn.as_ref())
        .ok_or(Key::ClientInnRequired)
        .and_then(Inn::parse);
    errors.take("client.inn", read)
}

fn person_name(request: &PaymentRequest, errors: &mut FieldErrors) -> Option<PersonName> {
    if errors.has("client") || errors.has("client.full_name") {
        return None;
    }
    errors.refuse_card("client.full_name", request.client_full_name.as_deref());
    if errors.has("client.full_name") {
        return None;
    }
    let read = PersonName::parse(request.client_full_name.as_deref().unwrap_or_default());
    let name = errors.take(
        "client.full_name",
        read.map_err(|error| error.key(Key::ClientFullNameRequired)),
    )?;
    Some(request.name_to_store(name))
}

fn payment_type<'a>(
    request: &PaymentRequest,
    errors: &mut FieldErrors,
    reference: &'a ReferenceData,
    status: KnownStatus,
) -> Option<&'a PaymentType> {
    if errors.has("payment_type_id") {
        return None;
    }
    let read = given(request.payment_type_id.as_ref())
        .ok_or(Key::PaymentTypeRequired)
        .and_then(|id| {
            PaymentTypeId::parse(id)
                .and_then(|id| reference.payment_type(&id))
                .ok_or(Key::PaymentTypeUnknown)
        })
        .and_then(|payment_type| {
            status.kind_rule(payment_type.kind())?;
            Ok(payment_type)
        });
    errors.take("payment_type_id", read)
}
