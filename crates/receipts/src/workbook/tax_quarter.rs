//! The help for the monthly report of a tax agent.

use cabinet_domain::{Balance, Locale, Money, Period, TaxLine};
use jiff::civil::Date;

use super::WorkbookError;
use super::columns::Cell;
use super::sheet::Sheet;
use super::words::{TaxMark, TaxWords};

/// A deal, or the payments to requisites of one order that come from none.
#[derive(Clone, Debug)]
pub struct TaxRow {
    /// The client's code.
    pub client_code: String,
    /// The client's name.
    pub client_name: String,
    /// The price of the deal, but at least its valuation; `None` where no deal is kept.
    pub price: Option<Money>,
    /// What was paid.
    pub line: TaxLine,
    /// The day of the charge.
    pub paid_on: Date,
    /// The order's short number.
    pub order_number: i64,
    /// The numbers of the documents, as on the receipt.
    pub document_numbers: String,
    /// What the row is.
    pub mark: TaxMark,
    /// The purposes.
    pub purpose: String,
    /// The kind of deal, where one is kept.
    pub deal: Option<String>,
    /// The code of the income, where the tables tell one.
    pub income_code: Option<String>,
}

/// Widths of the columns, and whether they have numbers.
const COLUMNS: [(u8, bool); 13] = [
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
    (34, false),
    (10, false),
];

/// Makes the table of a month or a quarter: the rows in the given order, the total of the taxes, and notes.
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
        sheet.row(vec![
            Cell::Text(&row.client_code),
            Cell::Text(&row.client_name),
            row.price.map_or(Cell::Maybe(None), Cell::Sum),
            cell(row.line.income_tax),
            cell(row.line.military_levy),
            cell(row.line.other),
            Cell::Day(Some(row.paid_on)),
            Cell::Number(row.order_number),
            Cell::Text(&row.document_numbers),
            Cell::Text(words.mark(row.mark)),
            Cell::Text(&row.purpose),
            Cell::Maybe(row.deal.as_deref()),
            Cell::Maybe(row.income_code.as_deref()),
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
