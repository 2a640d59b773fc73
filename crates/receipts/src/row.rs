//! Rows of a table.

use crate::font::Fonts;
use crate::marks::{Column, Style};
use crate::structure::NodeKind;
use crate::text::Paragraph;
use crate::units::{Length, times};

/// What stands in one column of a row.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) column: Column,
    pub(crate) text: String,
    pub(crate) style: Style,
    pub(crate) kind: NodeKind,
}

/// A row whose lines are broken and counted, not yet on a page.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) cells: Vec<(Cell, Paragraph)>,
    pub(crate) leading: Length,
    /// The largest type size; its baseline is everyone's.
    size: Length,
    /// White space above the first line.
    pub(crate) above: Length,
    /// White space below the last line.
    pub(crate) below: Length,
    /// A hairline above the row, over its whole width.
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

    /// The same row with a hairline above it.
    pub(crate) fn ruled(self) -> Row {
        Row {
            ruled: true,
            ..self
        }
    }

    /// The style of a cell with the line height of the row, and with its size as far as the baseline goes, so that all
    /// columns stand on the same lines. The glyphs keep the size of their paragraph.
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

/// The height of several rows under each other.
pub(crate) fn height_of(rows: &[Row]) -> Length {
    rows.iter()
        .fold(0, |sum, row| sum.saturating_add(row.height()))
}
