//! Every reason for which a row is refused, each at its line and without further complaints about what depends on it.

use std::collections::{BTreeMap, BTreeSet};

use super::small::{files, files_with};
use crate::{BadRow, Reason, parse};

/// A number for each reason, so that a test can tell whether it has met all of them.
fn number_of(reason: &Reason) -> usize {
    match reason {
        Reason::FileMissing => 0,
        Reason::FileUnknown => 1,
        Reason::FileTooLong { .. } => 2,
        Reason::NoRows => 3,
        Reason::ColumnMissing { .. } => 4,
        Reason::ColumnUnknown { .. } => 5,
        Reason::ColumnTwice { .. } => 6,
        Reason::CellCount { .. } => 7,
        Reason::Quotes => 8,
        Reason::Empty { .. } => 9,
        Reason::TextInvalid { .. } => 10,
        Reason::TextTooLong { .. } => 11,
        Reason::IdInvalid { .. } => 12,
        Reason::Duplicate { .. } => 13,
        Reason::UnknownParent { .. } => 14,
        Reason::NamedTwice { .. } => 15,
        Reason::SlugUnknown => 16,
        Reason::SlugMissing { .. } => 17,
        Reason::IsoCodeInvalid => 18,
        Reason::DateInvalid { .. } => 19,
        Reason::PeriodReversed => 20,
        Reason::PeriodsOverlap { .. } => 21,
        Reason::MoneyInvalid { .. } => 22,
        Reason::MoneyZero { .. } => 23,
        Reason::PercentInvalid => 24,
        Reason::YesNoInvalid { .. } => 25,
        Reason::IbanInvalid => 26,
        Reason::CodeInvalid => 27,
        Reason::PairIncomplete { .. } => 28,
        Reason::AccountOfAnother { .. } => 29,
        Reason::BudgetCodeInvalid { .. } => 30,
        Reason::BudgetCodeRequired => 31,
        Reason::BankCodeInvalid => 32,
        Reason::TariffStartMissing => 33,
        Reason::PlaceholderUnknown => 34,
        Reason::CommentTooLong { .. } => 35,
        Reason::PurposeFormInvalid => 36,
        Reason::RegionWithoutRecipients => 37,
        Reason::TypeWithoutOptions => 38,
        Reason::TypeTakesNone { .. } => 39,
        Reason::OptionWithoutTerms => 40,
        Reason::TermOutOfPlace => 41,
        Reason::TariffOutOfPlace => 42,
        Reason::ReadingUnknown => 43,
        Reason::ReadingMissing { .. } => 44,
        Reason::TreasuryCodeInvalid => 45,
        Reason::PaymentCodeInvalid => 46,
        Reason::PaymentCodeUnknown => 47,
        Reason::PurposeTooLong { .. } => 48,
        Reason::TaxUnknown => 49,
        Reason::WordUnknown { .. } => 50,
        Reason::AmountUnclear => 51,
        Reason::BaseOutOfPlace => 52,
        Reason::LimitsReversed => 53,
        Reason::BaseNotAsked { .. } => 54,
        Reason::AnswerNotAsked { .. } => 55,
        Reason::FactWithoutAnswers => 56,
        Reason::KindWithoutRules => 57,
        Reason::TooManyCases { .. } => 58,
        Reason::RulesOverlap { .. } => 59,
        Reason::RuleMissing { .. } => 60,
        Reason::MultipleInvalid => 61,
        Reason::BudgetAccountElsewhere { .. } => 62,
        Reason::YearTwice { .. } => 63,
        Reason::ForEachOutOfPlace => 64,
        // Only a list of confirmed accounts is compared with today: see `confirm`.
        Reason::DateToCome { .. } => usize::MAX,
    }
}
const REASONS: usize = 65;

