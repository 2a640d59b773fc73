//! Purposes of payments whose recipients come from the reference data.
//!
//! Banks and the Treasury read them, so they are always in Ukrainian. They are never longer than a purpose may be: the words about
//! the service are shortened, the client's name and code are not.

use cabinet_domain::{Inn, Locale, PaymentKind, Percent, PersonName, Purpose};
use cabinet_reference::{PaymentOption, Term};

/// The payment code of the Treasury's form (in force since 01.12.2023, MinFin order 148 of 22.03.2023).
const PAYMENT_CODE: &str = "101 ";
const FEE: &str = "Адміністративний збір";
const FEE_SHORT: &str = "Адмінзбір";
const OF_FEE: &str = "адміністративного збору";
const REGISTRY_USE: &str = "Плата за користування";

/// Returns the purpose of the recipient's part: `101 Адміністративний збір за послугу, строк; платник ПІБ, код` for a Treasury
/// account, the same without the payment code for any other.
pub(crate) fn of_fee(
    to_treasury: bool,
    kind: PaymentKind,
    (option, term): (&PaymentOption, Option<&Term>),
    payer: (&PersonName, &Inn),
) -> String {
    let code = if to_treasury { PAYMENT_CODE } else { "" };
    let lead = match (kind.needs_term(), option.purpose()) {
        (true, Some(_)) => FEE,
        // The name alone is longer than words for a purpose, so the short form leaves more room for it.
        (true, None) => FEE_SHORT,
        (false, _) => REGISTRY_USE,
    };
    let name = option.name(Locale::Uk);
    let mut service = match option.purpose() {
        Some(words) => format!(" {words}"),
        None if kind.needs_term() => format!(": {name}"),
        None => format!(" реєстром: {name}"),
    };
    if let Some(term) = term {
        service.push_str(", ");
        service.push_str(term.period(Locale::Uk));
    }
    fit(&format!("{code}{lead}"), &service, payer)
}

/// Returns the purpose of the notary's own share: the recipient's with another beginning. An older or a shortened purpose may have
/// another form; then the service is called by its name.
pub(crate) fn of_notary_part(
    recipient_purpose: &str,
    service_name: &str,
    payer: (&PersonName, &Inn),
) -> String {
    let purpose = recipient_purpose
        .strip_prefix(PAYMENT_CODE)
        .unwrap_or(recipient_purpose);
    let service = purpose
        .strip_prefix(FEE)
        .and_then(|rest| rest.strip_suffix(&tail(payer)));
    let head = format!("{} % {OF_FEE}", Percent::NOTARY_SHARE.get());
    match service {
        Some(service) => fit(&head, service, payer),
        None => fit(&head, &format!(": {service_name}"), payer),
    }
}

fn tail((name, inn): (&PersonName, &Inn)) -> String {
    format!("; платник {}, {}", name.as_str(), inn.as_str())
}

fn fit(head: &str, service: &str, payer: (&PersonName, &Inn)) -> String {
    let tail = tail(payer);
    let spent = head.chars().count() + tail.chars().count();
    let room = Purpose::CHARS_MAX.saturating_sub(spent);
    if service.chars().count() <= room {
        return format!("{head}{service}{tail}");
    }
    if room > 1 {
        let short: String = service.chars().take(room - 1).collect();
        return format!("{head}{}…{tail}", short.trim_end());
    }
    // A name so long that nothing of the service fits: the code alone identifies the payer.
    let code = format!("; платник {}", payer.1.as_str());
    let room = Purpose::CHARS_MAX.saturating_sub(head.chars().count() + code.chars().count());
    format!(
        "{head}{}{code}",
        service.chars().take(room).collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use cabinet_domain::{OptionId, TermId};
    use cabinet_reference::{ReferenceData, parse};
    use proptest::prelude::*;

    use super::*;

    fn payer(name: &str) -> (PersonName, Inn) {
        (
            PersonName::parse(name).unwrap(),
            Inn::parse("3068208400").unwrap(),
        )
    }

    /// The starter set of the repository.
    fn starter() -> ReferenceData {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference-data");
        let files: BTreeMap<String, String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                (name, std::fs::read_to_string(&path).unwrap())
            })
            .collect();
        parse(&files).unwrap()
    }

    #[test]
    fn a_fee_to_the_treasury_has_the_form_in_force() {
        let data = starter();
        let option = data.option(&OptionId::parse("ownership").unwrap()).unwrap();
        let term = data.term(&TermId::parse("ownership-5wd").unwrap());
        let (name, inn) = payer("Коваль Олена Іванівна");
        let text = of_fee(
            true,
            PaymentKind::AdminPayment,
            (option, term),
            (&name, &inn),
        );
        assert_eq!(
            text,
            "101 Адміністративний збір за державну реєстрацію права власності, 5 робочих днів; платник Коваль Олена Іванівна, 3068208400"
        );
        assert_eq!(
            of_notary_part(&text, "Право", (&name, &inn)),
            "60 % адміністративного збору за державну реєстрацію права власності, 5 робочих днів; платник Коваль Олена Іванівна, 3068208400"
        );
        assert_eq!(
            of_notary_part(
                "101 Адмінзбір: Право; платник Коваль",
                "Право",
                (&name, &inn)
            ),
            "60 % адміністративного збору: Право; платник Коваль Олена Іванівна, 3068208400"
        );
    }

    #[test]
    fn the_use_of_a_register_is_named_with_the_register() {
        let data = starter();
        let id = OptionId::parse("registry-real-rights-information-electronic").unwrap();
        let (name, inn) = payer("Коваль Олена Іванівна");
        let text = of_fee(
            false,
            PaymentKind::RegistryPayment,
            (data.option(&id).unwrap(), None),
            (&name, &inn),
        );
        assert_eq!(
            text,
            "Плата за користування Реєстром речових прав (інформація, електронна форма); платник Коваль Олена Іванівна, 3068208400"
        );
    }

    proptest! {
        #[test]
        fn no_purpose_is_too_long_and_each_names_the_payer(service in "[А-ЯІЇЄа-яіїє ]{1,300}", name in "[А-ЯІЇЄ][а-яіїє]{1,139}") {
            let (name, inn) = payer(&name);
            let payer = (&name, &inn);
            let fee = fit(FEE, &service, payer);
            for text in [of_notary_part(&fee, &service, payer), of_notary_part("", &service, payer), fee] {
                prop_assert!(text.chars().count() <= Purpose::CHARS_MAX, "{}", text);
                prop_assert!(text.contains(inn.as_str()));
            }
        }
    }
}
