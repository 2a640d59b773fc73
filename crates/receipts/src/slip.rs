//! Slips: the requisites of one transfer or of the commission.

use cabinet_domain::Money;

use crate::draft::Draft;
use crate::font::Fonts;
use crate::marks::{Align, Column};
use crate::row::{Cell, Row, height_of};
use crate::sheet::{LEFT, MEASURE, RIGHT, WIDE};
use crate::structure::NodeKind;
use crate::style::{HEADING, LABEL, SLIP_SUM, VALUE};
use crate::units::{Length, POINT};

const LABELS: Column = Column {
    x: LEFT,
    width: 118 * POINT,
    align: Align::Left,
};
const VALUES: Column = Column {
    x: LEFT + 126 * POINT,
    width: MEASURE - 126 * POINT,
    align: Align::Left,
};

/// Width of the sum beside the heading.
const SUM_WIDTH: Length = 150 * POINT;

/// The requisites of one transfer or of the commission.
pub(crate) struct Slip {
    pub(crate) heading: String,
    pub(crate) amount: Money,
    /// Labels and values in the order of a payment instruction. Empty values are left out.
    pub(crate) lines: Vec<(&'static str, String)>,
}

/// Returns a row for each line: its label and its value. Empty values are left out.
pub(crate) fn rows_of(fonts: &Fonts, lines: &[(&str, String)]) -> Vec<Row> {
    lines
        .iter()
        .filter(|(_, value)| !value.trim().is_empty())
        .map(|(label, value)| {
            let cells = vec![
                Cell {
                    column: LABELS,
                    text: (*label).to_owned(),
                    style: LABEL,
                    kind: NodeKind::RowHeader,
                },
                Cell {
                    column: VALUES,
                    text: value.clone(),
                    style: VALUE,
                    kind: NodeKind::TableCell,
                },
            ];
            Row::new(fonts, cells, POINT, POINT)
        })
        .collect()
}

impl Draft<'_> {
    /// Writes a slip: heading and sum on one line, the requisites below.
    pub(crate) fn slip(&mut self, slip: &Slip) {
        self.slip_above(slip, 0);
    }

    /// Draws a slip on one page with what is `below`.
    pub(crate) fn slip_above(&mut self, slip: &Slip, below: Length) {
        let rows = rows_of(self.sheets.fonts, &slip.lines);
        let head = 8 * POINT + SLIP_SUM.leading + 5 * POINT;
        self.sheets
            .keep(head + height_of(&rows) + below, head + 60 * POINT);
        let section = self.sheets.structure.open(NodeKind::Section);
        self.sheets.rule();
        self.sheets.skip(8 * POINT);
        self.slip_heading(slip);
        let table = self.sheets.structure.open(NodeKind::Table);
        self.sheets.rows(&rows, None);
        self.sheets.structure.close(table);
        self.sheets.structure.close(section);
        self.sheets.skip(14 * POINT);
    }

    /// Writes a part of labels and values under its heading.
    pub(crate) fn facts(&mut self, heading: &str, lines: &[(&'static str, String)]) {
        let rows = rows_of(self.sheets.fonts, lines);
        self.section(heading, height_of(&rows) + 6 * POINT);
        self.sheets.rule();
        self.sheets.skip(6 * POINT);
        self.labelled(&rows);
    }

    /// Writes labels and values that stand in the head of a receipt, without a heading of their own.
    pub(crate) fn head_facts(&mut self, lines: &[(&'static str, String)]) {
        let rows = rows_of(self.sheets.fonts, lines);
        if rows.is_empty() {
            return;
        }
        self.sheets.keep(height_of(&rows), height_of(&rows));
        self.labelled(&rows);
    }

    fn labelled(&mut self, rows: &[Row]) {
        let table = self.sheets.structure.open(NodeKind::Table);
        self.sheets.rows(rows, None);
        self.sheets.structure.close(table);
        self.sheets.skip(14 * POINT);
    }

    fn slip_heading(&mut self, slip: &Slip) {
        let top = self.sheets.y();
        self.sheets.add_to_outline(&slip.heading);
        let node = self
            .sheets
            .structure
            .leaf(NodeKind::Heading(2), &slip.heading);
        let left = Column {
            width: MEASURE - SUM_WIDTH,
            ..WIDE
        };
        let height = self.sheets.paragraph(&slip.heading, HEADING, left, node);
        self.sheets.move_to(top);
        let sum = format!(
            "{}\u{a0}{}",
            slip.amount.display(self.locale),
            self.words.currency
        );
        let right = Column {
            x: RIGHT - SUM_WIDTH,
            width: SUM_WIDTH,
            align: Align::Right,
        };
        self.sheets.text(&sum, SLIP_SUM, right);
        self.sheets
            .move_to(top + height.max(SLIP_SUM.leading) + 5 * POINT);
    }
}
