//! What a new set of tables changes, in words for the operator.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::{Locale, Money, OptionId, TermId};
use jiff::civil::Date;

use crate::cells::{read_date, read_decimal};
use crate::choices::Reading;
use crate::data::ReferenceData;
use crate::fee_changes::{FeeChange, fee_changes};
use crate::model::DatedFee;
use crate::table::{
    BANKS, BUDGET_CODES, DEAL_ANSWERS, DEAL_FACTS, DEAL_KINDS, DEAL_LINES, DEAL_RULES,
    OPTION_TARIFFS, OPTIONS, PAYMENT_CODES, PAYMENT_TYPES, REGIONS, REQUISITES, Row, Schema,
    TARIFFS, TEMPLATES, TERM_TAXES, TERMS, TREASURY_LAST_DAYS, Table,
};

/// Tables whose rows are told apart by one column, each with that column and with the one that names the row to a person. Those by which
/// money finds its account come first.
const TABLES_OF_ROWS: [(&Schema, &str, &str); 16] = [
    (&REQUISITES, "id", "recipient_name"),
    (&TEMPLATES, "id", "title_uk"),
    (&BANKS, "code", "name_uk"),
    (&PAYMENT_TYPES, "id", "slug"),
    (&OPTIONS, "id", "name_uk"),
    (&TERMS, "id", "period_uk"),
    (&REGIONS, "id", "name_uk"),
    (&TARIFFS, "valid_from", "percent"),
    (&BUDGET_CODES, "code", "name_uk"),
    (&PAYMENT_CODES, "code", "name_uk"),
    (&TREASURY_LAST_DAYS, "last_day", "source"),
    (&DEAL_KINDS, "id", "name_uk"),
    (&DEAL_FACTS, "id", "question_uk"),
    (&DEAL_ANSWERS, "id", "name_uk"),
    (&DEAL_LINES, "id", "name_uk"),
    (&DEAL_RULES, "id", "ground_uk"),
];

/// A set of tables: its files, and what was read from them.
#[derive(Clone, Copy, Debug)]
pub struct TableSet<'a> {
    /// The files by name.
    pub files: &'a BTreeMap<String, String>,
    /// The same as data.
    pub data: &'a ReferenceData,
}

/// What a new set of tables changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// The tables that change, each with a line for each change.
    pub tables: Vec<(&'static str, Vec<String>)>,
    /// The days on which a changed row begins to hold, or no longer does.
    pub days: BTreeSet<Date>,
}

/// Compares two sets of tables. Notes, and the order of rows and columns, are not compared.
#[must_use]
pub fn difference(old: TableSet<'_>, new: TableSet<'_>) -> Difference {
    let mut difference = Difference::default();
    for (schema, key, name) in TABLES_OF_ROWS {
        let lines = row_lines(
            schema,
            (key, name),
            old.files,
            new.files,
            &mut difference.days,
        );
        difference.add(schema, lines);
    }
    let lines = tax_lines(old.data, new.data, &mut difference.days);
    difference.add(&TERM_TAXES, lines);
    let lines = tariff_lines(old.data, new.data, &mut difference.days);
    difference.add(&OPTION_TARIFFS, lines);
    difference
}

impl Difference {
    fn add(&mut self, schema: &Schema, lines: Vec<String>) {
        if !lines.is_empty() {
            self.tables.push((schema.file, lines));
        }
    }
}

