//! Payments as a spreadsheet (XLSX).
//!
//! Sums and times are stored as numbers and dates, so that they can be used in formulas. Everything that a person typed is stored
//! as text, so that no cell becomes a formula.

mod acts;
mod columns;
mod formats;
mod income_book;
mod lines;
mod payment_sheet;
mod sheet;
mod tax_quarter;
mod words;

pub use acts::{ActRow, acts_workbook};
pub use columns::PaymentRow;
pub use income_book::{BookRow, income_book};
pub use payment_sheet::{PaymentSheet, payment_sheet};
pub use tax_quarter::{TaxRow, tax_quarter};
pub use words::TaxMark;

use cabinet_domain::{Balance, Locale, OrderStatus, PaidBy, kyiv_time};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use rust_xlsxwriter::{DocProperties, IgnoreError, Workbook, Worksheet, XlsxError};

use self::columns::{
    COLUMNS, COUNT_COLUMN, Cell, LAST_COLUMN, PaymentRow as Row, SUMS_COLUMN, SUMS_COUNT,
    WORDS_COLUMN, sums_of,
};
use self::formats::Formats;
use self::lines::lines_of;
use crate::wording::Wording;

/// Why the spreadsheet could not be made. No variant contains personal data, so all of them may be logged.
#[derive(Debug, thiserror::Error)]
pub enum WorkbookError {
    /// A time of a row is outside of the calendar.
    #[error("a time of a payment cannot be shown in Kyiv time")]
    Time,
    /// A number can't be written. This can't happen for valid sums.
    #[error("a sum cannot be written as a number")]
    Number,
    /// The library failed.
    #[error("the workbook could not be written")]
    Workbook(#[from] XlsxError),
}

/// Returns the file name: `Archive-2026-11-21.xlsx` of one day, `Archive-2026-01-01-2026-03-31.xlsx` of a period.
#[must_use]
pub fn workbook_name(from: Date, to: Option<Date>) -> String {
    match to {
        None => format!("Archive-{from}.xlsx"),
        Some(to) => format!("Archive-{from}-{to}.xlsx"),
    }
}

/// Height of the heading, two lines, in points.
const HEADING_HEIGHT: u8 = 36;
/// Height of a line, in points.
const LINE_HEIGHT: u32 = 15;
/// The format's number for A4.
const PAPER_A4: u8 = 9;
/// Printed pages beside each other, because the columns do not fit on one. Each begins with the order's number.
const PAGES_WIDE: u16 = 2;
/// The page margins in inches: left, right, top, bottom, header, footer.
const MARGINS: [f64; 6] = [0.4, 0.4, 0.5, 0.6, 0.3, 0.3];

/// Makes a workbook of one sheet: a heading, a row for each payment in the given order, and four last rows: the number of all
/// payments; number and sums of those that a card paid; of those that QR codes paid; of those that were given back to the card. Other payments are
/// in no sum. The same rows give the same bytes. `rows` are written one by one, so that they need not be in memory.
///
/// # Errors
/// Returns the first error of the rows, or a [`WorkbookError`].
pub fn payments_workbook<E: From<WorkbookError>>(
    rows: impl IntoIterator<Item = Result<PaymentRow, E>>,
    locale: Locale,
) -> Result<Vec<u8>, E> {
    let mut table = Table::begin(locale)?;
    for row in rows {
        table.add(&row?)?;
    }
    Ok(table.finish()?)
}

/// The number of some rows and their sums.
#[derive(Default)]
struct Sums {
    payments: u32,
    sums: [Balance; SUMS_COUNT],
}

impl Sums {
    fn add(&mut self, row: &Row) {
        self.payments += 1;
        for (sum, money) in self.sums.iter_mut().zip(sums_of(row)) {
            *sum += money.into();
        }
    }
}

/// A workbook that is being written.
struct Table {
    workbook: Workbook,
    formats: Formats,
    locale: Locale,
    /// The number of rows so far.
    payments: u32,
    paid: Sums,
    by_codes: Sums,
    refunded: Sums,
    newest: Timestamp,
}

impl Table {
    fn begin(locale: Locale) -> Result<Table, WorkbookError> {
        let words = Wording::of(locale);
        let formats = Formats::new();
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        sheet.set_name(words.sheet_name)?;
        for (at, column) in (0..).zip(&COLUMNS) {
            sheet.set_column_width(at, column.width)?;
            let heading = if column.is_number {
                &formats.heading_of_numbers
            } else {
                &formats.heading
            };
            sheet.write_string_with_format(0, at, (column.heading)(words), heading)?;
        }
        sheet.set_row_height(0, HEADING_HEIGHT)?;
        sheet.set_freeze_panes(1, 1)?;
        sheet.set_repeat_rows(0, 0)?;
        sheet.set_repeat_columns(0, 0)?;
        sheet.set_landscape();
        sheet.set_paper_size(PAPER_A4);
        let [left, right, top, bottom, above, below] = MARGINS;
        sheet.set_margins(left, right, top, bottom, above, below);
        sheet.set_footer("&C&P / &N");
        sheet.set_print_fit_to_pages(PAGES_WIDE, 0);
        Ok(Table {
            workbook,
            formats,
            locale,
            payments: 0,
            paid: Sums::default(),
            by_codes: Sums::default(),
            refunded: Sums::default(),
            newest: Timestamp::UNIX_EPOCH,
        })
    }

