//! The statement of Privat24 for business as a table.
//!
//! The columns have the names of the fields with which the bank's interface «Автоклієнт» (version 3.0.0) tells a statement.

use cabinet_domain::{Iban, Uetr};
use jiff::civil::Date;

use crate::entry::{Credit, Entry, Fact, References, UNNUMBERED};
use crate::facts::{bank_reference, document_number, sum, sum_in};
use crate::privat24::DAY;
use crate::problem::{Finding, Problem};
use crate::reasons::reason_of;
use crate::rows::{Row, Rows};

/// The account of the statement. The column tells this table from others.
pub(crate) const OWN_ACCOUNT: &str = "AUT_MY_ACC";
/// The account of the other side.
const OTHER_ACCOUNT: &str = "AUT_CNTR_ACC";
/// `D`: debit, `C`: credit.
const DIRECTION: &str = "TRANTYPE";
/// The sum, always positive.
const SUM: &str = "SUM";
/// The currency.
const CURRENCY: &str = "CCY";
/// The value date.
const VALUE_DATE: &str = "DAT_OD";
/// The number of the document.
const NUMBER: &str = "NUM_DOC";
/// The state: `p` under way, `r` booked, `t` reversed, `n` refused.
const STATE: &str = "PR_PR";
/// `r`: a real entry. `i`: an entry for information.
const REALITY: &str = "FL_REAL";
/// The bank's reference.
const REFERENCE: &str = "REF";
/// The number of the entry under that reference. Both together name one entry.
const REFERENCE_PART: &str = "REFN";
/// The end-to-end reference.
const UETR: &str = "UETR";
/// The purpose. That of a return says why.
const PURPOSE: &str = "OSND";

/// The columns without which nothing can be told: also not whether an entry is booked, and real.
const NEEDED: &[&str] = &[
    OWN_ACCOUNT,
    OTHER_ACCOUNT,
    DIRECTION,
    SUM,
    CURRENCY,
    VALUE_DATE,
    NUMBER,
    STATE,
    REALITY,
];

/// Reads the entries of a statement.
///
/// # Errors
/// A column is missing, or stands twice.
pub(crate) fn read(rows: &Rows<'_>) -> Result<Vec<Entry>, Finding> {
    rows.check(NEEDED)?;
    let read = rows.rows_of_lines().map(|row| match row {
        Ok(row) => read_row(&row).unwrap_or_else(|problem| unread(&row, problem, |_| true)),
        Err(broken) => unread(&broken.row, broken.problem, |column| {
            broken.is_readable && (!rows.has(column) || broken.row.has(column))
        }),
    });
    Ok(read.collect())
}

/// Tells of a row that can't be read what can be. `is_read`: whether the cell of a column is known.
fn unread(row: &Row<'_>, problem: Problem, is_read: impl Fn(&str) -> bool) -> Entry {
    let is_known = [OTHER_ACCOUNT, DIRECTION, NUMBER, UETR]
        .into_iter()
        .all(is_read);
    let account = Iban::parse(row.cell(OTHER_ACCOUNT))
        .ok()
        .filter(|_| is_known);
    let mut references = references(row);
    if row.cell(DIRECTION) == "C" {
        references.document_number = None;
    }
    let (amount, other_sum) = sum_in(sum(row.cell(SUM)), row.cell(CURRENCY));
    Entry {
        number: UNNUMBERED,
        line: row.line,
        fact: Fact::Unread(problem),
        references,
        amount,
        other_sum,
        accounts: account.into_iter().collect(),
        credit: None,
    }
}

fn references(row: &Row<'_>) -> References {
    References {
        uetr: Uetr::parse(row.cell(UETR)),
        transfer: None,
        document_number: document_number(row.cell(NUMBER)),
        bank_reference: bank_reference(&format!(
            "{}{}",
            row.cell(REFERENCE),
            row.cell(REFERENCE_PART)
        )),
        booking_reference: None,
    }
}

fn read_row(row: &Row<'_>) -> Result<Entry, Problem> {
    let unreadable = Problem::Unreadable;
    let amount = sum(row.cell(SUM)).ok_or(unreadable(SUM))?;
    let (amount, other_sum) = sum_in(Some(amount), row.cell(CURRENCY));
    let day = Date::strptime(DAY, row.cell(VALUE_DATE)).map_err(|_| unreadable(VALUE_DATE))?;
    let mut references = references(row);
    let mut told = None;
    let fact = match row.cell(DIRECTION) {
        "D" => debit(row, day)?,
        "C" => {
            told = told_credit(row, day);
            // Whoever pays in numbers his documents as he likes. Only the end-to-end reference tells that money of ours came back.
            references.document_number = None;
            credit(row, &references, day)?
        }
        _ => return Err(unreadable(DIRECTION)),
    };
    Ok(Entry {
        number: UNNUMBERED,
        line: row.line,
        fact,
        references,
        amount,
        other_sum,
        accounts: Iban::parse(row.cell(OTHER_ACCOUNT)).into_iter().collect(),
        credit: told,
    })
}

fn is_other(row: &Row<'_>) -> Result<Option<Fact>, Problem> {
    match (row.cell(CURRENCY), row.cell(REALITY)) {
        ("UAH", "r") => Ok(None),
        ("UAH", "i") => Ok(Some(Fact::Other("it is an entry for information"))),
        ("UAH", _) => Err(Problem::Unreadable(REALITY)),
        _ => Ok(Some(Fact::Other("its currency is not the hryvnia"))),
    }
}

fn debit(row: &Row<'_>, day: Date) -> Result<Fact, Problem> {
    if let Some(other) = is_other(row)? {
        return Ok(other);
    }
    match row.cell(STATE) {
        "r" => Ok(Fact::UnderWay {
            debited_on: Some(day),
        }),
        "p" => Ok(Fact::Other("it is not booked yet")),
        "t" => Ok(Fact::Reversed {
            reason: reason_of("", ["Сторновано банком"]),
        }),
        "n" => Ok(Fact::Refused {
            reason: reason_of("", ["Забраковано банком"]),
            on: day,
            is_duplicate: false,
        }),
        _ => Err(Problem::Unreadable(STATE)),
    }
}

fn credit(row: &Row<'_>, references: &References, day: Date) -> Result<Fact, Problem> {
    if let Some(other) = is_other(row)? {
        return Ok(other);
    }
    match (row.cell(STATE), &references.uetr) {
        ("r", Some(_)) => Ok(Fact::Returned {
            reason: reason_of("", [row.cell(PURPOSE)]),
            on: Some(day),
        }),
        ("r", None) => Ok(Fact::Other("money that came in")),
        ("", _) => Err(Problem::Unreadable(STATE)),
        _ => Ok(Fact::Other("money that came in, not booked")),
    }
}

/// Returns what a booked credit says to the owner of the account.
fn told_credit(row: &Row<'_>, day: Date) -> Option<Credit> {
    let is_booked = is_other(row) == Ok(None) && row.cell(STATE) == "r";
    let account = Iban::parse(row.cell(OWN_ACCOUNT))
        .ok()
        .filter(|_| is_booked)?;
    Some(Credit {
        account,
        on: day,
        text: row.cell(PURPOSE).to_owned(),
    })
}
