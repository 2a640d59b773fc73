//! Every rule of a payment, before it may stand in the cart (specification, points 5 and 9, as the readings have them).
//!
//! Amounts, recipients and commissions of state fees come from the reference data and the tariff; what the request says of
//! them is only compared, so that nobody pays a sum that was not on the screen.

use cabinet_domain::{
    BudgetCode, Iban, Inn, Key, Line, Locale, Money, MoneyError, Okpo, PaymentKind, PersonName,
    Price, Purpose, kyiv_date, price,
};
use cabinet_domain::{OptionId, RegionId, RequisiteId, TermId};
use cabinet_domain::{PaymentTypeId, TemplateId};
use cabinet_reference::{
    PaymentOption, PaymentType, ReferenceData, Region, Requisite, Term, requisite_serves_term,
};
use jiff::Timestamp;

use super::purpose_text;
use crate::refusal::{Detail, FieldErrors, Refusal, Sort};

/// Longest name of a recipient, in characters: what the banks' system carries (SEP-4.0).
pub const RECIPIENT_NAME_CHARS_MAX: usize = 140;

/// A payment as it was asked for: nothing of it is trusted.
#[derive(Default)]
pub struct PaymentWish {
    /// The client's code.
    pub client_inn: Option<String>,
    /// The client's name.
    pub client_full_name: Option<String>,
    /// Kind.
    pub payment_type_id: Option<String>,
    /// Region of the recipient.
    pub region_id: Option<String>,
    /// Service.
    pub option_id: Option<String>,
    /// Recipient.
    pub requisite_id: Option<String>,
    /// Term of the service.
    pub term_id: Option<String>,
    /// What the recipient gets, as the screen showed it.
    pub amount: Option<Money>,
    /// Amount and commission, as the screen showed it.
    pub sum: Option<Money>,
    /// The notary's own account, or the recipient's.
    pub iban: Option<String>,
    /// The code that belongs to it.
    pub okpo: Option<String>,
    /// Recipient of a payment to any requisites.
    pub recipient_name: Option<String>,
    /// Purpose of a payment to any requisites.
    pub purpose: Option<String>,
    /// Template it was filled from.
    pub template_id: Option<String>,
    /// Budget code of a payment to any requisites.
    pub cbc_code: Option<String>,
}

/// What stands behind a payment of a state or registry fee.
pub struct Fee<'a> {
    /// The service.
    pub option: &'a PaymentOption,
    /// How fast; none for registry fees.
    pub term: Option<&'a Term>,
    /// Where.
    pub region: &'a Region,
    /// To whom.
    pub requisite: &'a Requisite,
}

/// A payment that keeps every rule.
pub struct CheckedPayment<'a> {
    /// The client's code.
    pub inn: Inn,
    /// The client's name.
    pub full_name: PersonName,
    /// Kind.
    pub payment_type: &'a PaymentType,
    /// What is paid for; none for a payment to any requisites.
    pub fee: Option<Fee<'a>>,
    /// The notary's own account, or the recipient's.
    pub iban: Option<Iban>,
    /// The code that belongs to it.
    pub okpo: Option<Okpo>,
    /// Recipient of a payment to any requisites.
    pub recipient_name: Option<Line>,
    /// Purpose of the recipient's part.
    pub purpose: Purpose,
    /// Template it was filled from.
    pub template: Option<TemplateId>,
    /// Budget code.
    pub cbc_code: Option<BudgetCode>,
    /// Of one unit.
    pub price: Price,
}

/// Checks a payment. `errors` may already name fields whose type was wrong; they are not judged again.
///
/// # Errors
/// Every bad field at once, or `price_changed` with the right figures.
pub fn check<'a>(
    wish: &PaymentWish,
    mut errors: FieldErrors,
    reference: &'a ReferenceData,
    notary_inn: Option<&Inn>,
    now: Timestamp,
) -> Result<CheckedPayment<'a>, Refusal> {
    let inn = client_inn(wish, &mut errors);
    let full_name = person_name(wish, &mut errors);
    let payment_type = payment_type(wish, &mut errors, reference);
    let Some(payment_type) = payment_type else {
        errors.check()?;
        return Err(Refusal::field("payment_type_id", Key::PaymentTypeRequired));
    };
    let mut rules = Rules {
        wish,
        errors,
        reference,
        now,
        kind: payment_type.kind(),
    };
    let parts = if payment_type.kind().is_free_form() {
        rules.free_form(inn.as_ref(), notary_inn)
    } else {
        rules.fee(payment_type, inn.as_ref(), full_name.as_ref())
    };
    let errors = rules.errors;
    errors.check()?;
    let (Some(inn), Some(full_name), Some(parts)) = (inn, full_name, parts) else {
        // Whatever is missing was named above; this is the last line of defence.
        return Err(Refusal::new(Sort::Invalid, Key::FieldRequired));
    };
    let right = price(
        payment_type.kind(),
        parts.amount,
        reference.tariffs().in_force(now),
    )
    .map_err(|error| Refusal::field("amount", error.key()))?;
    let shown_otherwise = wish.amount.is_some_and(|amount| amount != right.amount)
        || wish.sum.is_some_and(|sum| sum != right.sum);
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
    })
}