/// `file:line|text|reason`: a line put into the small set, and the one reason it must give at that very line.
const BAD_LINES: &str = "\
banks.csv:1|code,name_uk|column name_en is missing
banks.csv:1|code,name_uk,name_en,swift|column \"swift\" is unknown
banks.csv:1|code,name_uk,name_en,code|column code stands twice
banks.csv:1|\"code,name_uk,name_en|a quotation mark is not closed, or text follows the closing one
banks.csv:3|305299,\"Приват,PrivatBank|a quotation mark is not closed, or text follows the closing one
treasury-last-days.csv:3|2025-12-30,a letter|the year has its last day already in line 2
treasury-last-days.csv:2|28.12.2025,a letter|last_day is not a date of the form 2026-01-31
treasury-last-days.csv:2|2025-12-28,|source is empty
banks.csv:3|305299,ПриватБанк|the row has 2 cells, the header 3
options.csv:2|right,private state,Право, власність,Right,22012600,|the row has 7 cells, the header 6
banks.csv:3|305299,ПриватБанк,|name_en is empty
banks.csv:3|305299,\u{200b},PrivatBank|name_uk is empty
banks.csv:3|305299,При\u{202e}ват,PrivatBank|name_uk has characters that may not stand in a text
banks.csv:3|305299,При\0ват,PrivatBank|name_uk has characters that may not stand in a text
options.csv:2|right,private state, ,Right,22012600,|name_uk is empty
options.csv:4|note,,Довідка,Note,,|payment_types is empty
terms.csv:2|right-slow,right,5 днів,,|period_en is empty
templates.csv:3|balance,,Top-up,,А,UA513999990000026009990000001,37993783,,а {clientIPN},2026-01-01,,no|title_uk is empty
terms.csv:4|,right,3 дні,3 days,|id is empty
terms.csv:4|Right 3,right,3 дні,3 days,|id is not an identifier (1 to 64 of a-z, 0-9, -, . and _)
terms.csv:4|right-slow,right,3 дні,3 days,|id stands already in line 2
options.csv:4|extract,registry,Довідка,Note,,|id stands already in line 3
regions.csv:4|odesa,UA-46,Одеська область,Odesa Oblast,no|iso_code stands already in line 2
regions.csv:4|lviv,UA-51,Одеська область,Odesa Oblast,no|id stands already in line 2
banks.csv:3|899998,Казначейство,Treasury|code stands already in line 2
budget-codes.csv:5|22030101,Збір,Fee|code stands already in line 4
requisites.csv:6|fast,lviv,private,22012900,ГУК,38008294,UA068999980999022012900460001,2026-01-01,,yes|id stands already in line 4
templates.csv:4|court,Збір,Fee,,ГУК,UA513999990000026009990000001,37993783,,а {clientIPN},2026-01-01,,no|id stands already in line 2
terms.csv:4|left-slow,left,3 дні,3 days,|option_id: there is no \"left\"
terms.csv:4|right-3,right,3 дні,3 days,22012700|budget_code: there is no \"22012700\"
term-taxes.csv:5|left-slow,300,2025-01-01,|term_id: there is no \"left-slow\"
option-tariffs.csv:4|note,300,2025-01-01,|option_id: there is no \"note\"
options.csv:4|note,registry other,Довідка,Note,,|payment_types: there is no \"other\"
options.csv:4|note,registry,Довідка,Note,22012700,|budget_code: there is no \"22012700\"
options.csv:4|note,registry registry,Довідка,Note,,|payment_types names \"registry\" twice
requisites.csv:6|x,odesa,private,22012600,ГУК,38008294,UA688999980999022012600460001,2025-01-01,,yes|region_id: there is no \"odesa\"
requisites.csv:6|x,lviv,other,22012600,ГУК,38008294,UA688999980999022012600460001,2025-01-01,,yes|payment_types: there is no \"other\"
requisites.csv:6|x,lviv,private,22012700,ГУК,38008294,UA688999980999022012600460001,2025-01-01,,yes|budget_codes: there is no \"22012700\"
templates.csv:3|balance,П,T,,А,UA513999990000026009990000001,37993783,22012700,а {clientIPN},2026-01-01,,no|budget_code: there is no \"22012700\"
payment-types.csv:6|gift,gift_payment|slug is none of the kinds of payment
payment-types.csv:6|other,requisites_payment|slug stands already in line 5
options.csv:4|note,free,Довідка,Note,,|payment_types names a payment type that has neither options nor recipients
requisites.csv:6|x,lviv,free,22012600,ГУК,38008294,UA688999980999022012600460001,2025-01-01,,yes|payment_types names a payment type that has neither options nor recipients
options.csv:4|left,private,Ліво,Left,22012600,|the option has no term
terms.csv:4|extract-1,extract,1 день,1 day,|the option's payment types have no terms
option-tariffs.csv:4|right,300,2025-01-01,|the option's payment types have no tariffs
regions.csv:4|odesa,UA51,Одеська область,Odesa Oblast,no|iso_code is not UA- and two digits
regions.csv:4|odesa,UA-51,Одеська область,Odesa Oblast,maybe|has_recipients is neither yes nor no
requisites.csv:6|x,crimea,private,22012600,ГУК,38008294,UA688999980999022012600460001,2025-01-01,,yes|the region is marked as having no recipients
requisites.csv:6|x,lviv,private,22012600,ГУК,38008294,UA688999980999022012600460001,2025-01-01,,так|demonstration is neither yes nor no
term-taxes.csv:5|right-fast,6060,2025-02-30,2025-12-31|valid_from is not a date of the form 2026-01-31
term-taxes.csv:5|right-fast,6060,2025-01-01,31.12.2025|valid_to is not a date of the form 2026-01-31
term-taxes.csv:5|right-fast,6060,,2025-12-31|valid_from is empty
term-taxes.csv:5|right-fast,6060,2025-12-31,2025-01-01|valid_to lies before valid_from
term-taxes.csv:5|right-slow,310,2025-12-31,2025-12-31|the period overlaps that of line 2
term-taxes.csv:5|right-slow,340,2027-01-01,|the period overlaps that of line 3
option-tariffs.csv:4|extract,70,2024-01-01,2025-01-01|the period overlaps that of line 2
requisites.csv:6|x,lviv,private,22012900,ГУК Львiв/22012900,38008294,UA068999980999022012900460001,2026-01-01,,yes|the period overlaps that of line 4
term-taxes.csv:5|right-fast,86.475,2025-01-01,2025-12-31|tax is not a sum such as 86.47 or 86,47
term-taxes.csv:5|right-fast,0.00,2025-01-01,2025-12-31|tax is zero
option-tariffs.csv:3|extract,-90,2026-01-01,|tariff is not a sum such as 86.47 or 86,47
option-tariffs.csv:3|extract,90 грн,2026-01-01,|tariff is not a sum such as 86.47 or 86,47
templates.csv:3|balance,П,T,0,А,UA513999990000026009990000001,37993783,,а {clientIPN},2026-01-01,,no|amount is zero
tariffs.csv:2|,one,5|percent is not a rate such as 1.5
tariffs.csv:3|2025-11-11,1.5 %,10|percent is not a rate such as 1.5
tariffs.csv:3|2025-11-11,100.01,10|percent is not a rate such as 1.5
tariffs.csv:3|2025-11-11,1.5,ten|minimum is not a sum such as 86.47 or 86,47
tariffs.csv:4|2025-11-11,2,10|valid_from stands already in line 3
tariffs.csv:4|,2,10|valid_from stands already in line 2
requisites.csv:6|x,lviv,private,22012600,ГУК,38008294,UA688999980999022012600460002,2025-01-01,,yes|iban is not UA and 27 digits with right check digits
requisites.csv:6|x,lviv,private,22012600,ГУК,8008294,UA688999980999022012600460001,2025-01-01,,yes|edrpou is not 8 or 10 digits
requisites.csv:6|x,lviv,private,22012600,ГУК,,UA688999980999022012600460001,2025-01-01,,yes|iban and edrpou come only as a pair, edrpou is empty
requisites.csv:6|x,lviv,private,22012600,ГУК,38008294,,2025-01-01,,yes|iban and edrpou come only as a pair, iban is empty
requisites.csv:6|x,lviv,private,22012600,ГУК,37993783,UA688999980999022012600460001,2025-01-01,,yes|the account has another edrpou in requisites.csv:2
templates.csv:4|t,Збір,Fee,,ГУК,UA688999980999022012600460001,37993783,22012600,101 а {clientIPN},2025-01-01,,yes|the account has another edrpou in requisites.csv:2
requisites.csv:6|x,lviv,private,2201260,ГУК,38008294,UA688999980999022012600460001,2025-01-01,,yes|budget_codes is not a budget code of 8 digits
budget-codes.csv:5|2203010,Збір,Fee|code is not a budget code of 8 digits
banks.csv:3|30529,ПриватБанк,PrivatBank|code is not a bank code of 6 digits
payment-codes.csv:3|12,Штраф,Fine|code is not a payment code of 3 digits
payment-codes.csv:3|1o1,Штраф,Fine|code is not a payment code of 3 digits
payment-codes.csv:3|,Штраф,Fine|code is empty
payment-codes.csv:3|121,,Fine|name_uk is empty
payment-codes.csv:3|101,Штраф,Fine|code stands already in line 2
requisites.csv:6|x,lviv,private,22012600,ГУК,3068208400,UA848999980999022012600300051,2025-01-01,,yes|a Treasury account takes only an edrpou of 8 digits
templates.csv:4|t,Збір,Fee,,ГУК,UA848999980999022012600300051,3068208400,22012600,101 а {clientIPN},2025-01-01,,yes|a Treasury account takes only an edrpou of 8 digits
templates.csv:4|t,Збір,Fee,,ГУК,UA638999980999022030101300001,37993783,,101 а {clientIPN},2025-01-01,,yes|a Treasury account needs a budget code
requisites.csv:6|x,lviv,private,22012600,ГУК,37993783,UA513999990000026009990000001,2025-01-01,,yes|a budget code takes only an account at the Treasury, and the bank 399999 is not marked as one in banks.csv
templates.csv:4|t,Збір,Fee,,ГУК,UA513999990000026009990000001,37993783,22030101,а {clientIPN},2025-01-01,,yes|a budget code takes only an account at the Treasury, and the bank 399999 is not marked as one in banks.csv
templates.csv:4|t,Збір,Fee,,ГУК,UA638999980999022030101300001,37993783,22030101,999 Збір {clientIPN},2025-01-01,,yes|comment begins with a payment code that payment-codes.csv lacks
templates.csv:4|t,Збір,Fee,,ГУК,UA638999980999022030101300001,37993783,22030101,101 Збір {clientCode} {clientIPN},2025-01-01,,yes|comment has a placeholder other than {clientName} and {clientIPN}
templates.csv:4|t,Збір,Fee,,ГУК,UA638999980999022030101300001,37993783,22030101,101 Збір {clientIPN}},2025-01-01,,yes|comment has a placeholder other than {clientName} and {clientIPN}
templates.csv:4|t,Збір,Fee,,ГУК,UA638999980999022030101300001,37993783,22030101,*;101;{clientIPN};Збір;;;,2025-01-01,,yes|comment for a Treasury account must be three digits, one space and text, such as \"101 Судовий збір\"
templates.csv:4|t,Збір,Fee,,ГУК,UA638999980999022030101300001,37993783,22030101,101  Збір {clientIPN},2025-01-01,,yes|comment for a Treasury account must be three digits, one space and text, such as \"101 Судовий збір\"
templates.csv:4|t,Збір,Fee,,ГУК,UA638999980999022030101300001,37993783,22030101,Збір {clientIPN},2025-01-01,,yes|comment for a Treasury account must be three digits, one space and text, such as \"101 Судовий збір\"
deal-kinds.csv:4|gift,Дар,Gift,cost|sums has a word that the program doesn't know
deal-kinds.csv:4|gift,Дар,Gift,price|the kind of deal has no rule
deal-facts.csv:2|turn,sale gift,Який це продаж?,Which sale is it?|kinds: there is no \"gift\"
deal-facts.csv:3|home,sale,Чи це житло?,Is it a home?|the question has no answer
deal-answers.csv:4|third,kin,третій,the third|fact_id: there is no \"kin\"
deal-answers.csv:4|later,turn,третій,the third|id stands already in line 3
deal-lines.csv:3|duty,Мито,Duty,top-up|template_id: there is no \"top-up\"
deal-rules.csv:8|x,levy,act,,,buyer,,,,,0,,,П,G,law,2025-01-01,,|line_id: there is no \"levy\"
deal-rules.csv:8|x,tax,gift,,,buyer,,,,,0,,,П,G,law,2025-01-01,,|kinds: there is no \"gift\"
deal-rules.csv:8|x,tax,act,third,,buyer,,,,,0,,,П,G,law,2025-01-01,,|answers: there is no \"third\"
deal-rules.csv:8|x,tax,act,first first,,buyer,,,,,0,,,П,G,law,2025-01-01,,|answers names \"first\" twice
deal-rules.csv:8|x,tax,act,,,buyer,,,,,,left-slow,,П,G,law,2025-01-01,,|term_id: there is no \"left-slow\"
deal-rules.csv:8|x,tax,act,,,buyer,,,,,,,note,П,G,law,2025-01-01,,|option_id: there is no \"note\"
deal-rules.csv:8|x,tax,act,,,buyer,,,,,,,right,П,G,law,2025-01-01,,|the option's payment types have no tariffs
deal-rules.csv:8|x,tax,act,,,bank,,,,,0,,,П,G,law,2025-01-01,,|payer has a word that the program doesn't know
deal-rules.csv:8|x,tax,act,,suspended,buyer,,,,,0,,,П,G,law,2025-01-01,,|notary has a word that the program doesn't know
deal-rules.csv:8|x,tax,act,,,buyer,cost,5,,,,,,П,G,law,2025-01-01,,|base has a word that the program doesn't know
deal-rules.csv:8|x,tax,act,,,buyer,,5,,,,,,П,G,law,2025-01-01,,|base is empty
deal-rules.csv:8|x,tax,act,,,buyer,price,5,,,7,,,П,G,law,2025-01-01,,|base, minimum and maximum belong to a percent
deal-rules.csv:8|x,tax,act,,,buyer,,,17,,7,,,П,G,law,2025-01-01,,|base, minimum and maximum belong to a percent
deal-rules.csv:8|x,tax,act,,,buyer,,,,,7,right-slow,,П,G,law,2025-01-01,,|exactly one of percent, sum, term_id and option_id must be filled, or none and unconfirmed
deal-rules.csv:8|x,tax,act,,,buyer,,,,,,,,П,G,law,2025-01-01,,|exactly one of percent, sum, term_id and option_id must be filled, or none and unconfirmed
deal-rules.csv:8|x,tax,act,,,buyer,price,5,20,10,,,,П,G,law,2025-01-01,,|maximum lies below minimum
deal-rules.csv:8|x,tax,act,,,buyer,price,5,,,,,,П,G,law,2025-01-01,,|the kind \"act\" does not ask for the sums of the base
deal-rules.csv:8|x,tax,act,first,,buyer,,,,,0,,,П,G,law,2025-01-01,,|the kind \"act\" does not ask for \"first\"
deal-rules.csv:8|x,tax,act,,,buyer,,,,,0,,,,G,law,2025-01-01,,|ground_uk is empty
deal-rules.csv:8|x,tax,act,,,buyer,,,,,0,,,П,G,,2025-01-01,,|source is empty
deal-rules.csv:8|x,tax,sale,later,,buyer,,,,,0,,,П,G,law,2026-01-01,,|sale, private notary, answers [later], 2026-01-01: the rule of line 4 says it, too
deal-rules.csv:8|x,duty,act,,state,buyer,,,,,0,,,П,G,law,2026-05-01,,|act, state notary, answers [], 2026-05-01: the rule of line 6 says it, too
";

