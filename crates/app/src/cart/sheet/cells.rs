//! The texts of a row.

use std::collections::BTreeMap;

use cabinet_domain::SheetColumn;

/// Longest text of a cell that is kept, in characters: more than any field takes, so a cut text is refused as too long.
pub const CELL_CHARS_MAX: usize = 500;

/// Most characters of a text that are looked at: white space does not count among those that are kept. Many cells of a workbook may
/// point at one long text, so without this bound a small file costs hours.
const CHARS_LOOKED_AT: usize = 4 * CELL_CHARS_MAX;

/// Most lines that are looked at, empty ones included.
pub(super) const LINES_MAX: usize = 2_000;
/// Most columns that are looked at.
pub(super) const COLUMNS_MAX: usize = 40;

/// A line of a table: its number, and its cells.
pub(super) type Line = (u32, Vec<String>);

/// Returns the text of a cell as it is kept: with single spaces, single line ends, and not longer than needed. No more characters are
/// taken than may matter.
pub(super) fn kept(text: impl IntoIterator<Item = char>) -> String {
    let mut kept = String::new();
    let (mut length, mut gap) = (0, None);
    for sign in text.into_iter().take(CHARS_LOOKED_AT) {
        if sign.is_whitespace() {
            let is_line_end = gap == Some('\n') || is_line_end(sign);
            gap = (length > 0).then_some(if is_line_end { '\n' } else { ' ' });
            continue;
        }
        if let Some(gap) = gap.take() {
            kept.push(gap);
            length += 1;
        }
        if length < CELL_CHARS_MAX {
            kept.push(sign);
            length += 1;
        }
        if length >= CELL_CHARS_MAX {
            break;
        }
    }
    kept
}

const fn is_line_end(sign: char) -> bool {
    matches!(sign, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The texts of a row by column. Nothing of them is trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetCells(BTreeMap<SheetColumn, String>);

impl SheetCells {
    /// Sets the text of a cell. An empty one is not kept, and a long one is cut. Of two lines one is made; two sums stay apart by a sign
    /// that is seen in a field, too.
    pub fn set(&mut self, column: SheetColumn, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            self.0.remove(&column);
        } else {
            let between = if column == SheetColumn::Amount {
                '↵'
            } else {
                ' '
            };
            let one_line = text
                .chars()
                .map(|sign| if is_line_end(sign) { between } else { sign });
            let kept = one_line.take(CELL_CHARS_MAX).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_in_one_line_and_cut() {
        let kept = |text: &str| kept(text.chars());
        assert_eq!(kept(" \n плата \u{a0} за\tреєстри "), "плата за реєстри");
        assert_eq!(kept("340 \r\n 500\n"), "340\n500");
        assert_eq!(kept(" \t "), "");
        assert_eq!(
            kept(&"я".repeat(CELL_CHARS_MAX)).chars().count(),
            CELL_CHARS_MAX
        );
        assert_eq!(
            kept(&"я".repeat(CELL_CHARS_MAX + 1)).chars().count(),
            CELL_CHARS_MAX
        );
        let words = "слово ".repeat(CELL_CHARS_MAX);
        assert!(words.starts_with(kept(&words).trim_end()));
        assert!(kept(&words).chars().count() <= CELL_CHARS_MAX);
    }

    #[test]
    fn two_lines_of_a_cell_are_no_single_sum() {
        let mut cells = SheetCells::default();
        for column in [SheetColumn::Amount, SheetColumn::Purpose] {
            cells.set(column, &kept("340\n500".chars()));
        }
        assert_eq!(cells.get(SheetColumn::Amount), Some("340↵500"));
        assert_eq!(cells.get(SheetColumn::Purpose), Some("340 500"));
    }

    #[test]
    fn of_a_long_text_no_more_is_looked_at_than_a_cell_may_hold() {
        for sign in ['я', ' '] {
            let mut looked_at = 0;
            let text = std::iter::repeat_n(sign, 4_600_000);
            kept(text.inspect(|_| looked_at += 1));
            assert!(looked_at <= CHARS_LOOKED_AT, "{looked_at}");
        }
    }
}
