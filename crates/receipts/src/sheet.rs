//! Pages that are filled from top to bottom.

use crate::font::Fonts;
use crate::marks::{Align, Column, Ink, Mark, Owner, Style};
use crate::row::{Row, height_of};
use crate::structure::{NodeId, NodeKind, Structure};
use crate::text::{Line, Paragraph};
use crate::units::{Length, PAGE_HEIGHT, PAGE_WIDTH, POINT, times};

/// Left edge of the text.
pub(crate) const LEFT: Length = 56 * POINT;
/// Right edge of the text.
pub(crate) const RIGHT: Length = PAGE_WIDTH - 56 * POINT;
/// Width of the text.
pub(crate) const MEASURE: Length = RIGHT - LEFT;
/// A column of the whole width of the text.
pub(crate) const WIDE: Column = Column {
    x: LEFT,
    width: MEASURE,
    align: Align::Left,
};
/// Upper edge of the text on the first page.
const FIRST_TOP: Length = 46 * POINT;
/// Upper edge of the text on the following pages, below the running head.
const NEXT_TOP: Length = 74 * POINT;
/// Lower edge of the text on every page, above the foot.
const BOTTOM: Length = PAGE_HEIGHT - 58 * POINT;

/// Most lines of a value in [`Sheets::pairs`], so that no value can fill a page.
const PAIR_LINES_MAX: usize = 6;

/// An entry of the outline: a heading and its position.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) title: String,
    pub(crate) page: usize,
    pub(crate) y: Length,
}

/// The pages so far and the position of the next content.
pub(crate) struct Sheets {
    pub(crate) fonts: &'static Fonts,
    pub(crate) pages: Vec<Vec<Mark>>,
    pub(crate) structure: Structure,
    pub(crate) outline: Vec<Entry>,
    y: Length,
}

impl Sheets {
    pub(crate) fn new(fonts: &'static Fonts) -> Sheets {
        Sheets {
            fonts,
            pages: vec![Vec::new()],
            structure: Structure::new(),
            outline: Vec::new(),
            y: FIRST_TOP,
        }
    }

    /// Returns the upper edge of the next content.
    pub(crate) fn y(&self) -> Length {
        self.y
    }

    /// Sets the upper edge of the next content.
    pub(crate) fn move_to(&mut self, y: Length) {
        self.y = y;
    }

    pub(crate) fn skip(&mut self, height: Length) {
        self.y = self.y.saturating_add(height);
    }

    fn room(&self) -> Length {
        BOTTOM.saturating_sub(self.y)
    }

    fn is_page_fresh(&self) -> bool {
        self.y == NEXT_TOP
    }

    /// Starts a new page.
    pub(crate) fn turn_page(&mut self) {
        self.pages.push(Vec::new());
        self.y = NEXT_TOP;
    }

    /// Starts a new page if content of this height does not fit on the present one but fits on a new one. Content that is higher than
    /// a page needs only the height `first` here.
    pub(crate) fn keep(&mut self, height: Length, first: Length) {
        let fits_a_page = height <= BOTTOM - NEXT_TOP;
        let needed = if fits_a_page { height } else { first };
        if needed > self.room() && !self.is_page_fresh() {
            self.turn_page();
        }
    }