/// The bad lines as file, line, text and reason, with those whose length is what matters.
fn bad_lines() -> Vec<(&'static str, usize, String, &'static str)> {
    let mut cases: Vec<_> = BAD_LINES
        .split_terminator('\n')
        .map(|case| {
            let mut parts = case.split('|');
            let (file, line) = parts.next().unwrap().split_once(':').unwrap();
            let text = parts.next().unwrap().to_owned();
            (file, line.parse().unwrap(), text, parts.next().unwrap())
        })
        .collect();
    cases.push((
        "banks.csv",
        3,
        format!("305299,{},PrivatBank", "й".repeat(141)),
        "name_uk is longer than 140 characters",
    ));
    cases.push((
        "templates.csv",
        3,
        balance_with_comment(&comment_of(161)),
        "comment filled with a usual name is longer than 160 characters",
    ));
    cases
}

/// A template whose comment alone matters.
fn balance_with_comment(comment: &str) -> String {
    format!("b,П,T,,А,UA513999990000026009990000001,37993783,,{comment},2026-01-01,,no")
}

/// A comment of so many characters once a name of 38 and a code of 10 are in it.
fn comment_of(chars: usize) -> String {
    format!("{}{{clientName}}{{clientIPN}}", "й".repeat(chars - 48))
}

