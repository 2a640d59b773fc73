//! What the operator's decisions change, and which fees follow the year.

use jiff::civil::{Date, date};

use super::small::files;
use crate::{Doubt, DoubtfulRow, ReferenceData, TableChoices, parse};
use cabinet_domain::{OptionId, StaleFee, TermId, YearDay};

/// The small set with other fees.
fn with_fees(taxes: &str, tariffs: &str) -> ReferenceData {
    let mut files = files();
    let header = "term_id,tax,valid_from,valid_to,fixed,unconfirmed\n";
    files.insert("term-taxes.csv".to_owned(), format!("{header}{taxes}"));
    let header = "option_id,tariff,valid_from,valid_to,fixed\n";
    files.insert(
        "option-tariffs.csv".to_owned(),
        format!("{header}{tariffs}"),
    );
    parse(&files).unwrap()
}

fn set_day(data: ReferenceData, day: Option<YearDay>) -> ReferenceData {
    data.with_choices(TableChoices {
        stale_fees_refused_from: day,
        ..TableChoices::default()
    })
}

/// How the fees of the small set are stale: of the term, and of the registry option.
fn stale(data: &ReferenceData, on: Date) -> [Option<StaleFee>; 2] {
    let term = TermId::parse("right-slow").unwrap();
    let option = OptionId::parse("extract").unwrap();
    [
        data.term_fee(&term, on).unwrap().stale,
        data.option_fee(&option, on).unwrap().stale,
    ]
}

#[test]
fn a_fee_of_last_year_is_stale_unless_it_is_fixed() {
    let of_2026 = Some(StaleFee {
        valid_from: date(2026, 1, 1),
        refused_from: Some(date(2027, 1, 31)),
    });
    for (fixed, expected) in [("", of_2026), ("no", of_2026), ("yes", None)] {
        let rows = |id: &str| format!("{id},330,2026-01-01,,{fixed}");
        let data = with_fees(
            &format!("{},\nright-fast,1,2027-01-01,,,\n", rows("right-slow")),
            &format!("{}\n", rows("extract")),
        );
        assert_eq!(stale(&data, date(2026, 12, 31)), [None, None]);
        assert_eq!(stale(&data, date(2027, 1, 1)), [expected, expected]);
        let named: Vec<String> = data
            .stale_rows(date(2027, 1, 1))
            .into_iter()
            .map(|row| format!("{} {}", row.file, row.id))
            .collect();
        let both = ["term-taxes.csv right-slow", "option-tariffs.csv extract"];
        let all: &[&str] = if expected.is_some() { &both } else { &[] };
        assert_eq!(named, all);
    }
}

#[test]
fn the_day_of_refusal_is_the_operators() {
    let data = with_fees(
        "right-slow,330,2026-06-01,,,\nright-fast,1,2026-01-01,,,\n",
        "extract,80,2026-01-01,,\n",
    );
    let on = date(2027, 3, 1);
    let refused_from =
        |data: &ReferenceData| stale(data, on)[0].and_then(|stale| stale.refused_from);
    let data = set_day(data, YearDay::parse("02-15"));
    assert_eq!(refused_from(&data), Some(date(2027, 2, 15)));
    let data = set_day(data, None);
    assert!(stale(&data, on)[0].is_some());
    assert_eq!(refused_from(&data), None);
}

#[test]
fn a_row_says_what_about_it_is_unconfirmed() {
    let data = with_fees(
        "right-slow,330,2026-01-01,,,the multiple\nright-fast,1,2026-01-01,,,\n",
        "extract,80,2026-01-01,,\n",
    );
    let what = "the multiple".to_owned();
    assert_eq!(
        data.doubtful_rows(),
        [DoubtfulRow {
            file: "term-taxes.csv".to_owned(),
            line: 2,
            doubt: Doubt::Unconfirmed { what },
        }]
    );
}