/// Text that has something besides white space.
fn given(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str)
        .filter(|text| !text.trim().is_empty())
}

fn client_inn(wish: &PaymentWish, errors: &mut FieldErrors) -> Option<Inn> {
    if errors.has("client") || errors.has("client.inn") {
        return None;
    }
    let read = given(wish.client_inn.as_ref())
        .ok_or(Key::ClientInnRequired)
        .and_then(Inn::parse);
    errors.take("client.inn", read)
}

fn person_name(wish: &PaymentWish, errors: &mut FieldErrors) -> Option<PersonName> {
    if errors.has("client") || errors.has("client.full_name") {
        return None;
    }
    errors.refuse_card("client.full_name", wish.client_full_name.as_deref());
    if errors.has("client.full_name") {
        return None;
    }
    let read = PersonName::parse(wish.client_full_name.as_deref().unwrap_or_default());
    errors.take(
        "client.full_name",
        read.map_err(|error| error.key(Key::ClientFullNameRequired)),
    )
}

fn payment_type<'a>(
    wish: &PaymentWish,
    errors: &mut FieldErrors,
    reference: &'a ReferenceData,
) -> Option<&'a PaymentType> {
    if errors.has("payment_type_id") {
        return None;
    }
    let read = given(wish.payment_type_id.as_ref())
        .ok_or(Key::PaymentTypeRequired)
        .and_then(|id| {
            PaymentTypeId::parse(id)
                .and_then(|id| reference.payment_type(&id))
                .ok_or(Key::PaymentTypeUnknown)
        });
    errors.take("payment_type_id", read)
}

/// What the rules of a kind leave.
struct Parts<'a> {
    amount: Money,
    fee: Option<Fee<'a>>,
    iban: Option<Iban>,
    okpo: Option<Okpo>,
    recipient_name: Option<Line>,
    purpose: Purpose,
    template: Option<TemplateId>,
    cbc_code: Option<BudgetCode>,
}

struct Rules<'w, 'a> {
    wish: &'w PaymentWish,
    errors: FieldErrors,
    reference: &'a ReferenceData,
    now: Timestamp,
    kind: PaymentKind,
}

