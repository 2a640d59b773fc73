//! The template of a sheet of payments: a sheet to fill in, examples, and the names that may stand in its cells.

use jiff::civil::{Date, Time};
use rust_xlsxwriter::{
    DataValidation, DocProperties, Format, IgnoreError, Workbook, Worksheet, XlsxError,
};

use super::WorkbookError;
use super::formats::Formats;

/// Rows of the sheet that offer names: what a cart holds.
const ROWS: u32 = 200;

/// What the template consists of.
pub struct PaymentSheet {
    /// The name of the sheet that is filled in.
    pub name: String,
    /// Its headings, with the width of the column in characters.
    pub headings: Vec<(String, u8)>,
    /// The name of the sheet with the examples.
    pub examples_name: String,
    /// The rows of the examples.
    pub examples: Vec<Vec<String>>,
    /// The name of the sheet with the names.
    pub values_name: String,
    /// Its columns: a heading, and the names.
    pub values: Vec<(String, Vec<String>)>,
    /// Columns that offer the names of a column of `values`.
    pub choices: Vec<(u16, u16)>,
}

/// Makes the workbook. `day` stands for the time of its making.
///
/// # Errors
/// Returns a [`WorkbookError`] if the library fails.
pub fn payment_sheet(parts: &PaymentSheet, day: Date) -> Result<Vec<u8>, WorkbookError> {
    let formats = Formats::new();
    // Codes keep their zeros, and nothing that is typed becomes a date.
    let text = Format::new().set_num_format("@");
    let mut workbook = Workbook::new();
    let sheet = headed(&mut workbook, &parts.name, &parts.headings, &formats)?;
    for (at, _) in (0..).zip(&parts.headings) {
        sheet.set_column_format(at, &text)?;
    }
    for (column, names) in &parts.choices {
        let count = parts.values.get(usize::from(*names));
        let last = count.map_or(0, |(_, names)| names.len()) + 1;
        let letter = char::from(b'A' + u8::try_from(*names).unwrap_or(0));
        let list = format!("='{}'!${letter}$2:${letter}${last}", parts.values_name);
        // Other texts stay possible: the report says what is wrong with them.
        let offered = DataValidation::new()
            .allow_list_formula(list.as_str().into())
            .show_error_message(false);
        sheet.add_data_validation(1, *column, ROWS, *column, &offered)?;
    }
    let examples = headed(
        &mut workbook,
        &parts.examples_name,
        &parts.headings,
        &formats,
    )?;
    for (line, row) in (1..).zip(&parts.examples) {
        for (at, cell) in (0..).zip(row) {
            examples.write_string_with_format(line, at, cell, &text)?;
        }
    }
    let headings = parts.values.iter();
    let headings: Vec<_> = headings.map(|(heading, _)| (heading.clone(), 40)).collect();
    let values = headed(&mut workbook, &parts.values_name, &headings, &formats)?;
    for (at, (_, names)) in (0..).zip(&parts.values) {
        for (line, name) in (1..).zip(names) {
            values.write_string_with_format(line, at, name, &text)?;
        }
    }
    let made = DocProperties::new().set_creation_datetime(&day.to_datetime(Time::midnight()));
    workbook.set_properties(&made);
    Ok(workbook.save_to_buffer()?)
}

/// Adds a sheet with headings.
fn headed<'w>(
    workbook: &'w mut Workbook,
    name: &str,
    headings: &[(String, u8)],
    formats: &Formats,
) -> Result<&'w mut Worksheet, XlsxError> {
    let sheet = workbook.add_worksheet();
    sheet.set_name(name)?;
    for (at, (heading, width)) in (0..).zip(headings) {
        sheet.set_column_width(at, *width)?;
        sheet.write_string_with_format(0, at, heading, &formats.heading)?;
    }
    sheet.set_row_height(0, super::HEADING_HEIGHT)?;
    sheet.set_freeze_panes(1, 0)?;
    let last = u16::try_from(headings.len().saturating_sub(1)).unwrap_or(u16::MAX);
    sheet.ignore_error_range(1, 0, ROWS, last, IgnoreError::NumberStoredAsText)?;
    Ok(sheet)
}
