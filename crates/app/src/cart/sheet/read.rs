//! Reading a sheet: a workbook (XLSX), or a table as text in UTF-8, UTF-16 or windows-1251.
//!
//! The bytes come from outside. Everything that they could make large is bounded: the unpacked size, rows, columns and texts.

use cabinet_domain::{Key, Locale, PaymentKind, SheetColumn, comparable};
use cabinet_receipts::kind_name;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1251};

use super::cells::{COLUMNS_MAX, LINES_MAX, Line, SheetRow, kept};
use super::workbook;

/// Most payments of one sheet: what a cart holds.
pub const SHEET_ROWS_MAX: usize = 200;
/// The headings stand in one of the first lines.
const HEADINGS_WITHIN: usize = 20;
/// A line with so many known headings is the line of headings.
const HEADINGS_MIN: usize = 2;
/// Headings without a column that are named.
const OTHERS_MAX: usize = 10;

/// What was read of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadSheet {
    /// The rows that have any text.
    pub rows: Vec<SheetRow>,
    /// Headings of columns that the cabinet doesn't know; their cells are not read.
    pub unknown_headings: Vec<String>,
}

/// Reads the bytes of a file.
///
/// # Errors
/// `sheet_unreadable`, `sheet_headings_missing`, `sheet_empty`, `sheet_too_large`.
pub fn read_sheet(bytes: &[u8]) -> Result<ReadSheet, Key> {
    if workbook::is_archive(bytes) {
        rows_of(workbook::lines(bytes)?)
    } else {
        read_sheet_text(&decoded(bytes)?)
    }
}

/// Reads pasted rows, or the text of a file.
///
/// # Errors
/// As [`read_sheet`].
pub fn read_sheet_text(text: &str) -> Result<ReadSheet, Key> {
    rows_of(lines_of(text)?)
}

/// Returns the text of a file. What is not UTF-8 and has no mark of UTF-16 is windows-1251, which older programs write.
fn decoded(bytes: &[u8]) -> Result<String, Key> {
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1251,
    };
    let (text, _, _) = encoding.decode(bytes);
    // The file of another program: a text has no such characters.
    if text.contains(|sign: char| sign.is_control() && !matches!(sign, '\t' | '\r' | '\n')) {
        return Err(Key::SheetUnreadable);
    }
    Ok(text.into_owned())
}

/// Returns the lines of a table as text. Cells are separated by tabs, semicolons or commas, whichever the line of headings has.
fn lines_of(text: &str) -> Result<Vec<Line>, Key> {
    // A row is named by its line, and lines are counted by their feeds.
    let text = &text.replace("\r\n", "\n").replace('\r', "\n");
    let separator = separator_of(text).ok_or(Key::SheetEmpty)?;
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(u8::try_from(separator).unwrap_or(b'\t'))
        .from_reader(text.as_bytes());
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|_| Key::SheetUnreadable)?;
        if lines.len() == LINES_MAX {
            return Err(Key::SheetTooLarge);
        }
        // An open quotation mark has swallowed the rows after it.
        let swallows = |cell: &str| cell.contains('\n') && cell.matches(separator).count() > 2;
        if record.iter().any(swallows) {
            return Err(Key::SheetUnreadable);
        }
        let number = record.position().map_or(0, ::csv::Position::line);
        let cells = record.iter().take(COLUMNS_MAX);
        let cells = cells.map(|cell| kept(cell.chars())).collect();
        lines.push((u32::try_from(number).unwrap_or(u32::MAX), cells));
    }
    Ok(lines)
}

/// Returns the separator of the line of headings: a title above it may have any. A text without headings has that of its first line.
/// `None`: the text is empty.
fn separator_of(text: &str) -> Option<char> {
    let separators = ['\t', ';', ','];
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.clone().next()?;
    let of_headings = lines.by_ref().take(HEADINGS_WITHIN).find_map(|line| {
        separators
            .into_iter()
            .find(|separator| has_headings(line, *separator))
    });
    let of_first = || {
        let most = |separator: &char| (first.matches(*separator).count(), *separator == '\t');
        separators.into_iter().max_by_key(most)
    };
    of_headings.or_else(of_first)
}

