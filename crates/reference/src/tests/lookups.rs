//! What can be asked of loaded data, by day.

use jiff::civil::{Date, date};

use super::small::{files, files_with};
use crate::{Doubt, DoubtfulRow, ReferenceData, Requisite, parse, requisite_serves_term};
use cabinet_domain::{BudgetCode, Iban, Locale, Money, PaymentKind};
use cabinet_domain::{OptionId, PaymentTypeId, RegionId, RequisiteId, TemplateId, TermId};

const LAST_DAY_OF_2025: Date = date(2025, 12, 31);
const FIRST_DAY_OF_2026: Date = date(2026, 1, 1);

fn data() -> ReferenceData {
    parse(&files()).unwrap()
}

fn option(id: &str) -> OptionId {
    OptionId::parse(id).unwrap()
}

fn term(id: &str) -> TermId {
    TermId::parse(id).unwrap()
}

fn payment_type(id: &str) -> PaymentTypeId {
    PaymentTypeId::parse(id).unwrap()
}

fn requisite<'a>(data: &'a ReferenceData, id: &str) -> &'a Requisite {
    data.requisite(&RequisiteId::parse(id).unwrap()).unwrap()
}

/// The identifiers of the recipients offered.
fn offered(
    data: &ReferenceData,
    region: &str,
    of: &str,
    code: Option<&str>,
    on: Date,
) -> Vec<String> {
    let code = code.map(|code| BudgetCode::parse(code).unwrap());
    let region = RegionId::parse(region).unwrap();
    data.requisites(&region, &payment_type(of), code.as_ref(), on)
        .into_iter()
        .map(|requisite| requisite.id().to_string())
        .collect()
}

#[test]
fn nothing_is_doubtful_in_a_good_set() {
    assert_eq!(data().doubtful_rows(), []);
}

#[test]
fn an_option_may_say_what_purposes_say_of_it() {
    let purpose = |files| {
        let data: ReferenceData = parse(&files).unwrap();
        let option = data.option(&option("extract")).unwrap();
        option.purpose().map(str::to_owned)
    };
    // Tables without the column, and cells without words, are taken.
    assert_eq!(purpose(files()), None);
    let with_column = |cell: &str| {
        let mut files = files();
        let text = format!(
            "id,payment_types,name_uk,name_en,budget_code,purpose_uk\n\
             right,private state,Право,Right,22012600,за право\n\
             extract,registry,Витяг,Extract,,{cell}\n"
        );
        files.insert("options.csv".to_owned(), text);
        files
    };
    assert_eq!(purpose(with_column("")), None);
    assert_eq!(
        purpose(with_column(" реєстром (витяг) ")).as_deref(),
        Some("реєстром (витяг)")
    );
}

#[test]
fn payment_types_keep_their_order_and_are_found_by_kind() {
    let data = data();
    let kinds: Vec<_> = data.payment_types().iter().map(|row| row.kind()).collect();
    assert_eq!(kinds, PaymentKind::ALL);
    let registry = data.payment_type_of(PaymentKind::RegistryPayment).unwrap();
    assert_eq!(registry.id().as_str(), "registry");
    assert_eq!(data.payment_type(registry.id()), Some(registry));
    assert_eq!(data.payment_type(&payment_type("gift")), None);
}

#[test]
fn options_are_offered_while_they_have_a_sum() {
    let data = data();
    let offered = |of: &str, on: Date| -> Vec<String> {
        let options = data.options(&payment_type(of), on);
        options
            .into_iter()
            .map(|option| option.id().to_string())
            .collect()
    };
    for of in ["private", "state"] {
        assert_eq!(offered(of, FIRST_DAY_OF_2026), ["right"]);
    }
    assert_eq!(offered("registry", FIRST_DAY_OF_2026), ["extract"]);
    assert_eq!(offered("free", FIRST_DAY_OF_2026), [""; 0]);
    assert_eq!(offered("gift", FIRST_DAY_OF_2026), [""; 0]);
    for of in ["private", "registry"] {
        assert_eq!(
            offered(of, date(2024, 12, 31)),
            [""; 0],
            "no sums before 2025"
        );
    }
    let extract = data.option(&option("extract")).unwrap();
    assert_eq!(extract.name(Locale::Uk), "Витяг");
    assert_eq!(extract.name(Locale::En), "Extract");
    assert!(extract.is_of(&payment_type("registry")) && !extract.is_of(&payment_type("state")));
}

