//! The tables of a year from its minimums.

use std::collections::BTreeMap;

use jiff::civil::date;

use super::{small, starter_files};
use crate::{
    Left, Reading, TableChoices, TableSet, TablesOfYear, YearError, YearMinimums, difference,
    parse, tables_of_year,
};
use cabinet_domain::{Money, TermId};

fn minimums(year: i16, subsistence: i64, wage: i64) -> YearMinimums {
    YearMinimums {
        year,
        subsistence_minimum: Money::from_hryvnias(subsistence).unwrap(),
        minimum_wage: Money::from_hryvnias(wage).unwrap(),
    }
}

/// The small set with other fees.
fn with_taxes(rows: &str) -> BTreeMap<String, String> {
    let mut files = small::files();
    let header = "note,term_id,tax,valid_from,valid_to,base,multiples,rounded_to,reading,fixed\n";
    files.insert("term-taxes.csv".to_owned(), format!("{header}{rows}"));
    files
}

/// The rows of fees without their header.
fn taxes(made: &TablesOfYear) -> Vec<&str> {
    made.files["term-taxes.csv"].lines().skip(1).collect()
}

#[test]
fn every_fee_of_the_starter_set_is_its_multiple_of_the_years_minimums() {
    let starter = starter_files();
    // What the law on the budget of each year set for 1 January.
    for of_year in [minimums(2025, 3028, 8000), minimums(2026, 3328, 8647)] {
        let made = tables_of_year(&starter, of_year).unwrap();
        assert_eq!(made.left, []);
        // 30 terms, four of them with both readings, and four tariffs.
        assert_eq!(made.computed, 38);
        for (name, text) in &starter {
            assert_eq!(&made.files[name], text, "{name} of {}", of_year.year);
        }
    }
}

#[test]
fn a_new_year_begins_where_the_old_sums_end() {
    let starter = starter_files();
    let made = tables_of_year(&starter, minimums(2027, 3500, 9000)).unwrap();
    assert_eq!((made.computed, made.left.len()), (38, 0));
    let (old, new) = (parse(&starter).unwrap(), parse(&made.files).unwrap());
    let (last, first) = (date(2026, 12, 31), date(2027, 1, 1));
    assert_eq!(
        (new.stale_rows(last), new.stale_rows(first)),
        (vec![], vec![])
    );
    let surcharge = new.clone().with_choices(TableChoices {
        reading: Reading::Surcharge,
        ..TableChoices::default()
    });
    for (id, in_2026, in_2027, by_surcharge) in [
        ("ownership-5wd", 33_000, 35_000, 35_000),
        ("other-right-5wd", 17_000, 18_000, 18_000),
        ("future-object-right-ordinary", 43_235, 45_000, 45_000),
        ("entity-change-24h", 100_000, 105_000, 105_000),
        ("entity-change-2h", 499_000, 525_000, 630_000),
        // 30 % of 1050.00 is 315.00, of 250.00 it is 75.00: halves go up.
        ("entity-correction-ordinary", 30_000, 32_000, 32_000),
        ("union-branch-correction-ordinary", 7_000, 8_000, 8_000),
    ] {
        let term = TermId::parse(id).unwrap();
        let tax = |data: &crate::ReferenceData, day| data.term_tax(&term, day).map(Money::kopiykas);
        assert_eq!(tax(&old, last), Some(in_2026), "{id}");
        assert_eq!(tax(&new, last), Some(in_2026), "{id}");
        assert_eq!(tax(&new, first), Some(in_2027), "{id}");
        assert_eq!(tax(&surcharge, first), Some(by_surcharge), "{id}");
    }
    let set = |files, data| TableSet { files, data };
    let changes = difference(set(&starter, &old), set(&made.files, &new));
    let tables: Vec<_> = changes.tables.iter().map(|(file, _)| *file).collect();
    assert_eq!(tables, ["term-taxes.csv", "option-tariffs.csv"]);
    assert_eq!(changes.days.into_iter().collect::<Vec<_>>(), [first]);
    let looks = changes.tables.iter().flat_map(|(_, lines)| lines);
    assert_eq!(looks.filter(|line| line.contains("LOOK")).count(), 0);
}

#[test]
fn the_same_year_again_takes_the_later_minimums() {
    let starter = starter_files();
    let first = tables_of_year(&starter, minimums(2027, 3500, 9000)).unwrap();
    let again = tables_of_year(&first.files, minimums(2027, 3500, 9000)).unwrap();
    assert_eq!(again, first);
    let other = tables_of_year(&first.files, minimums(2027, 3600, 9000)).unwrap();
    let straight = tables_of_year(&starter, minimums(2027, 3600, 9000)).unwrap();
    assert_eq!(other, straight);
}

