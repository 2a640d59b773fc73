//! The help for the quarterly report of a tax agent.

use cabinet_domain::{Balance, Locale, Period, TaxLine};
use jiff::civil::Date;

use super::WorkbookError;
use super::columns::Cell;
use super::sheet::Sheet;
use super::words::TaxWords;

/// The payments to requisites of one order.
#[derive(Clone, Debug)]
pub struct TaxRow {
    /// The client's code.
    pub client_code: String,
    /// The client's name.
    pub client_name: String,
    /// What was paid.
    pub line: TaxLine,
    /// The day of the charge.
    pub paid_on: Date,
    /// The order's short number.
    pub order_number: i64,
    /// The numbers of the documents, as on the receipt.
    pub document_numbers: String,
    /// Whether a bank returned a part.
    pub has_returned: bool,
    /// The purposes.
    pub purpose: String,
}

/// Widths of the columns, and whether they have numbers.
const COLUMNS: [(u8, bool); 11] = [
    (13, false),
    (30, false),
    (16, true),
    (14, true),
    (14, true),
    (16, true),
    (13, false),
    (13, true),
    (18, false),
    (24, false),
    (46, false),
];

/// Makes the table of a quarter: a row for each order, in the given order, the total of the taxes, and notes.
///
/// # Errors
/// [`WorkbookError`].
pub fn tax_quarter(
    rows: &[TaxRow],
    period: Period,
    locale: Locale,
) -> Result<Vec<u8>, WorkbookError> {
    let words = TaxWords::of(locale);
    let heads = words.columns.into_iter().zip(COLUMNS);
    let heads = heads.map(|(heading, (width, is_number))| (heading, width, is_number));
    let mut sheet = Sheet::begin(words.sheet, heads.collect())?;
    let cell = |sum: Option<Balance>| sum.map_or(Cell::Maybe(None), Cell::Balance);
    for row in rows {
        let mark = match (row.has_returned, row.line.has_tax()) {
            (true, _) => words.is_returned,
            (false, true) => words.is_tax,
            (false, false) => words.is_other,
        };
        sheet.row(vec![
            Cell::Text(&row.client_code),
            Cell::Text(&row.client_name),
            Cell::Maybe(None),
            cell(row.line.income_tax),
            cell(row.line.military_levy),
            cell(row.line.other),
            Cell::Day(Some(row.paid_on)),
            Cell::Number(row.order_number),
            Cell::Text(&row.document_numbers),
            Cell::Text(mark),
            Cell::Text(&row.purpose),
        ])?;
    }
    let sum = |read: fn(&TaxLine) -> Option<Balance>| -> Balance {
        rows.iter().filter_map(|row| read(&row.line)).sum()
    };
    let taxes = [
        (3, sum(|line| line.income_tax)),
        (4, sum(|line| line.military_levy)),
    ];
    sheet.totals(words.all, &taxes)?;
    sheet.finish(words.notes, period.to())
}
