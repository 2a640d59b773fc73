//! The starter set in the repository: whole, and true to the law's tables.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::date;

use super::starter_files;
use crate::{Doubt, Reading, ReferenceData, TableChoices, parse, requisite_serves_term};
use cabinet_domain::{
    BudgetCode, Iban, Locale, Money, PaymentCode, PaymentKind, TaxKind, kyiv_date,
};
use cabinet_domain::{OptionId, PaymentTypeId, RequisiteId, TemplateId, TermId};

fn data() -> ReferenceData {
    parse(&starter_files()).unwrap()
}

fn id_of(data: &ReferenceData, kind: PaymentKind) -> PaymentTypeId {
    data.payment_type_of(kind).unwrap().id().clone()
}

#[test]
fn every_option_has_the_words_of_its_purposes() {
    let data = data();
    let day = date(2026, 6, 1);
    for kind in [
        PaymentKind::AdminPayment,
        PaymentKind::AdminGovernmentPayment,
        PaymentKind::RegistryPayment,
    ] {
        let options = data.options(&id_of(&data, kind), day);
        assert!(!options.is_empty());
        for option in options {
            let words = option.purpose().unwrap();
            assert_eq!(words.starts_with("за "), kind.needs_term(), "{words}");
            let short = option.short_name().unwrap();
            assert!(
                !short.starts_with(char::is_uppercase) || !kind.needs_term(),
                "{short}"
            );
        }
    }
}

#[test]
fn an_account_is_known_with_its_code_and_all_its_budget_codes() {
    let data = data();
    let account = |iban: &str| data.account(&Iban::parse(iban).unwrap());
    let duty = account("UA328999980999022090100300001").unwrap();
    assert_eq!(duty.okpo.as_str(), "37993783");
    let codes: Vec<_> = duty.budget_codes.iter().map(|code| code.as_str()).collect();
    assert_eq!(codes, ["22090100"]);
    // An account that has ended is known, too.
    assert!(account("UA768999980999022012600300001").is_some());
    assert_eq!(account("UA728999980334100000000026001"), None);
    let administrator = account("UA513999990000026009990000001").unwrap();
    assert!(administrator.budget_codes.is_empty());
}

#[test]
fn a_set_without_payment_codes_has_those_of_the_starter_set() {
    let mut files = starter_files();
    files.remove("payment-codes.csv");
    let codes = parse(&files).unwrap().payment_codes().clone();
    assert_eq!(&codes, data().payment_codes());
    assert!(codes.contains(&PaymentCode::parse("101").unwrap()));
    assert!(!codes.contains(&PaymentCode::parse("999").unwrap()));
}

/// The last microsecond of 2025 in Kyiv.
fn last_of_2025() -> Timestamp {
    "2025-12-31T21:59:59.999999Z".parse().unwrap()
}

/// The first moment of 2026 in Kyiv.
fn first_of_2026() -> Timestamp {
    "2025-12-31T22:00:00Z".parse().unwrap()
}