/// Sets that are wrong as a whole, with all they must be refused for.
fn bad_sets() -> Vec<(BTreeMap<String, String>, Vec<BadRow>)> {
    let bad = |file: &str, line, reason| BadRow {
        file: file.to_owned(),
        line,
        reason,
    };
    let mut sets = Vec::new();

    // Nobody complains about rows of a table that is not there, whatever refers to it.
    // Tables of before have no codes of payments, no days of the Treasury and no deals.
    let optional = |file: &str| {
        ["payment-codes.csv", "treasury-last-days.csv"].contains(&file) || file.starts_with("deal-")
    };
    for file in files().keys().filter(|file| !optional(file)) {
        let mut set = files();
        set.remove(file);
        sets.push((set, vec![bad(file, 0, Reason::FileMissing)]));
    }
    let mut set = files();
    set.insert("option.csv".to_owned(), String::new());
    set.insert("README.md".to_owned(), "not a table".to_owned());
    sets.push((set, vec![bad("option.csv", 0, Reason::FileUnknown)]));

    let mut set = files();
    set.insert("banks.csv".to_owned(), "x".repeat(16 * 1024 * 1024 + 1));
    let reason = Reason::FileTooLong {
        bytes_max: 16 * 1024 * 1024,
    };
    sets.push((set, vec![bad("banks.csv", 0, reason)]));

    let mut set = files();
    set.insert(
        "tariffs.csv".to_owned(),
        "valid_from,percent,minimum\n2025-11-11,1.5,10\n".to_owned(),
    );
    sets.push((set, vec![bad("tariffs.csv", 0, Reason::TariffStartMissing)]));

    let mut set = files();
    set.insert(
        "regions.csv".to_owned(),
        "id,iso_code,name_uk,name_en,has_recipients\n".to_owned(),
    );
    let unknown = |id: &str| Reason::UnknownParent {
        column: "region_id",
        id: id.to_owned(),
    };
    sets.push((
        set,
        vec![
            bad("regions.csv", 0, Reason::NoRows),
            bad("requisites.csv", 2, unknown("lviv")),
            bad("requisites.csv", 3, unknown("lviv")),
            bad("requisites.csv", 4, unknown("lviv")),
        ],
    ));

    sets.push((
        files_with("payment-types.csv", 5, ""),
        vec![bad(
            "payment-types.csv",
            0,
            Reason::SlugMissing {
                slug: "requisites_payment",
            },
        )],
    ));
    sets.push((
        files_with("options.csv", 2, "right,private,Право,Right,22012600,"),
        vec![bad("payment-types.csv", 3, Reason::TypeWithoutOptions)],
    ));
    // Both accounts hold on 1 January, and the one that ends later stands first in the file.
    sets.push((
        files_with("requisites.csv", 2, "old,lviv,private state,22012600,ГУК Львiв/22012600,38008294,UA688999980999022012600460001,2025-01-01,2026-01-01,yes"),
        vec![bad("requisites.csv", 3, Reason::PeriodsOverlap { other_line: 2 })],
    ));
    // Readings come in pairs for the same days, and beside no undisputed row.
    let readings = |rows: &str| {
        let mut set = files();
        let header = "term_id,tax,valid_from,valid_to,reading,fixed\n";
        set.insert("term-taxes.csv".to_owned(), format!("{header}{rows}"));
        set
    };
    sets.push((
        readings("right-slow,1,2025-01-01,,double,\nright-fast,1,2025-01-01,,,maybe\n"),
        vec![
            bad("term-taxes.csv", 2, Reason::ReadingUnknown),
            bad(
                "term-taxes.csv",
                3,
                Reason::YesNoInvalid { column: "fixed" },
            ),
        ],
    ));
    // A multiple is whole or absent.
    let multiples = |rows: &str| {
        let mut set = files();
        let header = "term_id,tax,valid_from,valid_to,base,multiples,rounded_to\n";
        set.insert("term-taxes.csv".to_owned(), format!("{header}{rows}"));
        set
    };
    assert!(parse(&multiples("right-slow,1,2025-01-01,,minimum_wage,\"0,1 2.5\",\nright-fast,1,2025-01-01,,fee:right-slow,0.3,10\n")).is_ok());
    sets.push((
        multiples("right-slow,1,2025-01-01,,wage,0.1,\nright-slow,1,2024-01-01,2024-12-31,,0.1,10\nright-fast,1,2025-01-01,,minimum_wage,0.1+0.2,0\nright-fast,1,2024-01-01,2024-12-31,fee:X,,\n"),
        vec![
            bad("term-taxes.csv", 2, Reason::WordUnknown { column: "base" }),
            bad("term-taxes.csv", 3, Reason::Empty { column: "base" }),
            bad(
                "term-taxes.csv",
                4,
                Reason::MoneyZero {
                    column: "rounded_to",
                },
            ),
            bad("term-taxes.csv", 4, Reason::MultipleInvalid),
            bad(
                "term-taxes.csv",
                5,
                Reason::Empty {
                    column: "multiples",
                },
            ),
            bad("term-taxes.csv", 5, Reason::WordUnknown { column: "base" }),
        ],
    ));
    let mut set = files();
    let with_column = |(number, row): (usize, &str)| match number {
        0 => format!("{row},for_each\n"),
        3 => format!("{row},object\n"),
        _ => format!("{row},\n"),
    };
    let rules = files()["deal-rules.csv"].clone();
    let rules = rules.lines().enumerate().map(with_column).collect();
    set.insert("deal-rules.csv".to_owned(), rules);
    sets.push((
        set,
        vec![bad("deal-rules.csv", 4, Reason::ForEachOutOfPlace)],
    ));
    let mut set = files();
    let codes = "code,name_uk,name_en,tax\n22012600,Збір,Fee,levy\n22012900,Плата,Fee,\n22030101,Збір,Fee,income_tax\n";
    set.insert("budget-codes.csv".to_owned(), codes.to_owned());
    sets.push((set, vec![bad("budget-codes.csv", 2, Reason::TaxUnknown)]));
    let missing = |reading| Reason::ReadingMissing { reading };
    sets.push((
        readings("right-slow,1,2025-01-01,,surcharge,\nright-fast,1,2025-01-01,,surcharge,\nright-fast,2,2026-01-01,,whole,yes\n"),
        vec![
            bad("term-taxes.csv", 2, missing("whole")),
            bad("term-taxes.csv", 3, missing("whole")),
            bad("term-taxes.csv", 4, missing("surcharge")),
        ],
    ));
    sets.push((
        readings("right-slow,1,2025-01-01,,surcharge,\nright-slow,2,2025-01-01,,whole,\nright-slow,3,2026-01-01,,,\nright-fast,1,2025-01-01,,,\n"),
        vec![
            bad("term-taxes.csv", 4, Reason::PeriodsOverlap { other_line: 2 }),
            bad("term-taxes.csv", 4, Reason::PeriodsOverlap { other_line: 3 }),
        ],
    ));
    // A long period hides behind a short one that lies inside it.
    let mut set = files();
    set.insert(
        "term-taxes.csv".to_owned(),
        "term_id,tax,valid_from,valid_to\n\
         right-slow,1,2025-01-01,2025-12-31\n\
         right-slow,2,2025-02-01,2025-02-28\n\
         right-slow,3,2025-12-31,\n"
            .to_owned(),
    );
    sets.push((
        set,
        vec![
            bad(
                "term-taxes.csv",
                3,
                Reason::PeriodsOverlap { other_line: 2 },
            ),
            bad(
                "term-taxes.csv",
                4,
                Reason::PeriodsOverlap { other_line: 2 },
            ),
        ],
    ));
    // The payer's code leaves no room for the words, and no short name helps.
    let words = |chars: usize, short: &str| {
        let long = "й".repeat(chars);
        let header = "id,payment_types,name_uk,name_en,purpose_uk,short_uk,budget_code";
        let mut set = files();
        set.insert(
            "options.csv".to_owned(),
            format!("{header}\nright,private state,Право,Right,{long},{short},22012600\nextract,registry,Витяг,Extract,,,\n"),
        );
        set
    };
    // 26 characters before the words, 8 of the term and 20 of the payer after them.
    assert!(parse(&words(366, "")).is_ok());
    assert!(parse(&words(400, "право")).is_ok());
    let chars_max = 420;
    let reason = Reason::PurposeTooLong { chars_max };
    sets.push((words(367, ""), vec![bad("options.csv", 2, reason)]));
    for (set, column, chars_max) in [
        (words(401, "право"), "purpose_uk", 400),
        (words(10, &"й".repeat(81)), "short_uk", 80),
    ] {
        let reason = Reason::TextTooLong { column, chars_max };
        sets.push((set, vec![bad("options.csv", 2, reason)]));
    }
    sets.extend(bad_deals());
    // All that is wrong with one row, and with several tables, is told at once and in the order of the files.
    let mut set = files_with("requisites.csv", 6, "X,odesa,private,1,,1,UA1,2025-1-1,,1");
    set.insert(
        "banks.csv".to_owned(),
        "code,name_uk,name_en\n\n1,,\n".to_owned(),
    );
    sets.push((
        set,
        vec![
            bad("banks.csv", 3, Reason::Empty { column: "name_en" }),
            bad("banks.csv", 3, Reason::Empty { column: "name_uk" }),
            bad("banks.csv", 3, Reason::BankCodeInvalid),
            bad(
                "requisites.csv",
                6,
                Reason::Empty {
                    column: "recipient_name",
                },
            ),
            bad("requisites.csv", 6, Reason::IdInvalid { column: "id" }),
            bad(
                "requisites.csv",
                6,
                Reason::DateInvalid {
                    column: "valid_from",
                },
            ),
            bad(
                "requisites.csv",
                6,
                Reason::YesNoInvalid {
                    column: "demonstration",
                },
            ),
            bad("requisites.csv", 6, Reason::IbanInvalid),
            bad("requisites.csv", 6, Reason::CodeInvalid),
            bad(
                "requisites.csv",
                6,
                Reason::BudgetCodeInvalid {
                    column: "budget_codes",
                },
            ),
        ],
    ));
    sets
}

