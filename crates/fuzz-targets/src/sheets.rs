//! Sheets of payments: workbooks and tables as text.

use cabinet_app::cart::sheet::{CELL_CHARS_MAX, ReadSheet, SHEET_ROWS_MAX, read_sheet};

/// A sheet is refused, or has rows with texts that are as many and as long as they may be.
pub fn payment_sheet(bytes: &[u8]) {
    let Ok(ReadSheet {
        rows,
        unknown_headings,
    }) = read_sheet(bytes)
    else {
        return;
    };
    assert!((1..=SHEET_ROWS_MAX).contains(&rows.len()));
    assert!(unknown_headings.len() <= SHEET_ROWS_MAX);
    let mut last = 0;
    for row in rows {
        assert!(row.number > last, "a row is named by its number");
        last = row.number;
        assert!(!row.cells.is_empty());
        for (_, text) in row.cells.iter() {
            assert!(!text.trim().is_empty() && text.chars().count() <= CELL_CHARS_MAX);
        }
    }
}
