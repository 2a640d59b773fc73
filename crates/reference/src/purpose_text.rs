//! Purposes of payments whose recipients come from the reference data.
//!
//! Banks and the Treasury read them, so they are always in Ukrainian. Nothing of them is ever cut. Where one would be longer than the
//! bank's form, the payer's name is left out, which travels beside the purpose as that of the actual payer; the code stays. If that
//! is not enough, the short name of the service takes the place of the words for it.

use cabinet_domain::{Inn, Locale, PaymentKind, Percent, PersonName, Purpose};

use crate::model::{PaymentOption, Term};

/// The payment code of the Treasury's form (in force since 01.12.2023, MinFin order 148 of 22.03.2023).
const PAYMENT_CODE: &str = "101 ";
const FEE: &str = "Адміністративний збір";
const FEE_SHORT: &str = "Адмінзбір";
const OF_FEE: &str = "адміністративного збору";
const REGISTRY_USE: &str = "Плата за користування";
/// A code of the longest form.
const LONGEST_CODE: &str = "0000000000";

/// Returns the purpose of the recipient's part: `101 Адміністративний збір за послугу, строк; платник ПІБ, код` for a Treasury
/// account, the same without the payment code for any other. It is never longer than [`Purpose::CHARS_MAX`]: loading refuses an
/// option for which that can't be.
#[must_use]
pub fn purpose_of_fee(
    to_treasury: bool,
    kind: PaymentKind,
    (option, term): (&PaymentOption, Option<&Term>),
    (name, inn): (&PersonName, &Inn),
) -> String {
    let mut services = services(to_treasury, kind, option, term).into_iter();
    let long = services.next().unwrap_or_default();
    whole(
        &long,
        services.next().as_deref(),
        name.as_str(),
        inn.as_str(),
    )
}

/// Returns the purpose of the notary's own share: the recipient's with another beginning. A purpose of an older version may have
/// another form or be shortened; then the service is called by its name and term.
#[must_use]
pub fn purpose_of_notary_part(
    recipient_purpose: &str,
    (service_name, period): (&str, Option<&str>),
    (name, inn): (&PersonName, &Inn),
) -> String {
    let purpose = recipient_purpose
        .strip_prefix(PAYMENT_CODE)
        .unwrap_or(recipient_purpose);
    let (name, inn) = (name.as_str(), inn.as_str());
    let service = [FEE, FEE_SHORT]
        .into_iter()
        .find_map(|fee| purpose.strip_prefix(fee))
        .and_then(|rest| {
            rest.strip_suffix(&payer(Some(name), inn))
                .or_else(|| rest.strip_suffix(&payer(None, inn)))
        })
        .filter(|service| !service.contains('…'));
    let head = format!("{} % {OF_FEE}", Percent::NOTARY_SHARE.get());
    let named = format!("{head}: {service_name}{}", after_comma(period));
    match service {
        Some(service) => whole(&format!("{head}{service}"), Some(&named), name, inn),
        None => whole(&named, None, name, inn),
    }
}

/// Returns a generated purpose without the payer's name, which is optional; the code stays. `None` if the purpose does not name the
/// payer as generated purposes do.
#[must_use]
pub fn purpose_without_name(purpose: &str, (name, inn): (&PersonName, &Inn)) -> Option<String> {
    let rest = purpose.strip_suffix(&payer(Some(name.as_str()), inn.as_str()))?;
    Some(format!("{rest}{}", payer(None, inn.as_str())))
}

/// Returns whether the purposes of an option and a term are whole, whoever pays.
pub(crate) fn purpose_fits(kind: PaymentKind, option: &PaymentOption, term: Option<&Term>) -> bool {
    services(true, kind, option, term)
        .iter()
        .any(|service| fits(&format!("{service}{}", payer(None, LONGEST_CODE))))
}

/// Returns what a purpose says before the payer, and the same with the short name of the service where both differ.
fn services(
    to_treasury: bool,
    kind: PaymentKind,
    option: &PaymentOption,
    term: Option<&Term>,
) -> Vec<String> {
    let code = if to_treasury { PAYMENT_CODE } else { "" };
    let period = after_comma(term.map(|term| term.period(Locale::Uk)));
    let named = |name: &str| {
        if kind.needs_term() {
            format!("{code}{FEE_SHORT}: {name}{period}")
        } else {
            format!("{code}{REGISTRY_USE} реєстром: {name}{period}")
        }
    };
    let lead = if kind.needs_term() { FEE } else { REGISTRY_USE };
    match (option.purpose(), option.short_name()) {
        (Some(words), short) => {
            let mut services = vec![format!("{code}{lead} {words}{period}")];
            services.extend(short.map(named));
            services
        }
        (None, Some(short)) => vec![named(short)],
        (None, None) => vec![named(option.name(Locale::Uk))],
    }
}

fn after_comma(period: Option<&str>) -> String {
    period.map_or_else(String::new, |period| format!(", {period}"))
}

fn payer(name: Option<&str>, code: &str) -> String {
    match name {
        Some(name) => format!("; платник {name}, {code}"),
        None => format!("; платник {code}"),
    }
}

fn fits(purpose: &str) -> bool {
    purpose.chars().count() <= Purpose::CHARS_MAX
}

/// Returns the first purpose that fits: with the payer's name or else without it, for the long words or else for the short ones.
fn whole(long: &str, short: Option<&str>, name: &str, code: &str) -> String {
    let tails = [payer(Some(name), code), payer(None, code)];
    let mut shortest = String::new();
    for service in [Some(long), short].into_iter().flatten() {
        for tail in &tails {
            shortest = format!("{service}{tail}");
            if fits(&shortest) {
                return shortest;
            }
        }
    }
    shortest
}
