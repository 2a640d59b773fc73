//! Purposes of fees: whole, within the bank's form, and naming service, term and payer.

use cabinet_domain::{Inn, Locale, OptionId, PaymentKind, PersonName, Purpose, TermId};
use proptest::prelude::*;

use super::{small, starter_files};
use crate::{PaymentOption, ReferenceData, Term, parse, purpose_of_fee, purpose_of_notary_part};

const NAME: &str = "Коваль Олена Іванівна";

fn payer(name: &str, code: &str) -> (PersonName, Inn) {
    (PersonName::parse(name).unwrap(), Inn::parse(code).unwrap())
}

fn fee(data: &ReferenceData, kind: PaymentKind, (option, term): (&str, Option<&str>)) -> String {
    let option = data.option(&OptionId::parse(option).unwrap()).unwrap();
    let term = term.map(|term| data.term(&TermId::parse(term).unwrap()).unwrap());
    let (name, inn) = payer(NAME, "3068208400");
    let to_treasury = kind.needs_term();
    purpose_of_fee(to_treasury, kind, (option, term), (&name, &inn))
}

/// A set whose service `right` has these words for purposes and this short name.
fn with_words(words: &str, short: &str) -> ReferenceData {
    let header = "id,payment_types,name_uk,name_en,purpose_uk,short_uk,budget_code";
    let mut files = small::files();
    files.insert(
        "options.csv".to_owned(),
        format!("{header}\nright,private state,Право,Right,{words},{short},22012600\nextract,registry,Витяг,Extract,,,\n"),
    );
    parse(&files).unwrap()
}

#[test]
fn a_fee_to_the_treasury_has_the_form_in_force() {
    let data = parse(&starter_files()).unwrap();
    let service = ("ownership", Some("ownership-5wd"));
    let text = fee(&data, PaymentKind::AdminPayment, service);
    assert_eq!(
        text,
        "101 Адміністративний збір за державну реєстрацію права власності, 5 робочих днів; платник Коваль Олена Іванівна, 3068208400"
    );
    let (name, inn) = payer(NAME, "3068208400");
    let of_notary = |purpose: &str, period: Option<&str>| {
        purpose_of_notary_part(purpose, ("Право", period), (&name, &inn))
    };
    assert_eq!(
        of_notary(&text, Some("5 робочих днів")),
        "60 % адміністративного збору за державну реєстрацію права власності, 5 робочих днів; платник Коваль Олена Іванівна, 3068208400"
    );
    // What older versions wrote: shortened, or for another name of the client.
    for older in [
        "101 Адміністративний збір за державну реєстра…; платник Коваль Олена Іванівна, 3068208400",
        "101 Адмінзбір: Право; платник Коваль",
    ] {
        assert_eq!(
            of_notary(older, Some("5 днів")),
            "60 % адміністративного збору: Право, 5 днів; платник Коваль Олена Іванівна, 3068208400"
        );
    }
    assert_eq!(
        of_notary("", None),
        "60 % адміністративного збору: Право; платник Коваль Олена Іванівна, 3068208400"
    );
}

#[test]
fn the_use_of_a_register_is_named_with_the_register() {
    let data = parse(&starter_files()).unwrap();
    let service = ("registry-real-rights-information-electronic", None);
    assert_eq!(
        fee(&data, PaymentKind::RegistryPayment, service),
        "Плата за користування Реєстром речових прав (інформація, електронна форма); платник Коваль Олена Іванівна, 3068208400"
    );
}

#[test]
fn a_service_without_words_is_called_by_its_short_name() {
    let service = ("right", Some("right-slow"));
    let text = |words, short| {
        fee(
            &with_words(words, short),
            PaymentKind::AdminPayment,
            service,
        )
    };
    assert_eq!(
        text("", ""),
        "101 Адмінзбір: Право, 5 днів; платник Коваль Олена Іванівна, 3068208400"
    );
    assert_eq!(
        text("", "реєстрація права"),
        "101 Адмінзбір: реєстрація права, 5 днів; платник Коваль Олена Іванівна, 3068208400"
    );
}

#[test]
fn the_name_is_left_out_first_and_then_the_short_name_is_taken() {
    let service = ("right", Some("right-slow"));
    let text = |chars: usize| {
        let data = with_words(&"й".repeat(chars), "реєстрація права");
        fee(&data, PaymentKind::AdminPayment, service)
    };
    // 26 characters before the words, 8 of the term, 43 of the payer or 20 without the name.
    assert!(text(343).ends_with("й, 5 днів; платник Коваль Олена Іванівна, 3068208400"));
    assert_eq!(text(343).chars().count(), Purpose::CHARS_MAX);
    assert!(text(344).ends_with("й, 5 днів; платник 3068208400"));
    assert!(text(366).ends_with("й, 5 днів; платник 3068208400"));
    assert_eq!(text(366).chars().count(), Purpose::CHARS_MAX);
    assert_eq!(
        text(367),
        "101 Адмінзбір: реєстрація права, 5 днів; платник Коваль Олена Іванівна, 3068208400"
    );
}

