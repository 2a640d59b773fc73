//! Accounts that the operator has compared with what their keepers published.

use std::collections::BTreeMap;

use cabinet_domain::kernel::csv::separator_of;
use cabinet_domain::{Iban, Okpo};
use jiff::civil::Date;

use crate::cells::{Cells, read_date};
use crate::findings::Findings;
use crate::parse::parse;
use crate::problem::{BadRow, Reason};
use crate::table::{REQUISITES, Row, Schema, Table};

/// The list of confirmed accounts. Its columns are those of the recipients.
const CONFIRMED: Schema = Schema {
    file: "the list",
    columns: &["iban", "edrpou", "confirmed_on", "confirmed_source"],
    optional: &[],
    default: None,
};

/// The columns that tell of a confirmation.
const COLUMNS: [&str; 2] = ["confirmed_on", "confirmed_source"];

/// A set of tables in which the accounts of a list are confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmedTables {
    /// The files by name. Only recipients differ from those that were given.
    pub files: BTreeMap<String, String>,
    /// How many recipients are confirmed by the list, now or by an earlier one.
    pub confirmed: usize,
    /// The lines of the list whose account no recipient has: theirs may be new.
    pub unknown: Vec<usize>,
}

/// A line of the list.
struct Confirmed {
    line: usize,
    okpo: Okpo,
    on: Date,
    source: String,
}

/// Writes the days of a list beside the recipients with the same account and code. A later day stays. The list is a table in the form of all
/// tables, with the columns `iban`, `edrpou`, `confirmed_on` and `confirmed_source`.
///
/// # Errors
/// The bad rows of the given set, or else of the list, which is then called `the list`: a day after `today`, an account that stands in
/// the tables with another code.
pub fn confirmed_tables(
    files: &BTreeMap<String, String>,
    list: &str,
    today: Date,
) -> Result<ConfirmedTables, Vec<BadRow>> {
    parse(files)?;
    let text = with_columns(files.get(REQUISITES.file).map_or("", String::as_str));
    let mut files = files.clone();
    files.insert(REQUISITES.file.to_owned(), text.clone());
    let recipients = Table::read(&REQUISITES, &files, &mut Vec::new());
    let listed = read_list(list, &recipients, today)?;

    let separator = separator_of(text.lines().next().unwrap_or_default());
    let rows: BTreeMap<usize, &Row> = recipients.rows.iter().map(|row| (row.line, row)).collect();
    let mut lines = Vec::new();
    let mut found = Vec::new();
    let mut confirmed = 0;
    for (line, number) in text.lines().zip(1..) {
        let row = rows.get(&number).copied();
        let of_list = row.and_then(|row| {
            let (iban, confirmed) = listed.get_key_value(&account_of(&recipients, row)?)?;
            Some((row, iban, confirmed))
        });
        let Some((row, iban, newest)) = of_list else {
            lines.push(line.to_owned());
            continue;
        };
        found.push(iban.clone());
        confirmed += 1;
        let before = read_date(recipients.cell(row, "confirmed_on"));
        if before.is_some_and(|before| before >= newest.on) {
            lines.push(line.to_owned());
            continue;
        }
        let changes = [
            (COLUMNS[0], newest.on.to_string()),
            (COLUMNS[1], newest.source.clone()),
        ];
        lines.push(recipients.changed_line(row, &changes, separator));
    }
    lines.push(String::new());
    files.insert(REQUISITES.file.to_owned(), lines.join("\n"));
    let unknown = listed.iter().filter(|(iban, _)| !found.contains(iban));
    let mut unknown: Vec<usize> = unknown.map(|(_, confirmed)| confirmed.line).collect();
    unknown.sort_unstable();
    Ok(ConfirmedTables {
        files,
        confirmed,
        unknown,
    })
}

/// Adds the columns of a confirmation to a table of recipients that lacks them.
fn with_columns(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let files = BTreeMap::from([(REQUISITES.file.to_owned(), text.to_owned())]);
    let table = Table::read(&REQUISITES, &files, &mut Vec::new());
    let separator = separator_of(text.lines().next().unwrap_or_default());
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for column in COLUMNS {
        if table.has_column(column) {
            continue;
        }
        for (place, line) in lines.iter_mut().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            line.push(separator);
            if place == 0 {
                line.push_str(column);
            }
        }
    }
    lines.join("\n")
}

fn account_of(table: &Table, row: &Row) -> Option<Iban> {
    Iban::parse(table.cell(row, "iban")).ok()
}

/// Reads the list: the newest day of each account.
fn read_list(
    list: &str,
    recipients: &Table,
    today: Date,
) -> Result<BTreeMap<Iban, Confirmed>, Vec<BadRow>> {
    let files = BTreeMap::from([(CONFIRMED.file.to_owned(), list.to_owned())]);
    let mut findings = Findings::default();
    let table = Table::read(&CONFIRMED, &files, &mut findings.bad);
    let codes: BTreeMap<Iban, (usize, &str)> = recipients
        .rows
        .iter()
        .filter_map(|row| {
            let code = (row.line, recipients.cell(row, "edrpou"));
            Some((account_of(recipients, row)?, code))
        })
        .collect();
    let rows = findings.rows(&table, |cells| {
        let account = cells.account();
        let on = past_date(cells, today);
        let source = cells.text(COLUMNS[1]);
        let ((iban, okpo), on, source) = (account?, on?, source?);
        if let Some((line, code)) = codes.get(&iban)
            && *code != okpo.as_str()
        {
            let file = REQUISITES.file;
            return cells.refuse(Reason::AccountOfAnother { file, line: *line });
        }
        Some((iban, okpo, on, source))
    });
    let mut listed: BTreeMap<Iban, Confirmed> = BTreeMap::new();
    for row in rows {
        let (line, (iban, okpo, on, source)) = (row.line, row.value);
        if let Some(before) = listed.get(&iban) {
            if before.okpo != okpo {
                let (file, line_before) = (CONFIRMED.file, before.line);
                let reason = Reason::AccountOfAnother {
                    file,
                    line: line_before,
                };
                findings.refuse(CONFIRMED.file, line, reason);
                continue;
            }
            if before.on >= on {
                continue;
            }
        }
        let confirmed = Confirmed {
            line,
            okpo,
            on,
            source,
        };
        listed.insert(iban, confirmed);
    }
    if table.is_readable && table.rows.is_empty() {
        findings.refuse(CONFIRMED.file, 0, Reason::NoRows);
    }
    match findings.bad.is_empty() {
        true => Ok(listed),
        false => Err(findings.bad),
    }
}

/// The day of a confirmation, which can't lie ahead.
fn past_date(cells: &mut Cells<'_>, today: Date) -> Option<Date> {
    let column = COLUMNS[0];
    let on = cells.date(column)?;
    if on > today {
        return cells.refuse(Reason::DateToCome { column });
    }
    Some(on)
}