/// The lines about a table whose rows have a key.
fn row_lines(
    schema: &Schema,
    (key, name): (&'static str, &'static str),
    old: &BTreeMap<String, String>,
    new: &BTreeMap<String, String>,
    days: &mut BTreeSet<Date>,
) -> Vec<String> {
    // Both sets were read without fault before.
    let (old, new) = (
        Table::read(schema, old, &mut Vec::new()),
        Table::read(schema, new, &mut Vec::new()),
    );
    let (old_rows, new_rows) = (rows_by_key(&old, key), rows_by_key(&new, key));
    let keys: BTreeSet<&str> = old_rows.keys().chain(new_rows.keys()).copied().collect();
    let mut lines = Vec::new();
    for key in keys {
        let label = match key {
            "" => "the first row",
            key => key,
        };
        match (old_rows.get(key), new_rows.get(key)) {
            (Some(row), None) => {
                let (name, to) = (old.cell(row, name), account_of(schema, &old, row));
                lines.push(format!("removed {label} ({name}){to}"));
                take_days(&old, row, days);
            }
            (None, Some(row)) => {
                let (name, to) = (new.cell(row, name), account_of(schema, &new, row));
                lines.push(format!("added {label} ({name}){to}"));
                take_days(&new, row, days);
            }
            (Some(before), Some(after)) => {
                let changes = cell_changes(schema, (&old, before), (&new, after));
                if !changes.is_empty() {
                    let is_other = ACCOUNT_COLUMNS.iter().any(|column| {
                        schema.has(column) && old.cell(before, column) != new.cell(after, column)
                    });
                    let look = if is_other {
                        " (LOOK: money goes elsewhere)"
                    } else {
                        ""
                    };
                    lines.push(format!("changed {label}: {}{look}", changes.join(", ")));
                    take_days(&old, before, days);
                    take_days(&new, after, days);
                }
            }
            (None, None) => {}
        }
    }
    // Where money goes elsewhere stands before what else changes.
    lines.sort_by_key(|line| !line.contains("LOOK"));
    lines
}

/// The columns that say whose account gets the money.
const ACCOUNT_COLUMNS: [&str; 3] = ["iban", "edrpou", "treasury"];

/// The account of a row in words, where it has one.
fn account_of(schema: &Schema, table: &Table, row: &Row) -> String {
    if !schema.has("iban") {
        return String::new();
    }
    let (iban, code) = (table.cell(row, "iban"), table.cell(row, "edrpou"));
    format!(": account {iban}, code {code}")
}

fn rows_by_key<'a>(table: &'a Table, key: &'static str) -> BTreeMap<&'a str, &'a Row> {
    let rows = table.rows.iter();
    rows.map(|row| (table.cell(row, key), row)).collect()
}

/// The cells that differ. A sum is compared by its value: spreadsheets write it in several ways.
fn cell_changes(
    schema: &Schema,
    (old, before): (&Table, &Row),
    (new, after): (&Table, &Row),
) -> Vec<String> {
    let columns = schema.columns.iter().chain(schema.optional);
    columns
        .filter_map(|column| {
            let (before, after) = (old.cell(before, column), new.cell(after, column));
            let (old_sum, new_sum) = (read_decimal(before), read_decimal(after));
            let is_same_sum = is_sum(column) && old_sum.is_some() && old_sum == new_sum;
            let look = match (old_sum, new_sum) {
                (Some(old), Some(new)) if is_sum(column) && is_large(old, new) => {
                    " (LOOK: by more than a third)"
                }
                _ => "",
            };
            (before != after && !is_same_sum)
                .then(|| format!("{column} from {} to {}{look}", shown(before), shown(after)))
        })
        .collect()
}

/// Whether a column has a sum or a rate.
fn is_sum(column: &str) -> bool {
    ["amount", "percent", "minimum", "maximum", "sum"].contains(&column)
}

fn shown(cell: &str) -> String {
    if cell.is_empty() {
        "nothing".to_owned()
    } else {
        format!("«{cell}»")
    }
}

/// Adds the first day of a row, and the day after its last.
fn take_days(table: &Table, row: &Row, days: &mut BTreeSet<Date>) {
    days.extend(read_date(table.cell(row, "valid_from")));
    let last = read_date(table.cell(row, "valid_to"));
    days.extend(last.and_then(|last| last.tomorrow().ok()));
}