#[test]
fn the_day_decides_on_tariff_and_fee() {
    let data = data();
    let kopiykas = |sum: Option<Money>| sum.map(Money::kopiykas);
    let extract = option("extract");
    assert_eq!(
        kopiykas(data.option_tariff(&extract, LAST_DAY_OF_2025)),
        Some(8_000)
    );
    assert_eq!(
        kopiykas(data.option_tariff(&extract, FIRST_DAY_OF_2026)),
        Some(9_050)
    );
    assert_eq!(
        kopiykas(data.option_tariff(&option("right"), FIRST_DAY_OF_2026)),
        None
    );

    let terms = |on| -> Vec<(String, i64)> {
        let terms = data.terms(&option("right"), on).into_iter();
        terms
            .map(|row| (row.term.id().to_string(), row.tax.kopiykas()))
            .collect()
    };
    let row = |id: &str, sum| (id.to_owned(), sum);
    assert_eq!(terms(LAST_DAY_OF_2025), [row("right-slow", 30_000)]);
    assert_eq!(
        terms(FIRST_DAY_OF_2026),
        [row("right-slow", 33_000), row("right-fast", 666_000)]
    );
    assert_eq!(terms(date(2024, 12, 31)), []);
    assert_eq!(data.term_tax(&term("right-fast"), LAST_DAY_OF_2025), None);
}

#[test]
fn a_term_names_its_budget_code_or_takes_that_of_the_option() {
    let data = data();
    let slow = data.term(&term("right-slow")).unwrap();
    let fast = data.term(&term("right-fast")).unwrap();
    assert_eq!(slow.budget_code().unwrap().as_str(), "22012600");
    assert_eq!(fast.budget_code().unwrap().as_str(), "22012900");
    assert_eq!(slow.option(), &option("right"));
    assert_eq!(
        (fast.period(Locale::Uk), fast.period(Locale::En)),
        ("1 день", "1 day")
    );

    assert!(requisite_serves_term(requisite(&data, "new"), slow));
    assert!(!requisite_serves_term(requisite(&data, "new"), fast));
    assert!(requisite_serves_term(requisite(&data, "fast"), fast));
    assert!(!requisite_serves_term(requisite(&data, "registers"), slow));
}

#[test]
fn recipients_depend_on_region_type_code_and_day() {
    let data = data();
    let none = [""; 0];
    assert_eq!(
        offered(&data, "lviv", "private", None, LAST_DAY_OF_2025),
        ["old", "fast"]
    );
    assert_eq!(
        offered(&data, "lviv", "state", None, FIRST_DAY_OF_2026),
        ["new", "fast"]
    );
    assert_eq!(
        offered(
            &data,
            "lviv",
            "private",
            Some("22012600"),
            FIRST_DAY_OF_2026
        ),
        ["new"]
    );
    assert_eq!(
        offered(&data, "lviv", "private", Some("22012900"), LAST_DAY_OF_2025),
        ["fast"]
    );
    assert_eq!(
        offered(&data, "lviv", "private", Some("22030101"), LAST_DAY_OF_2025),
        none
    );
    assert_eq!(
        offered(&data, "lviv", "registry", None, FIRST_DAY_OF_2026),
        ["registers"]
    );
    assert_eq!(
        offered(&data, "lviv", "registry", None, date(2024, 12, 31)),
        none
    );
    assert_eq!(
        offered(&data, "lviv", "free", None, FIRST_DAY_OF_2026),
        none
    );
    // An occupied region has nobody, not even those who are offered everywhere.
    assert_eq!(
        offered(&data, "crimea", "registry", None, FIRST_DAY_OF_2026),
        none
    );
    assert_eq!(
        offered(&data, "crimea", "private", None, FIRST_DAY_OF_2026),
        none
    );
    assert_eq!(
        offered(&data, "odesa", "private", None, FIRST_DAY_OF_2026),
        none
    );
}

#[test]
fn an_account_that_is_over_has_a_replacement() {
    let data = data();
    let (old, new) = (requisite(&data, "old"), requisite(&data, "new"));
    assert_eq!(data.replacement(old, FIRST_DAY_OF_2026), Some(new));
    assert_eq!(data.replacement(old, LAST_DAY_OF_2025), None, "still valid");
    assert_eq!(
        data.replacement(new, LAST_DAY_OF_2025),
        Some(old),
        "not valid yet"
    );
    let registers = requisite(&data, "registers");
    assert_eq!(data.replacement(registers, date(2024, 1, 1)), None);
}

#[test]
fn a_name_may_serve_several_codes_with_an_account_for_each() {
    let row = "other,lviv,private state,22030101,ГУК Львiв/22012600,38008294,\
               UA348999980999022010300300001,2025-01-01,2025-12-31,yes";
    let data = parse(&files_with("requisites.csv", 6, row)).unwrap();
    let other = requisite(&data, "other");
    assert_eq!(data.replacement(other, FIRST_DAY_OF_2026), None);
    let old = requisite(&data, "old");
    let new = requisite(&data, "new");
    assert_eq!(data.replacement(old, FIRST_DAY_OF_2026), Some(new));
    assert_eq!(data.replacement(new, LAST_DAY_OF_2025), Some(old));
}

