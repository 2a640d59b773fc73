//! A workbook of one sheet: a heading, rows, total rows and notes. The payments of the archive have a table of their own, because they
//! are written while they are read.

use cabinet_domain::Balance;
use jiff::civil::{Date, Time};
use rust_xlsxwriter::{DocProperties, IgnoreError, Workbook, Worksheet};

use super::columns::Cell;
use super::formats::Formats;
use super::lines::lines_of;
use super::{HEADING_HEIGHT, LINE_HEIGHT, MARGINS, PAPER_A4, WorkbookError, number, write};

/// A column: heading, width in characters, and whether it is right-aligned.
pub(super) type Head = (&'static str, u8, bool);

/// A sheet that is being written.
pub(super) struct Sheet {
    workbook: Workbook,
    formats: Formats,
    heads: Vec<Head>,
    line: u32,
}

impl Sheet {
    pub(super) fn begin(name: &str, heads: Vec<Head>) -> Result<Self, WorkbookError> {
        let formats = Formats::new();
        let mut workbook = Workbook::new();
        let sheet = workbook.add_worksheet();
        sheet.set_name(name)?;
        for (at, (heading, width, is_number)) in (0..).zip(&heads) {
            sheet.set_column_width(at, *width)?;
            let format = if *is_number {
                &formats.heading_of_numbers
            } else {
                &formats.heading
            };
            sheet.write_string_with_format(0, at, *heading, format)?;
        }
        sheet.set_row_height(0, u32::from(HEADING_HEIGHT) * 2)?;
        sheet.set_freeze_panes(1, 1)?;
        sheet.set_repeat_rows(0, 0)?;
        sheet.set_landscape();
        sheet.set_paper_size(PAPER_A4);
        let [left, right, top, bottom, above, below] = MARGINS;
        sheet.set_margins(left, right, top, bottom, above, below);
        sheet.set_footer("&C&P / &N");
        sheet.set_print_fit_to_pages(1, 0);
        Ok(Self {
            workbook,
            formats,
            heads,
            line: 0,
        })
    }

    /// Writes a row.
    pub(super) fn row(&mut self, cells: Vec<Cell<'_>>) -> Result<(), WorkbookError> {
        self.line += 1;
        let sheet = self.workbook.worksheet_from_index(0)?;
        let mut lines = 1;
        for ((at, cell), (_, width, _)) in (0..).zip(cells).zip(&self.heads) {
            if let Cell::Text(text) | Cell::Maybe(Some(text)) = cell {
                lines = lines.max(lines_of(text, *width));
            }
            write(sheet, (self.line, at), cell, &self.formats)?;
        }
        sheet.set_row_height(self.line, lines * LINE_HEIGHT)?;
        Ok(())
    }

    /// Writes a row of totals: a label and sums in their columns.
    pub(super) fn totals(
        &mut self,
        label: &str,
        sums: &[(u16, Balance)],
    ) -> Result<(), WorkbookError> {
        self.line += 1;
        let formats = &self.formats;
        let sheet = self.workbook.worksheet_from_index(0)?;
        for (at, _) in (0..).zip(&self.heads) {
            sheet.write_blank(self.line, at, &formats.last_words)?;
        }
        sheet.write_string_with_format(self.line, 0, label, &formats.last_words)?;
        for &(at, sum) in sums {
            let sum = number(&sum.decimal())?;
            sheet.write_number_with_format(self.line, at, sum, &formats.last_sum)?;
        }
        Ok(())
    }

    /// Writes notes below the table and ends the workbook. `day` stands for the time of its making, so that the same rows give the
    /// same bytes.
    pub(super) fn finish(mut self, notes: &[&str], day: Date) -> Result<Vec<u8>, WorkbookError> {
        let last = u16::try_from(self.heads.len().saturating_sub(1)).unwrap_or(u16::MAX);
        let sheet = self.workbook.worksheet_from_index(0)?;
        sheet.ignore_error_range(
            1,
            0,
            self.line.max(1),
            last,
            IgnoreError::NumberStoredAsText,
        )?;
        self.line += 1;
        for note in notes {
            self.line += 1;
            write_note(sheet, self.line, last, note, &self.formats)?;
        }
        let made = DocProperties::new().set_creation_datetime(&day.to_datetime(Time::midnight()));
        self.workbook.set_properties(&made);
        Ok(self.workbook.save_to_buffer()?)
    }
}

fn write_note(
    sheet: &mut Worksheet,
    line: u32,
    last: u16,
    note: &str,
    formats: &Formats,
) -> Result<(), WorkbookError> {
    sheet.merge_range(line, 0, line, last, note, &formats.text)?;
    sheet.set_row_height(line, LINE_HEIGHT * 2)?;
    Ok(())
}
