//! Rows of a table.

use crate::font::Fonts;
use crate::marks::{Column, Style};
use crate::structure::NodeKind;
use crate::text::Paragraph;
use crate::units::{Length, times};

/// The content of one column of a row.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) column: Column,
    pub(crate) text: String,
    pub(crate) style: Style,
    pub(crate) kind: NodeKind,
}

/// A row with broken lines, not yet on a page.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) cells: Vec<(Cell, Paragraph)>,
    pub(crate) leading: Length,
    /// The largest type size. All cells use its baseline.
    size: Length,
    /// White space above the first line.
    pub(crate) above: Length,
    /// White space below the last line.
    pub(crate) below: Length,
    /// Whether a line is drawn above the row.
    pub(crate) ruled: bool,
}

impl Row {
    pub(crate) fn new(fonts: &Fonts, cells: Vec<Cell>, above: Length, below: Length) -> Row {
        let leading = cells
            .iter()
            .map(|cell| cell.style.leading)
            .max()
            .unwrap_or(0);
        let size = cells.iter().map(|cell| cell.style.size).max().unwrap_or(0);
        let cells = cells
            .into_iter()
            .map(|cell| {
                let style = cell.style;
                let paragraph = Paragraph::new(
                    fonts,
                    &cell.text,
                    style.weight,
                    style.size,
                    cell.column.width,
                );
                (cell, paragraph)
            })
            .collect();
        Row {
            cells,
            leading,
            size,
            above,
            below,
            ruled: false,
        }
    }

    /// Adds a line above the row.
    pub(crate) fn ruled(self) -> Row {
        Row {
            ruled: true,
            ..self
        }
    }

    /// Returns the style with leading and size of the row, so that all cells have the same baselines. The glyphs keep the size of
    /// their paragraph.
    pub(crate) fn aligned(&self, style: Style) -> Style {
        Style {
            leading: self.leading,
            size: self.size,
            ..style
        }
    }

    pub(crate) fn lines(&self) -> usize {
        self.cells
            .iter()
            .map(|(_, paragraph)| paragraph.lines.len())
            .max()
            .unwrap_or(0)
    }

    pub(crate) fn height(&self) -> Length {
        times(self.leading, self.lines())
            .saturating_add(self.above)
            .saturating_add(self.below)
    }
}

/// Returns the height of several rows.
pub(crate) fn height_of(rows: &[Row]) -> Length {
    rows.iter()
        .fold(0, |sum, row| sum.saturating_add(row.height()))
}