/// What a fee is a multiple of.
#[derive(Clone, Copy)]
enum Base {
    /// The subsistence minimum of an able-bodied person: 3028 UAH in 2025, 3328 in 2026. Each part of the fee is
    /// rounded to 10 UAH.
    SubsistenceMinimum,
    /// The minimum wage: 8000 UAH in 2025, 8647 in 2026. Not rounded.
    MinimumWage,
    /// 30 % of the ordinary fee of another term, rounded to 10 UAH.
    PartOfFee(&'static str),
}
use Base::{MinimumWage, PartOfFee, SubsistenceMinimum};

/// Term, base, multiples in ten-thousandths, kopiykas in 2025 and in 2026: Law 1952-IV art. 34; Law 755-IV art. 36
/// with resolution 1133 of 25.12.2015 for its short terms.
const FEES: [(&str, Base, &[i64], i64, i64); 30] = [
    (
        "ownership-act",
        SubsistenceMinimum,
        &[1_000],
        30_000,
        33_000,
    ),
    (
        "ownership-5wd",
        SubsistenceMinimum,
        &[1_000],
        30_000,
        33_000,
    ),
    (
        "ownership-2wd",
        SubsistenceMinimum,
        &[10_000],
        303_000,
        333_000,
    ),
    (
        "ownership-1wd",
        SubsistenceMinimum,
        &[20_000],
        606_000,
        666_000,
    ),
    (
        "ownership-2h",
        SubsistenceMinimum,
        &[50_000],
        1_514_000,
        1_664_000,
    ),
    (
        "other-right-5wd",
        SubsistenceMinimum,
        &[500],
        15_000,
        17_000,
    ),
    (
        "other-right-2wd",
        SubsistenceMinimum,
        &[5_000],
        151_000,
        166_000,
    ),
    (
        "other-right-1wd",
        SubsistenceMinimum,
        &[10_000],
        303_000,
        333_000,
    ),
    (
        "other-right-2h",
        SubsistenceMinimum,
        &[25_000],
        757_000,
        832_000,
    ),
    (
        "encumbrance-day",
        SubsistenceMinimum,
        &[500],
        15_000,
        17_000,
    ),
    (
        "unfinished-object-right-ordinary",
        SubsistenceMinimum,
        &[1_000],
        30_000,
        33_000,
    ),
    (
        "future-object-right-ordinary",
        MinimumWage,
        &[500],
        40_000,
        43_235,
    ),
    (
        "future-object-encumbrance-ordinary",
        MinimumWage,
        &[100],
        8_000,
        8_647,
    ),
    (
        "real-rights-correction-ordinary",
        SubsistenceMinimum,
        &[400],
        12_000,
        13_000,
    ),
    (
        "real-rights-information-paper-ordinary",
        SubsistenceMinimum,
        &[250],
        8_000,
        8_000,
    ),
    (
        "real-rights-information-electronic-ordinary",
        SubsistenceMinimum,
        &[125],
        4_000,
        4_000,
    ),
    (
        "entity-change-24h",
        SubsistenceMinimum,
        &[3_000],
        91_000,
        100_000,
    ),
    (
        "entity-change-6h",
        SubsistenceMinimum,
        &[6_000],
        182_000,
        200_000,
    ),
    (
        "entity-change-2h",
        SubsistenceMinimum,
        &[15_000],
        454_000,
        499_000,
    ),
    (
        "proprietor-change-24h",
        SubsistenceMinimum,
        &[1_000],
        30_000,
        33_000,
    ),
    (
        "proprietor-change-6h",
        SubsistenceMinimum,
        &[2_000],
        61_000,
        67_000,
    ),
    (
        "proprietor-change-2h",
        SubsistenceMinimum,
        &[5_000],
        151_000,
        166_000,
    ),
    (
        "association-change-ordinary",
        SubsistenceMinimum,
        &[1_000],
        30_000,
        33_000,
    ),
    (
        "union-branch-change-ordinary",
        SubsistenceMinimum,
        &[700],
        21_000,
        23_000,
    ),
    (
        "entity-correction-ordinary",
        PartOfFee("entity-change-24h"),
        &[3_000],
        27_000,
        30_000,
    ),
    (
        "proprietor-correction-ordinary",
        PartOfFee("proprietor-change-24h"),
        &[3_000],
        9_000,
        10_000,
    ),
    (
        "association-correction-ordinary",
        PartOfFee("association-change-ordinary"),
        &[3_000],
        9_000,
        10_000,
    ),
    (
        "union-branch-correction-ordinary",
        PartOfFee("union-branch-change-ordinary"),
        &[3_000],
        6_000,
        7_000,
    ),
    (
        "business-extract-paper-ordinary",
        SubsistenceMinimum,
        &[500],
        15_000,
        17_000,
    ),
    (
        "business-document-paper-ordinary",
        SubsistenceMinimum,
        &[700],
        21_000,
        23_000,
    ),
];

/// Kopiykas rounded to 10 UAH, halves up.
fn to_ten_hryvnias(kopiykas: i64) -> i64 {
    (kopiykas + 500) / 1_000 * 1_000
}

#[test]
fn only_what_says_so_of_itself_is_doubtful() {
    let data = data();
    let doubtful = data.doubtful_rows();
    assert!(
        doubtful
            .iter()
            .all(|row| matches!(row.doubt, Doubt::Unconfirmed { .. }))
    );
    let of_file = |file: &str| doubtful.iter().filter(|row| row.file == file).count();
    assert_eq!(
        [
            "terms.csv",
            "term-taxes.csv",
            "templates.csv",
            "deal-rules.csv"
        ]
        .map(of_file),
        [4, 3, 1, 60]
    );
    assert_eq!(doubtful.len(), 68);
}

#[test]
fn short_terms_of_the_business_register_have_both_readings() {
    let choices = TableChoices {
        reading: Reading::Surcharge,
        ..TableChoices::default()
    };
    let (surcharge, whole) = (data().with_choices(choices), data());
    let day = kyiv_date(first_of_2026());
    // Resolution 1133: 0.6 and 1.5 of the minimum for entities, 0.2 and 0.5 for sole proprietors.
    let expected = [
        ("entity-change-2h", 599_000, 499_000),
        ("entity-change-6h", 300_000, 200_000),
        ("proprietor-change-2h", 199_000, 166_000),
        ("proprietor-change-6h", 100_000, 67_000),
    ];
    let disputed = surcharge.disputed_terms(day);
    assert_eq!(disputed, whole.disputed_terms(day));
    assert_eq!(disputed.len(), expected.len());
    for (row, (id, by_surcharge, by_whole)) in disputed.iter().zip(expected) {
        assert_eq!(row.id.as_str(), id);
        let sums: Vec<_> = row
            .sums
            .iter()
            .map(|(reading, sum)| (*reading, sum.kopiykas()))
            .collect();
        assert_eq!(
            sums,
            [
                (Reading::Surcharge, by_surcharge),
                (Reading::Whole, by_whole)
            ]
        );
        let tax = |data: &ReferenceData| data.term_tax(&row.id, day).map(Money::kopiykas);
        assert_eq!(tax(&surcharge), Some(by_surcharge), "{id}");
        assert_eq!(tax(&whole), Some(by_whole), "{id} by default");
    }
    // What nobody disputes is the same in both.
    let ordinary = TermId::parse("entity-change-24h").unwrap();
    assert_eq!(
        surcharge.term_tax(&ordinary, day),
        whole.term_tax(&ordinary, day)
    );
}

#[test]
fn the_levy_is_offered_only_by_the_operators_decision() {
    let day = kyiv_date(first_of_2026());
    let offered = |data: &ReferenceData| -> Vec<String> {
        let templates = data.templates(day).into_iter();
        templates
            .map(|template| template.id().to_string())
            .collect()
    };
    let levy = "purchase-levy";
    let by_default = data();
    assert_eq!(by_default.unconfirmed_templates().len(), 1);
    assert!(!offered(&by_default).contains(&levy.to_owned()));
    let choices = TableChoices {
        unconfirmed_templates: TemplateId::parse(levy).into_iter().collect(),
        ..TableChoices::default()
    };
    let chosen = by_default.with_choices(choices);
    assert!(offered(&chosen).contains(&levy.to_owned()));
    assert_eq!(offered(&chosen).len(), 8);
}

#[test]
fn its_fees_are_of_the_year_until_the_next_one() {
    let data = data();
    let stale = |day| data.stale_rows(day).len();
    assert_eq!(stale(date(2025, 12, 31)), 0);
    assert_eq!(stale(date(2026, 12, 31)), 0);
    assert_eq!(stale(date(2027, 1, 1)), FEES.len() + 4);
}

#[test]
fn every_fee_is_right_on_both_sides_of_new_year() {
    let data = data();
    for (id, _, _, in_2025, in_2026) in FEES {
        let term = TermId::parse(id).unwrap();
        let tax = |moment| data.term_tax(&term, kyiv_date(moment)).map(Money::kopiykas);
        assert_eq!(tax(last_of_2025()), Some(in_2025), "{id} in 2025");
        assert_eq!(tax(first_of_2026()), Some(in_2026), "{id} in 2026");
    }
}

#[test]
fn every_fee_follows_from_the_minimums_of_its_year() {
    let fees: BTreeMap<&str, (i64, i64)> = FEES
        .into_iter()
        .map(|(id, _, _, in_2025, in_2026)| (id, (in_2025, in_2026)))
        .collect();
    for (id, base, multiples, in_2025, in_2026) in FEES {
        let (base_2025, base_2026) = match base {
            SubsistenceMinimum => (302_800, 332_800),
            MinimumWage => (800_000, 864_700),
            PartOfFee(of) => fees[of],
        };
        let fee = |base_kopiykas: i64| -> i64 {
            let parts = multiples
                .iter()
                .map(|multiple| base_kopiykas * multiple / 10_000);
            match base {
                MinimumWage => parts.sum(),
                SubsistenceMinimum | PartOfFee(_) => parts.map(to_ten_hryvnias).sum(),
            }
        };
        assert_eq!((fee(base_2025), fee(base_2026)), (in_2025, in_2026), "{id}");
    }
}

#[test]
fn both_kinds_of_notaries_have_every_fee_and_no_others() {
    let data = data();
    for kind in [
        PaymentKind::AdminPayment,
        PaymentKind::AdminGovernmentPayment,
    ] {
        let id = id_of(&data, kind);
        for moment in [last_of_2025(), first_of_2026()] {
            let day = kyiv_date(moment);
            let options = data.options(&id, day);
            assert_eq!(options.len(), 19);
            let mut terms: Vec<String> = options
                .into_iter()
                .flat_map(|option| data.terms(option.id(), day))
                .map(|row| row.term.id().to_string())
                .collect();
            let mut expected: Vec<String> = FEES.iter().map(|fee| fee.0.to_owned()).collect();
            terms.sort();
            expected.sort();
            assert_eq!(terms, expected);
        }
    }
}

#[test]
fn registry_options_have_the_tariff_of_the_day() {
    let data = data();
    let registry = id_of(&data, PaymentKind::RegistryPayment);
    let day = kyiv_date(first_of_2026());
    assert_eq!(data.options(&registry, day).len(), 4);
    for (id, in_2025, in_2026) in [
        ("registry-real-rights-information-paper", 8_000, 8_000),
        ("registry-real-rights-information-electronic", 4_000, 4_000),
        ("registry-business-extract-paper", 15_000, 17_000),
        ("registry-business-document-paper", 21_000, 23_000),
    ] {
        let option = OptionId::parse(id).unwrap();
        assert!(data.option(&option).unwrap().is_of(&registry));
        let tariff = |moment| {
            data.option_tariff(&option, kyiv_date(moment))
                .map(Money::kopiykas)
        };
        assert_eq!(tariff(last_of_2025()), Some(in_2025), "{id} in 2025");
        assert_eq!(tariff(first_of_2026()), Some(in_2026), "{id} in 2026");
    }
}

#[test]
fn short_terms_of_real_rights_have_a_budget_code_of_their_own() {
    let data = data();
    for (id, ..) in FEES {
        let term = data.term(&TermId::parse(id).unwrap()).unwrap();
        let is_short = ["-2wd", "-1wd", "-2h"].iter().any(|end| id.ends_with(end));
        let is_business = ["entity", "proprietor", "association", "union"]
            .iter()
            .any(|start| id.starts_with(start));
        let is_information = id.contains("-information-") || id.starts_with("business-");
        let expected = match (is_business, is_short) {
            _ if is_information => "22012700",
            (true, _) => "22010300",
            (false, true) => "22012900",
            (false, false) => "22012600",
        };
        assert_eq!(term.budget_code().unwrap().as_str(), expected, "{id}");
    }
}

#[test]
fn all_regions_are_there_and_the_occupied_ones_have_nobody() {
    let data = data();
    assert_eq!(data.regions().len(), 27);
    let served = data
        .regions()
        .iter()
        .filter(|region| region.has_recipients());
    assert_eq!(served.count(), 25);
    for region in data.regions() {
        let is_occupied = ["UA-43", "UA-40"].contains(&region.iso_code());
        assert_eq!(
            region.has_recipients(),
            !is_occupied,
            "{}",
            region.name(Locale::En)
        );
        for kind in PaymentKind::ALL {
            let here = data.requisites(region.id(), &id_of(&data, kind), None, date(2026, 11, 20));
            assert_eq!(here.is_empty(), is_occupied || kind.is_free_form());
        }
    }
}

#[test]
fn every_fee_can_be_paid_in_every_region() {
    let data = data();
    for day in [
        date(2025, 1, 1),
        date(2025, 12, 31),
        date(2026, 1, 1),
        date(2026, 11, 20),
    ] {
        for kind in [
            PaymentKind::AdminPayment,
            PaymentKind::AdminGovernmentPayment,
        ] {
            let id = id_of(&data, kind);
            let options = data.options(&id, day).into_iter();
            let terms: Vec<_> = options
                .flat_map(|option| data.terms(option.id(), day))
                .collect();
            for region in data
                .regions()
                .iter()
                .filter(|region| region.has_recipients())
            {
                for row in &terms {
                    let here = data.requisites(region.id(), &id, row.term.budget_code(), day);
                    assert!(!here.is_empty(), "{} in {}", row.term.id(), region.id());
                    assert!(
                        here.iter()
                            .all(|requisite| requisite_serves_term(requisite, row.term))
                    );
                }
            }
        }
    }
}

#[test]
fn every_account_says_that_it_is_for_demonstration() {
    let data = data();
    let day = date(2026, 11, 20);
    let mut accounts = Vec::new();
    for region in data.regions() {
        for kind in PaymentKind::ALL {
            accounts.extend(data.requisites(region.id(), &id_of(&data, kind), None, day));
        }
    }
    assert!(accounts.len() >= 25 * 4 * 2 + 25);
    for requisite in accounts {
        assert!(requisite.is_demonstration(), "{}", requisite.id());
        assert!(
            requisite.name().contains("Демонстраційний"),
            "{}",
            requisite.id()
        );
        assert!(data.bank_name(requisite.iban(), Locale::Uk).is_some());
    }
    for template in data.templates(day) {
        assert!(template.is_demonstration());
        assert!(template.recipient_name().contains("Демонстраційний"));
    }
    assert_eq!(data.templates(day).len(), 7);
}

#[test]
fn an_account_for_demonstration_stays_one_where_its_mark_is_taken_away() {
    let mut files = starter_files();
    let all = parse(&files).unwrap().demonstrations();
    assert!(all > 100, "{all}");
    for name in ["requisites.csv", "templates.csv"] {
        let text = files.get_mut(name).unwrap();
        assert!(text.contains(",yes\n"));
        *text = text
            .replace(",yes\n", ",no\n")
            .replace("Демонстраційний ", "");
    }
    assert_eq!(parse(&files).unwrap().demonstrations(), all);
}

#[test]
fn an_account_that_changed_with_the_year_shows_how_that_looks() {
    let data = data();
    let old = data.requisite(&RequisiteId::parse("ua-46-22012600-2025").unwrap());
    let old = old.unwrap();
    assert!(old.is_valid_on(kyiv_date(last_of_2025())));
    assert!(!old.is_valid_on(kyiv_date(first_of_2026())));
    let new = data.replacement(old, kyiv_date(first_of_2026())).unwrap();
    assert_eq!(new.id().as_str(), "ua-46-22012600-2026");
    assert_eq!(new.okpo(), old.okpo());
    assert_ne!(new.iban(), old.iban());
}

#[test]
fn the_commission_changes_on_11_november_2025() {
    let data = data();
    let tariff = |moment: &str| {
        let tariff = data.tariffs().in_force(moment.parse().unwrap());
        (tariff.basis_points, tariff.minimum.kopiykas())
    };
    assert_eq!(tariff("2025-11-10T21:59:59.999999Z"), (150, 500));
    assert_eq!(tariff("2025-11-10T22:00:00Z"), (150, 1_000));
}

#[test]
fn the_taxes_of_a_tax_agent_are_known_by_their_budget_codes() {
    let data = data();
    let tax = |code: &str| data.tax_of(&BudgetCode::parse(code).unwrap());
    assert_eq!(tax("11010500"), Some(TaxKind::IncomeTax));
    assert_eq!(tax("11010400"), Some(TaxKind::IncomeTax));
    // The whole group.
    assert_eq!(tax("11011000"), Some(TaxKind::MilitaryLevy));
    assert_eq!(tax("11011700"), Some(TaxKind::MilitaryLevy));
    assert_eq!(tax("22090100"), None);
    assert_eq!(tax("11010600"), None);
}