    /// Adds a mark to the present page.
    pub(crate) fn put(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    /// Draws a thin line over the width of the text.
    pub(crate) fn rule(&mut self) {
        let y = self.y;
        self.put(Mark::Bar {
            x: LEFT,
            y,
            width: MEASURE,
            height: POINT / 2,
            ink: Ink::Line,
            owner: Owner::Ornament,
        });
    }

    /// Writes a text as a new paragraph of the structure.
    pub(crate) fn text(&mut self, text: &str, style: Style, column: Column) {
        let node = self.structure.leaf(NodeKind::Paragraph, text);
        self.paragraph(text, style, column, node);
    }

    /// Writes the lines of a text in a column. Returns their height.
    pub(crate) fn paragraph(
        &mut self,
        text: &str,
        style: Style,
        column: Column,
        node: NodeId,
    ) -> Length {
        let paragraph = Paragraph::new(self.fonts, text, style.weight, style.size, column.width);
        let top = self.y;
        for line in &paragraph.lines {
            if style.leading > self.room() && !self.is_page_fresh() {
                self.turn_page();
            }
            self.line(&paragraph, *line, style, column, Owner::Node(node));
            self.skip(style.leading);
        }
        self.y.saturating_sub(top)
    }

    /// Writes one line of a paragraph at the present position.
    fn line(
        &mut self,
        paragraph: &Paragraph,
        line: Line,
        style: Style,
        column: Column,
        owner: Owner,
    ) {
        let mark = line_mark(paragraph, line, style, column, self.y, owner);
        self.put(mark);
    }

    /// Writes rows. A row is moved to the next page as a whole if it fits there, and broken by lines otherwise. After a page break the
    /// head is repeated, invisibly for screen readers.
    pub(crate) fn rows(&mut self, rows: &[Row], head: Option<&Row>) {
        for (index, row) in rows.iter().enumerate() {
            let before = self.pages.len();
            // The last row, mostly a total, is not left alone on a page.
            let kept = match rows.len() - index {
                2 => rows.get(index..).map_or(0, height_of),
                _ => row.height(),
            };
            self.keep(kept, row.leading.saturating_add(row.above));
            if self.pages.len() > before {
                self.repeat(head);
            }
            let group = self.structure.open(NodeKind::TableRow);
            self.row(row, head);
            self.structure.close(group);
        }
    }

    fn row(&mut self, row: &Row, head: Option<&Row>) {
        if row.ruled {
            self.rule();
        }
        self.skip(row.above);
        let nodes: Vec<NodeId> = row
            .cells
            .iter()
            .map(|(cell, _)| self.structure.leaf(cell.kind, &cell.text))
            .collect();
        for index in 0..row.lines() {
            if row.leading > self.room() && !self.is_page_fresh() {
                self.turn_page();
                self.repeat(head);
            }
            for ((cell, paragraph), node) in row.cells.iter().zip(&nodes) {
                if let Some(line) = paragraph.lines.get(index) {
                    self.line(
                        paragraph,
                        *line,
                        row.aligned(cell.style),
                        cell.column,
                        Owner::Node(*node),
                    );
                }
            }
            self.skip(row.leading);
        }
        self.skip(row.below);
    }

    /// Writes short values beside each other, each below its label. The number is the width in thirds. Empty values are left out. Each
    /// pair is a row of the open table.
    pub(crate) fn pairs(
        &mut self,
        pairs: &[(&'static str, String, Length)],
        label: Style,
        value: Style,
    ) {
        let gap = 12 * POINT;
        let third = (MEASURE + gap) / 3;
        let mut x = LEFT;
        let mut cells = Vec::with_capacity(pairs.len());
        for (name, text, thirds) in pairs.iter().filter(|(_, text, _)| !text.trim().is_empty()) {
            let width = third.saturating_mul(*thirds).saturating_sub(gap);
            let paragraph = Paragraph::new(self.fonts, text, value.weight, value.size, width);
            cells.push((
                name,
                text,
                Column {
                    x,
                    width,
                    align: Align::Left,
                },
                paragraph,
            ));
            x = x.saturating_add(width).saturating_add(gap);
        }
        let lines = cells
            .iter()
            .map(|(_, _, _, paragraph)| paragraph.lines.len().min(PAIR_LINES_MAX))
            .max();
        let Some(lines) = lines else { return };
        let height = label.leading.saturating_add(times(value.leading, lines));
        self.keep(height, height);
        let top = self.y;
        for (name, text, column, paragraph) in cells {
            self.y = top;
            let row = self.structure.open(NodeKind::TableRow);
            let node = self.structure.leaf(NodeKind::RowHeader, name);
            self.paragraph(name, label, column, node);
            let node = self.structure.leaf(NodeKind::TableCell, text);
            for line in paragraph.lines.iter().take(PAIR_LINES_MAX) {
                self.line(&paragraph, *line, value, column, Owner::Node(node));
                self.skip(value.leading);
            }
            self.structure.close(row);
        }
        self.y = top.saturating_add(height);
        self.skip(7 * POINT);
    }

    fn repeat(&mut self, head: Option<&Row>) {
        let Some(head) = head else { return };
        self.skip(head.above);
        for index in 0..head.lines() {
            for (cell, paragraph) in &head.cells {
                if let Some(line) = paragraph.lines.get(index) {
                    self.line(
                        paragraph,
                        *line,
                        head.aligned(cell.style),
                        cell.column,
                        Owner::Head,
                    );
                }
            }
            self.skip(head.leading);
        }
        self.skip(head.below);
    }

    /// Writes a single line outside of the text (head, foot). It is cut at the width.
    pub(crate) fn outside_text(
        &mut self,
        page: usize,
        text: &str,
        style: Style,
        column: Column,
        top: Length,
        owner: Owner,
    ) {
        let paragraph = Paragraph::new(self.fonts, text, style.weight, style.size, column.width);
        let Some(line) = paragraph.lines.first() else {
            return;
        };
        let mark = line_mark(&paragraph, *line, style, column, top, owner);
        if let Some(page) = self.pages.get_mut(page) {
            page.push(mark);
        }
    }

    /// Adds a heading at the present position to the outline.
    pub(crate) fn add_to_outline(&mut self, title: &str) {
        let page = self.pages.len().saturating_sub(1);
        self.outline.push(Entry {
            title: title.to_owned(),
            page,
            y: self.y,
        });
    }
}

/// Returns the mark of a line whose upper edge is at `top`.
fn line_mark(
    paragraph: &Paragraph,
    line: Line,
    style: Style,
    column: Column,
    top: Length,
    owner: Owner,
) -> Mark {
    let x = match column.align {
        Align::Left => column.x,
        Align::Right => column
            .x
            .saturating_add(column.width)
            .saturating_sub(line.width),
    };
    Mark::Text {
        x,
        baseline: baseline(top, style),
        weight: paragraph.weight,
        size: paragraph.size,
        ink: style.ink,
        letters: paragraph.letters_of(line).to_vec(),
        owner,
    }
}

/// Returns the baseline of a line whose upper edge is at `top`. Half of the white space is above and half below the text.
fn baseline(top: Length, style: Style) -> Length {
    top.saturating_add(style.leading.saturating_add(capitals(style.size)) / 2)
}

/// Returns the height of capital letters and figures of a type size.
pub(crate) fn capitals(size: Length) -> Length {
    size / 1000 * 727
}