#[test]
fn templates_are_dated_and_filled() {
    let data = data();
    let on = |day| -> Vec<String> {
        let templates = data.templates(day).into_iter();
        templates
            .map(|template| template.id().to_string())
            .collect()
    };
    assert_eq!(on(date(2024, 12, 31)), [""; 0]);
    assert_eq!(on(LAST_DAY_OF_2025), ["court"]);
    assert_eq!(on(date(2026, 6, 30)), ["court", "balance"]);
    assert_eq!(on(date(2026, 7, 1)), ["balance"]);

    let court = data.template(&TemplateId::parse("court").unwrap()).unwrap();
    assert_eq!(court.title(Locale::En), "Court fee");
    assert_eq!(court.amount(), None);
    assert_eq!(court.budget_code().unwrap().as_str(), "22030101");
    assert_eq!(court.okpo().as_str(), "37993783");
    assert_eq!(court.recipient_name(), "ГУК/22030101");
    assert!(court.is_demonstration());
    // A name that looks like a placeholder stays what it is.
    assert_eq!(
        court.purpose_for("Олена {clientIPN}", "3068208400"),
        "101 Збір, Олена {clientIPN}, 3068208400"
    );
    let balance = data
        .template(&TemplateId::parse("balance").unwrap())
        .unwrap();
    assert_eq!(balance.amount().map(Money::kopiykas), Some(3_400));
    assert_eq!(balance.budget_code(), None);
}

#[test]
fn banks_have_names() {
    let data = data();
    let iban = Iban::parse("UA768999980999022012600460051").unwrap();
    assert_eq!(data.bank_name(&iban, Locale::Uk), Some("Казначейство"));
    assert_eq!(data.bank_name(&iban, Locale::En), Some("Treasury"));
    let unknown = Iban::parse("UA223052990000026001234567890").unwrap();
    assert_eq!(data.bank_name(&unknown, Locale::Uk), None);
}

#[test]
fn the_commission_table_is_there() {
    let data = data();
    let minimum = |moment: &str| data.tariffs().in_force(moment.parse().unwrap()).minimum;
    assert_eq!(minimum("2025-11-10T21:59:59Z").kopiykas(), 500);
    assert_eq!(minimum("2025-11-10T22:00:00Z").kopiykas(), 1_000);
}

#[test]
fn doubtful_rows_are_taken_and_told() {
    let doubt = |file: &str, line, doubt| DoubtfulRow {
        file: file.to_owned(),
        line,
        doubt,
    };
    let missing = |of: &str, code: Option<&str>| Doubt::RecipientMissing {
        payment_type: of.to_owned(),
        budget_code: code.map(str::to_owned),
    };
    for (set, expected) in [
        (
            files_with("term-taxes.csv", 3, "right-slow,330.00,2026-02-01,"),
            vec![doubt(
                "term-taxes.csv",
                3,
                Doubt::Gap {
                    first: FIRST_DAY_OF_2026,
                    last: date(2026, 1, 31),
                },
            )],
        ),
        (
            files_with("term-taxes.csv", 4, ""),
            vec![doubt("terms.csv", 3, Doubt::NeverOffered)],
        ),
        (
            files_with("options.csv", 4, "note,registry,Довідка,Note,,"),
            vec![doubt("options.csv", 4, Doubt::NeverOffered)],
        ),
        (
            files_with("requisites.csv", 4, ""),
            vec![
                doubt("regions.csv", 2, missing("private", Some("22012900"))),
                doubt("regions.csv", 2, missing("state", Some("22012900"))),
            ],
        ),
        (
            files_with("requisites.csv", 5, ""),
            vec![doubt("regions.csv", 2, missing("registry", None))],
        ),
        (
            files_with(
                "requisites.csv",
                6,
                "x,lviv,private,22012600,ГУК/22012900,38008295,UA258999980313060170000008007,2025-01-01,,yes",
            ),
            vec![
                doubt("requisites.csv", 6, Doubt::CodeCheckDigit),
                doubt("requisites.csv", 6, Doubt::NameWithAnotherCode),
            ],
        ),
        (
            files_with(
                "templates.csv",
                3,
                "balance,Поповнення,Top-up,34,ГУК/22030101,UA223052990000026001234567890,37993784,,Поповнення,2026-01-01,,no",
            ),
            vec![
                doubt("templates.csv", 3, Doubt::CodeCheckDigit),
                doubt("templates.csv", 3, Doubt::NameWithAnotherCode),
                doubt("templates.csv", 3, Doubt::CommentWithoutCode),
            ],
        ),
    ] {
        assert_eq!(parse(&set).unwrap().doubtful_rows(), expected);
    }
    assert_eq!(
        doubt("regions.csv", 2, missing("private", Some("22012900"))).to_string(),
        "regions.csv:2: no recipient for private with the budget code 22012900"
    );
}