#[test]
fn a_slip_of_the_point_is_marked_in_the_changes() {
    let starter = starter_files();
    let made = tables_of_year(&starter, minimums(2027, 34_820, 9000)).unwrap();
    let (old, new) = (parse(&starter).unwrap(), parse(&made.files).unwrap());
    let set = |files, data| TableSet { files, data };
    let changes = difference(set(&starter, &old), set(&made.files, &new));
    let lines: Vec<_> = changes.tables.iter().flat_map(|(_, lines)| lines).collect();
    let marked = lines.iter().filter(|line| line.contains("LOOK")).count();
    // All but the two that follow the minimum wage.
    assert_eq!((lines.len() - marked, marked > 30), (2, true));
}

#[test]
fn rows_are_kept_ended_and_followed() {
    let files = with_taxes(
        "\"old, kept\",right-slow,300,2025-01-01,2025-12-31,subsistence_minimum,0.1,10,,\n\
         \"of 2026, ended\",right-slow,330,2026-01-01,,subsistence_minimum,\"0,1\",10,,\n\
         fixed,right-fast,6660,2026-01-01,,,,,,yes\n",
    );
    let made = tables_of_year(&files, minimums(2027, 3482, 9347)).unwrap();
    assert_eq!(
        taxes(&made),
        [
            "\"old, kept\",right-slow,300,2025-01-01,2025-12-31,subsistence_minimum,0.1,10,,",
            "\"of 2026, ended\",right-slow,330,2026-01-01,2026-12-31,subsistence_minimum,\"0,1\",10,,",
            ",right-slow,350.00,2027-01-01,,subsistence_minimum,\"0,1\",10,,",
            "fixed,right-fast,6660,2026-01-01,,,,,,yes",
        ]
    );
    // The tariff of the small set has no multiple.
    let left: Vec<String> = made.left.iter().map(ToString::to_string).collect();
    assert_eq!(
        left,
        ["option-tariffs.csv:3: extract: base and multiples are empty"]
    );
    parse(&made.files).unwrap();
}

#[test]
fn an_end_that_is_known_stays() {
    let files = with_taxes(
        ",right-slow,330,2026-01-01,2027-06-30,subsistence_minimum,0.1,10,,\n\
         ,right-slow,400,2027-07-01,,subsistence_minimum,0.12,10,,\n\
         ,right-fast,6660,2026-01-01,,fee:right-slow,20,,,\n",
    );
    let made = tables_of_year(&files, minimums(2027, 3482, 9347)).unwrap();
    assert_eq!(
        taxes(&made),
        [
            ",right-slow,330,2026-01-01,2026-12-31,subsistence_minimum,0.1,10,,",
            ",right-slow,350.00,2027-01-01,2027-06-30,subsistence_minimum,0.1,10,,",
            ",right-slow,400,2027-07-01,,subsistence_minimum,0.12,10,,",
            ",right-fast,6660,2026-01-01,2026-12-31,fee:right-slow,20,,,",
            ",right-fast,7000.00,2027-01-01,,fee:right-slow,20,,,",
        ]
    );
    assert_eq!(made.left[0].why, Left::BeginsLater);
    parse(&made.files).unwrap();
}

#[test]
fn what_does_not_follow_is_left_and_named() {
    let files = with_taxes(
        ",right-slow,330,2026-01-01,,fee:right-fast,0.1,10,,\n\
         ,right-fast,6660,2026-01-01,,,,,,\n",
    );
    let error = tables_of_year(&files, minimums(2027, 3482, 9347)).unwrap_err();
    assert_eq!(error, YearError::NoMultiples);
    let of_a_part = with_taxes(
        ",right-slow,330,2026-01-01,,subsistence_minimum,0.1,10,,\n\
         ,right-fast,6660,2026-01-01,,fee:nothing,20,,,\n",
    );
    let made = tables_of_year(&of_a_part, minimums(2027, 3482, 9347)).unwrap();
    assert_eq!(made.left[0].why, Left::BaseNotComputed);
    let made = tables_of_year(&of_a_part, minimums(2027, 1, 9347));
    assert_eq!(made, Err(YearError::NoMultiples));
    // Tables from before the columns.
    let before = tables_of_year(&small::files(), minimums(2027, 3482, 9347));
    assert_eq!(before, Err(YearError::NoMultiples));
}
