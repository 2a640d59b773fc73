//! Which accounts were confirmed, and the list that confirms them.

use std::collections::BTreeMap;

use jiff::civil::{Date, date};

use super::{small, starter_files};
use crate::{ConfirmedTables, confirmed_tables, parse};

/// An account that is not invented, in the place of one that is.
const REAL: &str = "UA388999980313090206000026001";
const OTHER: &str = "UA903052992990004149123456789";

const TODAY: Date = date(2026, 11, 29);

/// The small set, two recipients of which are real.
fn files() -> BTreeMap<String, String> {
    let mut files = small::files();
    let text = files.get_mut("requisites.csv").unwrap();
    *text = text.replace("UA068999980999022012900460001", REAL).replace(
        "UA768999980999022012600460051,2026-01-01,,yes",
        "UA593052990000026009990000777,2026-01-01,,no",
    );
    // An account of the budget is kept at the Treasury.
    *text = text.replace(
        "UA593052990000026009990000777",
        "UA068999980313090206000026002",
    );
    *text = with_right_digits(text);
    files
}

/// Puts right check digits into the accounts of the second real recipient.
fn with_right_digits(text: &str) -> String {
    let wrong = "UA068999980313090206000026002";
    let right = (0..100)
        .map(|digits| format!("UA{digits:02}8999980313090206000026002"))
        .find(|iban| cabinet_domain::Iban::parse(iban).is_ok())
        .unwrap();
    text.replace(wrong, &right)
}

fn confirmed(files: &BTreeMap<String, String>, rows: &str) -> ConfirmedTables {
    let list = format!("iban,edrpou,confirmed_on,confirmed_source\n{rows}");
    confirmed_tables(files, &list, TODAY).unwrap()
}

fn refused(rows: &str) -> Vec<String> {
    let list = format!("iban,edrpou,confirmed_on,confirmed_source\n{rows}");
    let bad = confirmed_tables(&files(), &list, TODAY).unwrap_err();
    bad.iter().map(ToString::to_string).collect()
}

/// The recipients that are unconfirmed on a day.
fn unconfirmed(files: &BTreeMap<String, String>, on: Date) -> Vec<String> {
    let data = parse(files).unwrap();
    let rows = data.unconfirmed_requisites(on);
    rows.map(|row| row.id().to_string()).collect()
}

#[test]
fn tables_without_the_column_confirm_nothing_and_invented_accounts_need_no_confirmation() {
    let starter = starter_files();
    assert!(!parse(&starter).unwrap().tells_confirmations());
    assert!(unconfirmed(&starter, TODAY).is_empty());
    assert_eq!(unconfirmed(&files(), TODAY), ["new", "fast"]);
    // An account that is not valid yet is not looked at.
    assert_eq!(unconfirmed(&files(), date(2025, 6, 1)), ["fast"]);
}

#[test]
fn a_list_confirms_accounts_until_the_year_ends() {
    let files = files();
    let made = confirmed(
        &files,
        &format!("{REAL},38008294,2026-11-03,\"Treasury, Lviv\"\n"),
    );
    assert_eq!((made.confirmed, made.unknown.as_slice()), (1, &[][..]));
    let table = &made.files["requisites.csv"];
    assert!(
        table.starts_with("id,region_id,")
            && table
                .lines()
                .next()
                .unwrap()
                .ends_with(",demonstration,confirmed_on,confirmed_source")
    );
    assert!(
        table.contains(&format!(
            "{REAL},2025-01-01,,no,2026-11-03,\"Treasury, Lviv\"\n"
        )),
        "{table}"
    );
    assert!(table.contains("2026-01-01,,no,,\n"), "{table}");
    assert_eq!(unconfirmed(&made.files, TODAY), ["new"]);
    assert_eq!(unconfirmed(&made.files, date(2026, 12, 31)), ["new"]);
    assert_eq!(unconfirmed(&made.files, date(2027, 1, 1)), ["new", "fast"]);
    let data = parse(&made.files).unwrap();
    assert!(data.tells_confirmations());
    let fast = data.requisite(&"fast".parse().unwrap()).unwrap();
    assert_eq!(fast.confirmed_on(), Some(date(2026, 11, 3)));
    for (name, text) in &files {
        assert!(
            name == "requisites.csv" || &made.files[name] == text,
            "{name}"
        );
    }
}

#[test]
fn the_later_day_stays_and_the_same_list_changes_nothing() {
    let once = confirmed(
        &files(),
        &format!("{REAL},38008294,2026-11-03,a letter\n{REAL},38008294,2026-02-01,an older one\n"),
    );
    assert!(once.files["requisites.csv"].contains("no,2026-11-03,a letter\n"));
    for rows in [
        "2026-11-03,a letter",
        "2026-11-03,another letter",
        "2025-01-01,an old letter",
    ] {
        let again = confirmed(&once.files, &format!("{REAL},38008294,{rows}\n"));
        assert_eq!(
            (again.files == once.files, again.confirmed),
            (true, 1),
            "{rows}"
        );
    }
    let later = confirmed(
        &once.files,
        &format!("{REAL},38008294,2026-11-29,a later letter\n"),
    );
    assert!(later.files["requisites.csv"].contains("no,2026-11-29,a later letter\n"));
}

#[test]
fn an_account_that_no_recipient_has_is_told_and_a_wrong_line_refuses_the_list() {
    let made = confirmed(
        &files(),
        &format!("{OTHER},38008294,2026-11-03,a letter\n{REAL},38008294,2026-11-03,a letter\n"),
    );
    assert_eq!((made.confirmed, made.unknown.as_slice()), (1, &[2][..]));
    for (row, reason) in [
        (
            format!("{REAL},37993783,2026-11-03,a letter"),
            "the list:2: the account has another edrpou in requisites.csv:4",
        ),
        (
            format!("{REAL},38008294,2026-11-30,a letter"),
            "the list:2: confirmed_on lies ahead",
        ),
        (
            format!("{REAL},38008294,03.11.2026,a letter"),
            "the list:2: confirmed_on is not a date of the form 2026-01-31",
        ),
        (
            format!("{REAL},38008294,2026-11-03,"),
            "the list:2: confirmed_source is empty",
        ),
        (
            format!("{REAL},,2026-11-03,a letter"),
            "the list:2: iban and edrpou come only as a pair, edrpou is empty",
        ),
        (
            format!("{OTHER},38008294,2026-11-03,a letter\n{OTHER},37993783,2026-11-03,a letter"),
            "the list:3: the account has another edrpou in the list:2",
        ),
        (String::new(), "the list:0: the table has no rows"),
    ] {
        assert_eq!(refused(&row), [reason], "{row}");
    }
    let wrong_header = confirmed_tables(&files(), "account,code\n", TODAY).unwrap_err();
    assert!(
        wrong_header
            .iter()
            .any(|row| row.to_string() == "the list:1: column iban is missing")
    );
}