/// The lines about fees.
fn tax_lines(old: &ReferenceData, new: &ReferenceData, days: &mut BTreeSet<Date>) -> Vec<String> {
    let (before, after) = (&old.term_taxes, &new.term_taxes);
    let terms: BTreeSet<&TermId> = before.keys().chain(after.keys()).collect();
    let mut lines = Vec::new();
    for term in terms {
        let label = term_label(term, new).or_else(|| term_label(term, old));
        let label = label.unwrap_or_else(|| term.to_string());
        let [surcharge, whole] = Reading::ALL.map(|reading| {
            let (before, after) = (before.get(term), after.get(term));
            fee_changes(&of_reading(before, reading), &of_reading(after, reading))
        });
        if surcharge == whole {
            push_changes(&surcharge, &label, "", days, &mut lines);
        } else {
            push_changes(&surcharge, &label, ", reading surcharge", days, &mut lines);
            push_changes(&whole, &label, ", reading whole", days, &mut lines);
        }
    }
    lines
}

/// The rows of a term by one reading.
fn of_reading(rows: Option<&Vec<DatedFee>>, reading: Reading) -> Vec<DatedFee> {
    let rows = rows.into_iter().flatten();
    rows.filter(|row| row.reading.is_none_or(|one| one == reading))
        .copied()
        .collect()
}

/// A term in words: its option, and how fast.
fn term_label(id: &TermId, data: &ReferenceData) -> Option<String> {
    let term = data.term(id)?;
    let option = data.option(term.option())?;
    let (option, period) = (option.name(Locale::Uk), term.period(Locale::Uk));
    Some(format!("{id} ({option}, {period})"))
}

/// The lines about tariffs of registers.
fn tariff_lines(
    old: &ReferenceData,
    new: &ReferenceData,
    days: &mut BTreeSet<Date>,
) -> Vec<String> {
    let (before, after) = (&old.option_tariffs, &new.option_tariffs);
    let options: BTreeSet<&OptionId> = before.keys().chain(after.keys()).collect();
    let rows_of = |rows: Option<&Vec<DatedFee>>| rows.cloned().unwrap_or_default();
    let mut lines = Vec::new();
    for id in options {
        let option = new.option(id).or_else(|| old.option(id));
        let label = option.map_or_else(
            || id.to_string(),
            |option| format!("{id} ({})", option.name(Locale::Uk)),
        );
        let changes = fee_changes(&rows_of(before.get(id)), &rows_of(after.get(id)));
        push_changes(&changes, &label, "", days, &mut lines);
    }
    lines
}

fn push_changes(
    changes: &[FeeChange],
    label: &str,
    reading: &str,
    days: &mut BTreeSet<Date>,
    lines: &mut Vec<String>,
) {
    for change in changes {
        days.insert(change.from);
        let to = change.to.map_or_else(String::new, |to| format!(" to {to}"));
        let what = fee_words(change);
        lines.push(format!(
            "{label}{reading}: {what}, from {}{to}",
            change.from
        ));
    }
}

/// Whether a sum changes by more than a third of what it was. The minimums of a year never did, and a slip of the point always does.
fn is_large(old: Money, new: Money) -> bool {
    let change = new.kopiykas().abs_diff(old.kopiykas());
    change.saturating_mul(3) > old.kopiykas().unsigned_abs()
}

/// A change of a fee in words.
fn fee_words(change: &FeeChange) -> String {
    let uah = |sum: Money| format!("{} UAH", sum.decimal());
    match (change.old, change.new) {
        (Some(old), Some(new)) if old.sum != new.sum => {
            let look = if is_large(old.sum, new.sum) {
                " (LOOK: by more than a third)"
            } else {
                ""
            };
            format!("fee from {} to {}{look}", uah(old.sum), uah(new.sum))
        }
        (Some(old), Some(new)) if old.is_fixed != new.is_fixed => {
            let becomes = if new.is_fixed {
                "fixed"
            } else {
                "one that follows the year"
            };
            format!("fee stays {} and becomes {becomes}", uah(new.sum))
        }
        (_, Some(new)) if change.old.is_some() => {
            let began = new.valid_from;
            format!(
                "fee stays {}, by a row that begins on {began}",
                uah(new.sum)
            )
        }
        (_, Some(new)) => format!("fee from nothing to {}", uah(new.sum)),
        (Some(old), None) => format!("fee from {} to nothing", uah(old.sum)),
        (None, None) => String::new(),
    }
}