impl<'a> Rules<'_, 'a> {
    /// The value of a field, or its key noted; a field whose type was wrong is passed over.
    fn take<T>(&mut self, field: &'static str, read: Result<T, Key>) -> Option<T> {
        if self.errors.has(field) {
            None
        } else {
            self.errors.take(field, read)
        }
    }

    fn iban(&mut self) -> Option<Iban> {
        let own = self.kind.needs_own_account();
        let read = given(self.wish.iban.as_ref())
            .ok_or(Key::IbanRequired)
            .and_then(Iban::parse);
        self.take(
            "iban",
            read.map_err(|key| if own { key.about_own_account() } else { key }),
        )
    }

    fn okpo(&mut self) -> Option<Okpo> {
        let own = self.kind.needs_own_account();
        let read = given(self.wish.okpo.as_ref())
            .ok_or(Key::OkpoRequired)
            .and_then(Okpo::parse);
        self.take(
            "okpo",
            read.map_err(|key| if own { key.about_own_account() } else { key }),
        )
    }

    fn free_form(&mut self, inn: Option<&Inn>, notary_inn: Option<&Inn>) -> Option<Parts<'a>> {
        let wish = self.wish;
        let iban = self.iban();
        let okpo = self.okpo();
        self.errors
            .refuse_card("recipient_name", wish.recipient_name.as_deref());
        self.errors.refuse_card("purpose", wish.purpose.as_deref());
        let name = Line::parse(
            wish.recipient_name.as_deref().unwrap_or_default(),
            RECIPIENT_NAME_CHARS_MAX,
        );
        let recipient_name = self.take(
            "recipient_name",
            name.map_err(|error| error.key(Key::RecipientNameRequired)),
        );
        let text = wish.purpose.as_deref().unwrap_or_default();
        let purpose = match (&iban, inn) {
            (Some(iban), Some(inn)) => {
                self.take("purpose", Purpose::for_payment(text, iban, inn, notary_inn))
            }
            // Without the account or the client only the text itself can be judged.
            _ => self.take("purpose", Purpose::parse(text)),
        };
        let needs_code = iban.as_ref().is_some_and(Iban::fifth_is_8);
        let cbc_code = match given(wish.cbc_code.as_ref()) {
            Some(code) => self.take("cbc_code", BudgetCode::parse(code)),
            None if needs_code => self.take("cbc_code", Err(Key::CbcLength)),
            None => None,
        };
        let template = match given(wish.template_id.as_ref()) {
            None => None,
            Some(id) => {
                let known =
                    TemplateId::parse(id).filter(|id| self.reference.template(id).is_some());
                self.take("requisites_template", known.ok_or(Key::TemplateUnknown))
            }
        };
        let amount = self.take("amount", wish.amount.ok_or(Key::AmountRequired));
        if amount.is_some_and(Money::is_zero) {
            self.errors.add("amount", MoneyError::Zero.key());
        }
        Some(Parts {
            amount: amount?,
            fee: None,
            iban: Some(iban?),
            okpo: Some(okpo?),
            recipient_name: Some(recipient_name?),
            purpose: purpose?,
            template,
            cbc_code,
        })
    }

    fn fee(
        &mut self,
        payment_type: &PaymentType,
        inn: Option<&Inn>,
        full_name: Option<&PersonName>,
    ) -> Option<Parts<'a>> {
        let (wish, reference, today) = (self.wish, self.reference, kyiv_date(self.now));
        let option = given(wish.option_id.as_ref())
            .ok_or(Key::PaymentTypeOptionRequired)
            .and_then(|id| {
                OptionId::parse(id)
                    .and_then(|id| reference.option(&id))
                    .filter(|option| option.is_of(payment_type.id()))
                    .ok_or(Key::OptionNotForType)
            });
        let option = self.take("payment_type_option_id", option);
        let term = if self.kind.needs_term() {
            self.term(option)
        } else {
            None
        };
        let region = given(wish.region_id.as_ref())
            .ok_or(Key::PaymentTypeRegionRequired)
            .and_then(|id| {
                RegionId::parse(id)
                    .and_then(|id| reference.region(&id))
                    .ok_or(Key::RegionUnknown)
            });
        let region = self.take("payment_type_region_id", region);
        let requisite = self.requisite(payment_type, region, term);

        let (iban, okpo) = if self.kind.needs_own_account() {
            (self.iban(), self.okpo())
        } else {
            (None, None)
        };
        if let (Some(iban), Some(okpo)) = (&iban, &okpo) {
            let balance = iban.balance_code_rule(okpo);
            self.take("iban", balance);
        }
        if self.kind.needs_own_account() && (iban.is_none() || okpo.is_none()) {
            return None;
        }
        if self.kind.needs_term() && term.is_none() {
            return None;
        }
        let (option, region, requisite) = (option?, region?, requisite?);
        let amount = match term {
            Some(term) => reference.term_tax(term.id(), today),
            None => reference.option_tariff(option.id(), today),
        };
        let field = if term.is_some() {
            "payment_type_option_term_id"
        } else {
            "payment_type_option_id"
        };
        let amount = self.take(field, amount.ok_or(Key::FeeNotInForce))?;

        let (inn, full_name) = (inn?, full_name?);
        let service = match term {
            Some(term) => format!("{}, {}", option.name(Locale::Uk), term.period(Locale::Uk)),
            None => option.name(Locale::Uk).to_owned(),
        };
        let lead = if self.kind.needs_term() {
            "Адмінзбір"
        } else {
            "Плата за користування реєстром"
        };
        let text = purpose_text::of_fee(
            requisite.iban().is_treasury(),
            lead,
            &service,
            (full_name, inn),
        );
        let purpose = self.take("payment_type_requisite_id", Purpose::parse(&text))?;
        let cbc_code = term
            .and_then(Term::budget_code)
            .or(option.budget_code())
            .cloned();
        Some(Parts {
            amount,
            fee: Some(Fee {
                option,
                term,
                region,
                requisite,
            }),
            iban,
            okpo,
            recipient_name: None,
            purpose,
            template: None,
            cbc_code,
        })
    }

    fn term(&mut self, option: Option<&'a PaymentOption>) -> Option<&'a Term> {
        let reference = self.reference;
        let read = given(self.wish.term_id.as_ref())
            .ok_or(Key::PaymentTypeOptionTermRequired)
            .and_then(|id| {
                TermId::parse(id)
                    .and_then(|id| reference.term(&id))
                    .filter(|term| option.is_none_or(|option| term.option() == option.id()))
                    .ok_or(Key::TermNotForOption)
            });
        self.take("payment_type_option_term_id", read)
    }

    fn requisite(
        &mut self,
        payment_type: &PaymentType,
        region: Option<&'a Region>,
        term: Option<&'a Term>,
    ) -> Option<&'a Requisite> {
        let (reference, today) = (self.reference, kyiv_date(self.now));
        let read = given(self.wish.requisite_id.as_ref())
            .ok_or(Key::PaymentTypeRequisiteRequired)
            .and_then(|id| {
                let requisite = RequisiteId::parse(id)
                    .and_then(|id| reference.requisite(&id))
                    .ok_or(Key::RequisiteNotForRegion)?;
                if !requisite.is_of(payment_type.id())
                    || region.is_some_and(|region| !requisite.is_in(region))
                {
                    return Err(Key::RequisiteNotForRegion);
                }
                if !requisite.is_valid_on(today) {
                    return Err(Key::RequisiteExpired);
                }
                if term.is_some_and(|term| !requisite_serves_term(requisite, term)) {
                    return Err(Key::RequisiteNotForTerm);
                }
                Ok(requisite)
            });
        self.take("payment_type_requisite_id", read)
    }
}