fn has_headings(line: &str, separator: char) -> bool {
    let cells = line.split(separator).take(COLUMNS_MAX);
    let cells = cells.map(|cell| kept(cell.trim().trim_matches('"').chars()));
    let known = cells.filter(|cell| SheetColumn::of_heading(cell).is_some());
    known.take(HEADINGS_MIN).count() == HEADINGS_MIN
}

/// Returns the rows below the headings.
fn rows_of(lines: Vec<Line>) -> Result<ReadSheet, Key> {
    let has_text = |cells: &[String]| cells.iter().any(|cell| !cell.is_empty());
    let lines: Vec<Line> = lines
        .into_iter()
        .filter(|(_, cells)| has_text(cells))
        .collect();
    if lines.is_empty() {
        return Err(Key::SheetEmpty);
    }
    let mut sheet = ReadSheet::default();
    let first = lines.iter().take(HEADINGS_WITHIN);
    let headings = first
        .map(|(_, cells)| columns_of(cells))
        .enumerate()
        .find(|(_, columns)| columns.iter().flatten().count() >= HEADINGS_MIN);
    let (columns, rows) = match headings {
        Some((at, columns)) => {
            let (above, rows) = lines.split_at(at + 1);
            if let Some((_, cells)) = above.last() {
                sheet.unknown_headings = unknown(cells, &columns);
            }
            (columns, rows)
        }
        // Rows that were copied without their headings have the columns of the template.
        None if starts_with_kind(&lines) => (SheetColumn::ALL.map(Some).to_vec(), &*lines),
        None => return Err(Key::SheetHeadingsMissing),
    };
    for (number, cells) in rows {
        let mut row = SheetRow {
            number: *number,
            ..SheetRow::default()
        };
        for (column, text) in columns.iter().zip(cells) {
            if let Some(column) = column {
                row.cells.set(*column, text);
            }
        }
        if row.cells.is_empty() {
            continue;
        }
        if sheet.rows.len() == SHEET_ROWS_MAX {
            return Err(Key::SheetTooLarge);
        }
        sheet.rows.push(row);
    }
    if sheet.rows.is_empty() {
        return Err(Key::SheetEmpty);
    }
    Ok(sheet)
}

fn starts_with_kind(lines: &[Line]) -> bool {
    let first = lines.first().and_then(|(_, cells)| cells.first());
    first.is_some_and(|cell| is_kind(cell))
}

/// Returns the column of each cell of a line, if its text is a heading. A heading that stands twice counts once.
fn columns_of(cells: &[String]) -> Vec<Option<SheetColumn>> {
    let mut columns: Vec<Option<SheetColumn>> = Vec::with_capacity(cells.len());
    for cell in cells {
        let column = SheetColumn::of_heading(cell);
        let is_new = !columns.contains(&column);
        columns.push(column.filter(|_| is_new));
    }
    columns
}

fn unknown(cells: &[String], columns: &[Option<SheetColumn>]) -> Vec<String> {
    let named = cells.iter().zip(columns);
    let unknown = named.filter(|(cell, column)| column.is_none() && !cell.is_empty());
    unknown
        .map(|(cell, _)| cell.chars().take(60).collect())
        .take(OTHERS_MAX)
        .collect()
}

/// Whether a text is the name of a kind of payment.
pub(super) fn is_kind(text: &str) -> bool {
    PaymentKind::ALL
        .into_iter()
        .any(|kind| names_kind(kind, text))
}

/// A name that templates have which notaries keep: those of version 0.2 call payments by bank details so in English.
const KEPT_NAME: (PaymentKind, &str) = (PaymentKind::RequisitesPayment, "Payment to requisites");

/// Whether a text is a name of this kind of payment.
pub(super) fn names_kind(kind: PaymentKind, text: &str) -> bool {
    let wanted = comparable(text);
    let names = Locale::ALL.map(|locale| (kind, kind_name(kind, locale)));
    let mut names = names.into_iter().chain([KEPT_NAME]);
    text == kind.slug() || names.any(|(of, name)| of == kind && comparable(name) == wanted)
}
