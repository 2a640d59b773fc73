//! Purposes of payments whose recipients come from the reference data.
//!
//! Banks and the Treasury read them, so they are always in Ukrainian. They are never longer than a purpose may be: the name of the
//! service is shortened, the client's name and code are not.

use cabinet_domain::{Inn, PersonName, Purpose};

/// Returns the purpose of the recipient's part. For a Treasury account it is `101 Адмінзбір: послуга, строк; платник ПІБ, код` (the
/// form in force since 01.12.2023, MinFin order 148 of 22.03.2023). For any other account it lacks the payment code.
pub(crate) fn of_fee(
    to_treasury: bool,
    lead: &str,
    service: &str,
    payer: (&PersonName, &Inn),
) -> String {
    let code = if to_treasury { "101 " } else { "" };
    fit(&format!("{code}{lead}: "), service, payer)
}

/// Returns the purpose of the notary's own 60 %.
pub(crate) fn of_notary_part(service: &str, payer: (&PersonName, &Inn)) -> String {
    fit("60 % адміністративного збору: ", service, payer)
}

fn fit(head: &str, service: &str, (name, inn): (&PersonName, &Inn)) -> String {
    let tail = format!("; платник {}, {}", name.as_str(), inn.as_str());
    let spent = head.chars().count() + tail.chars().count();
    let room = Purpose::CHARS_MAX.saturating_sub(spent);
    if service.chars().count() <= room {
        return format!("{head}{service}{tail}");
    }
    if room > 1 {
        let short: String = service.chars().take(room - 1).collect();
        return format!("{head}{}…{tail}", short.trim_end());
    }
    // The name is so long that nothing of the service fits, so the code alone identifies the payer.
    let code = format!("; платник {}", inn.as_str());
    let room = Purpose::CHARS_MAX.saturating_sub(head.chars().count() + code.chars().count());
    format!(
        "{head}{}{code}",
        service.chars().take(room).collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn payer(name: &str) -> (PersonName, Inn) {
        (
            PersonName::parse(name).unwrap(),
            Inn::parse("3068208400").unwrap(),
        )
    }

    #[test]
    fn a_fee_to_the_treasury_has_the_form_in_force() {
        let (name, inn) = payer("Коваль Олена Іванівна");
        let text = of_fee(
            true,
            "Адмінзбір",
            "Державна реєстрація права власності, 5 робочих днів",
            (&name, &inn),
        );
        assert_eq!(
            text,
            "101 Адмінзбір: Державна реєстрація права власності, 5 робочих днів; платник Коваль Олена Іванівна, 3068208400"
        );
    }

    proptest! {
        #[test]
        fn no_purpose_is_too_long_and_each_names_the_payer(service in "[А-ЯІЇЄа-яіїє ]{1,300}", name in "[А-ЯІЇЄ][а-яіїє]{1,139}") {
            let (name, inn) = payer(&name);
            for text in [of_fee(true, "Адмінзбір", &service, (&name, &inn)), of_notary_part(&service, (&name, &inn))] {
                prop_assert!(text.chars().count() <= Purpose::CHARS_MAX, "{}", text);
                prop_assert!(text.contains(inn.as_str()));
            }
        }
    }
}
