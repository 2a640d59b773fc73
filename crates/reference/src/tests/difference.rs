//! What a new set of tables changes, in words.

use std::collections::BTreeMap;

use jiff::civil::date;

use super::small::{files, files_with};
use crate::{Difference, TableSet, difference, parse};

fn compare(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Difference {
    let (old_data, new_data) = (parse(old).unwrap(), parse(new).unwrap());
    difference(
        TableSet {
            files: old,
            data: &old_data,
        },
        TableSet {
            files: new,
            data: &new_data,
        },
    )
}

/// The lines about one table; nothing else changes.
fn lines(new: &BTreeMap<String, String>, file: &str) -> Vec<String> {
    let mut tables = compare(&files(), new).tables;
    assert_eq!(tables.len(), 1, "{tables:?}");
    let (changed, lines) = tables.remove(0);
    assert_eq!(changed, file);
    lines
}

fn with_taxes(rows: &str) -> BTreeMap<String, String> {
    let mut files = files();
    let header = "term_id,tax,valid_from,valid_to,reading,fixed\n";
    files.insert("term-taxes.csv".to_owned(), format!("{header}{rows}"));
    files
}

#[test]
fn the_same_tables_do_not_differ_whatever_their_form() {
    assert_eq!(compare(&files(), &files()), Difference::default());
    // Other separators, notes, order of columns and ways to write a sum.
    let mut other = files();
    other.insert(
        "tariffs.csv".to_owned(),
        "minimum;note;valid_from;percent\n5,00;a;;1,50\n10;;2025-11-11;1,5\n".to_owned(),
    );
    other.insert(
        "term-taxes.csv".to_owned(),
        "term_id;valid_from;valid_to;tax\nright-fast;2026-01-01;;6660,00\nright-slow;2026-01-01;;330\nright-slow;2025-01-01;2025-12-31;300\n".to_owned(),
    );
    assert_eq!(compare(&files(), &other), Difference::default());
}

#[test]
fn fees_of_a_new_year_are_told_by_sum_and_day() {
    let new = with_taxes(
        "right-slow,300,2025-01-01,2025-12-31,,\n\
         right-slow,330,2026-01-01,2026-12-31,,\n\
         right-slow,350.00,2027-01-01,,,\n\
         right-fast,6660,2026-01-01,2026-12-31,,\n\
         right-fast,6660,2027-01-01,,,\n",
    );
    assert_eq!(
        lines(&new, "term-taxes.csv"),
        [
            "right-fast (Право, 1 день): fee stays 6660.00 UAH, by a row that begins on 2027-01-01, from 2027-01-01",
            "right-slow (Право, 5 днів): fee from 330.00 UAH to 350.00 UAH, from 2027-01-01",
        ]
    );
    assert_eq!(
        compare(&files(), &new).days.into_iter().collect::<Vec<_>>(),
        [date(2027, 1, 1)]
    );
}

#[test]
fn gaps_readings_and_fixed_fees_are_told() {
    let new = with_taxes(
        "right-slow,300,2025-01-01,2025-12-31,,\n\
         right-slow,330,2026-01-01,2026-06-30,,\n\
         right-slow,330,2026-08-01,,,\n\
         right-fast,6660,2026-01-01,,surcharge,\n\
         right-fast,3330,2026-01-01,,whole,\n",
    );
    assert_eq!(
        lines(&new, "term-taxes.csv"),
        [
            "right-fast (Право, 1 день), reading whole: fee from 6660.00 UAH to 3330.00 UAH (LOOK: by more than a third), from 2026-01-01",
            "right-slow (Право, 5 днів): fee from 330.00 UAH to nothing, from 2026-07-01 to 2026-07-31",
            "right-slow (Право, 5 днів): fee stays 330.00 UAH, by a row that begins on 2026-08-01, from 2026-08-01",
        ]
    );
    let new = with_taxes(
        "right-slow,300,2025-01-01,2025-12-31,,\nright-slow,330,2026-01-01,,,yes\nright-fast,6660,2025-12-01,,,\n",
    );
    assert_eq!(
        lines(&new, "term-taxes.csv"),
        [
            "right-fast (Право, 1 день): fee from nothing to 6660.00 UAH, from 2025-12-01 to 2025-12-31",
            "right-fast (Право, 1 день): fee stays 6660.00 UAH, by a row that begins on 2025-12-01, from 2026-01-01",
            "right-slow (Право, 5 днів): fee stays 330.00 UAH and becomes fixed, from 2026-01-01",
        ]
    );
}

#[test]
fn rows_are_told_by_their_key_and_their_cells() {
    let new = files_with("banks.csv", 3, "305299,ПриватБанк,PrivatBank");
    assert_eq!(lines(&new, "banks.csv"), ["added 305299 (ПриватБанк)"]);
    let new = files_with("payment-codes.csv", 3, "999,Інше,Other");
    assert_eq!(lines(&new, "payment-codes.csv"), ["added 999 (Інше)"]);
    let new = files_with("tariffs.csv", 2, ",2,5");
    assert_eq!(
        lines(&new, "tariffs.csv"),
        ["changed the first row: percent from «1.5» to «2»"]
    );
    let new = files_with("option-tariffs.csv", 3, "extract,91,2026-01-01,");
    assert_eq!(
        lines(&new, "option-tariffs.csv"),
        ["extract (Витяг): fee from 90.50 UAH to 91.00 UAH, from 2026-01-01"]
    );
    // An account that ends, and the one after it.
    let mut new = files_with(
        "requisites.csv",
        4,
        "fast,lviv,private state,22012900,ГУК Львiв/22012900,38008294,UA068999980999022012900460001,2025-01-01,2026-12-31,no",
    );
    let table = new.get_mut("requisites.csv").unwrap();
    table.push_str("\nfast-27,lviv,private state,22012900,ГУК Львiв/22012900,38008294,UA068999980999022012900460001,2027-01-01,,no");
    let found = compare(&files(), &new);
    assert_eq!(
        found.tables,
        [(
            "requisites.csv",
            vec![
                "changed fast: valid_to from nothing to «2026-12-31»".to_owned(),
                "added fast-27 (ГУК Львiв/22012900): account UA068999980999022012900460001, code 38008294".to_owned(),
            ]
        )]
    );
    assert!(found.days.contains(&date(2027, 1, 1)));
}

#[test]
fn a_changed_rule_of_a_deal_is_told_with_its_days() {
    let rule = "tax-2026,tax,sale,later,,seller,larger,23,20.00,,,,,Наступний,A later one,the law,2026-01-01,,";
    let new = files_with("deal-rules.csv", 4, rule);
    assert_eq!(
        lines(&new, "deal-rules.csv"),
        ["changed tax-2026: percent from «18» to «23»"]
    );
    let days: Vec<_> = compare(&files(), &new).days.into_iter().collect();
    assert_eq!(days, [date(2026, 1, 1)]);
}
