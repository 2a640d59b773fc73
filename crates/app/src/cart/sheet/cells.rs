//! The texts of a row.

use std::collections::BTreeMap;

use cabinet_domain::SheetColumn;

/// Longest text of a cell that is kept, in characters: more than any field takes, so a cut text is refused as too long.
pub const CELL_CHARS_MAX: usize = 500;

/// Most lines that are looked at, empty ones included.
pub(super) const LINES_MAX: usize = 2_000;
/// Most columns that are looked at.
pub(super) const COLUMNS_MAX: usize = 40;

/// A line of a table: its number, and its cells.
pub(super) type Line = (u32, Vec<String>);

/// Returns the text of a cell as it is kept: in one line and not longer than needed.
pub(super) fn kept(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(CELL_CHARS_MAX).collect()
}

/// The texts of a row by column. Nothing of them is trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetCells(BTreeMap<SheetColumn, String>);

impl SheetCells {
    /// Sets the text of a cell. An empty one is not kept, and a long one is cut.
    pub fn set(&mut self, column: SheetColumn, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            self.0.remove(&column);
        } else {
            let kept = text.chars().take(CELL_CHARS_MAX).collect();
            self.0.insert(column, kept);
        }
    }

    /// Returns the text of a cell that has one.
    #[must_use]
    pub fn get(&self, column: SheetColumn) -> Option<&str> {
        self.0.get(&column).map(String::as_str)
    }

    /// Returns the cells with a text.
    pub fn iter(&self) -> impl Iterator<Item = (SheetColumn, &str)> {
        self.0.iter().map(|(column, text)| (*column, text.as_str()))
    }

    /// Whether no cell has a text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A row of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetRow {
    /// Its number in the sheet, as the spreadsheet program shows it.
    pub number: u32,
    /// Its texts.
    pub cells: SheetCells,
}