/// Codes of every form, and the names of those who have them: the shortest, the longest and any between.
fn any_payer() -> impl Strategy<Value = (PersonName, Inn)> {
    let code = prop_oneof![
        "[1-9][0-9]{8}[1-9]".prop_filter("ten equal digits are no code", |code| Inn::parse(code)
            .is_ok()),
        "[0-9]{9}",
        "[0-9]{8}",
        "[А-ЯІЇЄҐ]{2}[0-9]{6}",
    ];
    let name = prop_oneof![
        "[А-ЯІЇЄҐ]",
        "[А-ЯІЇЄҐ][а-яіїєґ’]{138}[а-яіїєґ]",
        "[А-ЯІЇЄҐ][а-яіїєґ’ -]{0,137}[а-яіїєґ]",
    ];
    (name, code).prop_map(|(name, code)| payer(&name, &code))
}

/// Whether a purpose says the whole words of a service, its short name or its name.
fn names_service(purpose: &str, option: &PaymentOption) -> bool {
    let names = [option.purpose(), option.short_name()];
    let mut names = names.into_iter().flatten().chain([option.name(Locale::Uk)]);
    names.any(|name| purpose.contains(name))
}

fn check(purpose: &str, (option, term): (&PaymentOption, Option<&Term>), inn: &Inn) {
    assert!(
        !purpose.contains('…') && !purpose.contains("..."),
        "{purpose}"
    );
    assert!(names_service(purpose, option), "{purpose}");
    if let Some(term) = term {
        let period = format!(", {};", term.period(Locale::Uk));
        assert!(purpose.contains(&period), "{purpose}");
    }
    assert!(purpose.ends_with(inn.as_str()), "{purpose}");
    // Neither refused for its length or characters, nor changed.
    let written = Purpose::written(purpose).unwrap();
    assert_eq!(written.as_str(), purpose);
    assert!(written.contains(inn), "{purpose}");
}

/// Checks the purposes of every row of the set for one payer.
fn check_every_row(data: &ReferenceData, (name, inn): &(PersonName, Inn)) {
    let days = [jiff::civil::date(2025, 6, 1), jiff::civil::date(2026, 6, 1)];
    let kinds = PaymentKind::ALL
        .into_iter()
        .filter(|kind| !kind.is_free_form());
    let mut checked = 0;
    for (kind, day) in kinds.flat_map(|kind| days.map(|day| (kind, day))) {
        let payment_type = data.payment_type_of(kind).unwrap().id();
        for option in data.options(payment_type, day) {
            let terms = data.terms(option.id(), day);
            let mut terms: Vec<_> = terms.iter().map(|row| Some(row.term)).collect();
            if !kind.needs_term() {
                terms = vec![None];
            }
            for (term, to_treasury) in terms
                .iter()
                .flat_map(|term| [(*term, true), (*term, false)])
            {
                let purpose = purpose_of_fee(to_treasury, kind, (option, term), (name, inn));
                check(&purpose, (option, term), inn);
                assert_eq!(to_treasury, purpose.starts_with("101 "));
                if kind.has_notary_share() {
                    let period = term.map(|term| term.period(Locale::Uk));
                    let service = (option.name(Locale::Uk), period);
                    let own = purpose_of_notary_part(&purpose, service, (name, inn));
                    check(&own, (option, term), inn);
                    assert!(own.starts_with("60 % адміністративного збору"));
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn purposes_are_whole_for_every_row_and_every_payer(payer in any_payer()) {
        check_every_row(&parse(&starter_files()).unwrap(), &payer);
    }

    #[test]
    fn whatever_loads_has_whole_purposes(
        words in "(за [а-яіїє ]{0,395}[а-яіїє])?",
        short in "([а-яіїє]{1,80})?",
        payer in any_payer(),
    ) {
        let header = "id,payment_types,name_uk,name_en,purpose_uk,short_uk,budget_code";
        let mut files = small::files();
        files.insert(
            "options.csv".to_owned(),
            format!("{header}\nright,private state,Право,Right,{words},{short},22012600\nextract,registry,Витяг,Extract,{words},{short},\n"),
        );
        if let Ok(data) = parse(&files) {
            check_every_row(&data, &payer);
        }
    }
}