    fn add(&mut self, row: &PaymentRow) -> Result<(), WorkbookError> {
        self.payments += 1;
        match row.status {
            OrderStatus::Paid if row.paid_by == Some(PaidBy::Codes) => self.by_codes.add(row),
            OrderStatus::Paid => self.paid.add(row),
            OrderStatus::Refunded => self.refunded.add(row),
            OrderStatus::InProgress
            | OrderStatus::Pending
            | OrderStatus::Failed
            | OrderStatus::Expired => {}
        }
        let paid_at = row.paid_at.unwrap_or(row.created_at);
        self.newest = self.newest.max(row.created_at).max(paid_at);
        let sheet = self.workbook.worksheet_from_index(0)?;
        let mut lines = 1;
        for (at, column) in (0..).zip(&COLUMNS) {
            let cell = (column.cell)(row, self.locale);
            if let Cell::Text(text) | Cell::Maybe(Some(text)) = cell {
                lines = lines.max(lines_of(text, column.width));
            }
            write(sheet, (self.payments, at), cell, &self.formats)?;
        }
        // Not every program fits the height of a row to its text.
        sheet.set_row_height(self.payments, lines * LINE_HEIGHT)?;
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, WorkbookError> {
        let words = Wording::of(self.locale);
        let formats = &self.formats;
        let sheet = self.workbook.worksheet_from_index(0)?;
        // The last rows are not filtered or sorted.
        sheet.autofilter(0, 0, self.payments, LAST_COLUMN)?;
        let line = self.payments + 4;
        let all = Sums {
            payments: self.payments,
            sums: [Balance::ZERO; SUMS_COUNT],
        };
        for (label, sums, line) in [
            (words.sheet_payments, &all, line - 3),
            (words.sheet_paid, &self.paid, line - 2),
            (words.sheet_by_codes, &self.by_codes, line - 1),
            (words.sheet_refunded, &self.refunded, line),
        ] {
            for at in 0..=LAST_COLUMN {
                sheet.write_blank(line, at, &formats.last_words)?;
            }
            sheet.write_string_with_format(line, WORDS_COLUMN, label, &formats.last_words)?;
            let count = sums.payments;
            sheet.write_number_with_format(line, COUNT_COLUMN, count, &formats.last_number)?;
            if line == self.payments + 1 {
                continue;
            }
            for (at, sum) in (SUMS_COLUMN..).zip(sums.sums) {
                let sum = number(&sum.decimal())?;
                sheet.write_number_with_format(line, at, sum, &formats.last_sum)?;
            }
        }
        // Codes are stored as text on purpose, so programs should not warn about each cell.
        sheet.ignore_error_range(1, 0, line, LAST_COLUMN, IgnoreError::NumberStoredAsText)?;
        let newest = TimeZone::UTC.to_datetime(self.newest);
        // With the present time two spreadsheets of the same payments would differ.
        self.workbook
            .set_properties(&DocProperties::new().set_creation_datetime(&newest));
        Ok(self.workbook.save_to_buffer()?)
    }
}

fn write(
    sheet: &mut Worksheet,
    (line, at): (u32, u16),
    cell: Cell<'_>,
    formats: &Formats,
) -> Result<(), WorkbookError> {
    match cell {
        Cell::Text(text) | Cell::Maybe(Some(text)) => {
            sheet.write_string_with_format(line, at, text, &formats.text)?;
        }
        Cell::Number(value) => {
            let value = number(&value.to_string())?;
            sheet.write_number_with_format(line, at, value, &formats.number)?;
        }
        Cell::Sum(sum) => {
            let sum = number(&sum.decimal())?;
            sheet.write_number_with_format(line, at, sum, &formats.sum)?;
        }
        Cell::Balance(sum) => {
            let sum = number(&sum.decimal())?;
            sheet.write_number_with_format(line, at, sum, &formats.sum)?;
        }
        Cell::Time(Some(at_moment)) => {
            sheet.write_datetime_with_format(line, at, kyiv(at_moment)?, &formats.time)?;
        }
        Cell::Day(Some(day)) => {
            let day = day.to_datetime(Time::midnight());
            sheet.write_datetime_with_format(line, at, day, &formats.day)?;
        }
        Cell::Maybe(None) | Cell::Time(None) | Cell::Day(None) => {}
    }
    Ok(())
}

/// Reads the number of a cell from its decimal text. The file contains the shortest text of the number, so sums are exact to the
/// kopiyka.
fn number(decimal: &str) -> Result<f64, WorkbookError> {
    decimal.parse().map_err(|_| WorkbookError::Number)
}

/// Returns date and time in Kyiv, in whole seconds.
fn kyiv(moment: Timestamp) -> Result<DateTime, WorkbookError> {
    kyiv_time(moment)
        .datetime()
        .with()
        .subsec_nanosecond(0)
        .build()
        .map_err(|_| WorkbookError::Time)
}