/// Deals for which the rules of a payment don't say how much it is, each at the line of the payment.
fn bad_deals() -> Vec<(BTreeMap<String, String>, Vec<BadRow>)> {
    let missing = |line, case: &str| BadRow {
        file: "deal-lines.csv".to_owned(),
        line,
        reason: Reason::RuleMissing {
            case: case.to_owned(),
        },
    };
    let rule = |line, text: &str| files_with("deal-rules.csv", line, text);
    let many: Vec<String> = (0..1_001)
        .map(|number| format!("answer-{number},many,{number},{number}"))
        .collect();
    let mut too_many = rule(
        8,
        "x,duty,sale,answer-0,state,buyer,,,,,0,,,П,G,law,2025-01-01,,",
    );
    for (file, row) in [
        ("deal-facts.csv", "many,sale,Скільки?,How many?"),
        ("deal-answers.csv", many.join("\n").as_str()),
    ] {
        too_many
            .get_mut(file)
            .unwrap()
            .push_str(&format!("{row}\n"));
    }
    let reason = Reason::TooManyCases {
        kind: "sale".to_owned(),
        cases_max: 1_000,
    };
    vec![
        // A day between two rules, and the days after the last one.
        (
            rule(
                4,
                "tax-2026,tax,sale,later,,seller,larger,18,20,,,,,Н,L,law,2026-01-02,,",
            ),
            vec![missing(
                2,
                "sale, private notary, answers [later], 2026-01-01",
            )],
        ),
        (
            rule(
                4,
                "tax-2026,tax,sale,later,,seller,larger,18,20,,,,,Н,L,law,2026-01-01,2026-12-31,",
            ),
            vec![missing(
                2,
                "sale, private notary, answers [later], 2027-01-01",
            )],
        ),
        // An answer and a kind of notary that no rule is for.
        (
            files_with("deal-answers.csv", 4, "third,turn,третій,the third"),
            vec![missing(
                2,
                "sale, private notary, answers [third], 2025-01-01",
            )],
        ),
        (
            rule(
                5,
                "duty-private,duty,act,,private,buyer,,,,,0,,,П,P,law,2025-01-01,,",
            ),
            vec![missing(3, "sale, private notary, answers [], 2025-01-01")],
        ),
        (
            too_many,
            vec![BadRow {
                file: "deal-lines.csv".to_owned(),
                line: 3,
                reason,
            }],
        ),
    ]
}

#[test]
fn a_bad_line_is_named_and_nothing_else() {
    for (file, line, text, reason) in bad_lines() {
        let bad = parse(&files_with(file, line, &text)).unwrap_err();
        let told: Vec<String> = bad.iter().map(BadRow::to_string).collect();
        assert_eq!(told, [format!("{file}:{line}: {reason}")], "{text}");
    }
}

#[test]
fn limits_are_met_exactly() {
    let name = format!("305299,{},PrivatBank", "й".repeat(140));
    assert!(parse(&files_with("banks.csv", 3, &name)).is_ok());
    let template = balance_with_comment(&comment_of(160));
    assert!(parse(&files_with("templates.csv", 3, &template)).is_ok());
}

#[test]
fn a_bad_set_is_told_about_at_once() {
    for (set, expected) in bad_sets() {
        assert_eq!(parse(&set).unwrap_err(), expected);
    }
}

#[test]
fn every_reason_is_provoked() {
    let of_lines = bad_lines()
        .into_iter()
        .map(|(file, line, text, _)| files_with(file, line, &text));
    let of_sets = bad_sets().into_iter().map(|(set, _)| set);
    let seen: BTreeSet<usize> = of_lines
        .chain(of_sets)
        .flat_map(|set| parse(&set).unwrap_err())
        .map(|row| number_of(&row.reason))
        .collect();
    let missing: Vec<usize> = (0..REASONS)
        .filter(|number| !seen.contains(number))
        .collect();
    assert_eq!(missing, [0; 0], "reasons that no case provokes");
}
