//! Pages filled from top to bottom.

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
/// The whole width of the text.
pub(crate) const WIDE: Column = Column {
    x: LEFT,
    width: MEASURE,
    align: Align::Left,
};
/// Where the text of the first page begins.
const FIRST_TOP: Length = 46 * POINT;
/// Where the text of the following pages begins, under the running head.
const NEXT_TOP: Length = 74 * POINT;
/// Where the text of every page ends, above the foot.
const BOTTOM: Length = PAGE_HEIGHT - 58 * POINT;

/// Lines of a value in [`Sheets::pairs`]; codes and names of banks are shorter, and nothing may make the row a page high.
const PAIR_LINES_MAX: usize = 6;

/// An entry of the outline: a heading and where it stands.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) title: String,
    pub(crate) page: usize,
    pub(crate) y: Length,
}

/// The pages made so far and the place where the next thing goes.
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

    /// The upper edge of what comes next.
    pub(crate) fn y(&self) -> Length {
        self.y
    }

    /// Moves the upper edge of what comes next.
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

    /// Begins a new page.
    pub(crate) fn turn_page(&mut self) {
        self.pages.push(Vec::new());
        self.y = NEXT_TOP;
    }

    /// Begins a new page if something of this height does not fit here but does fit on a page of its own. Of what is
    /// higher than a page at least `first` fits here.
    pub(crate) fn keep(&mut self, height: Length, first: Length) {
        let fits_a_page = height <= BOTTOM - NEXT_TOP;
        let needed = if fits_a_page { height } else { first };
        if needed > self.room() && !self.is_page_fresh() {
            self.turn_page();
        }
    }

    /// Puts a mark on the page at hand.
    pub(crate) fn put(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    /// A thin line over the width of the text.
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

    /// A paragraph of its own in the structure.
    pub(crate) fn text(&mut self, text: &str, style: Style, column: Column) {
        let node = self.structure.leaf(NodeKind::Paragraph, text);
        self.paragraph(text, style, column, node);
    }

    /// A paragraph in a column, line under line; answers its height.
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

    /// One line of a paragraph, its upper edge where the next thing goes.
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

    /// Rows under each other. A row goes to the next page as a whole if it fits there, else line by line. After a page
    /// break inside the rows the head is drawn again, for the eye only.
    pub(crate) fn rows(&mut self, rows: &[Row], head: Option<&Row>) {
        for (index, row) in rows.iter().enumerate() {
            let before = self.pages.len();
            // The last row does not stand alone on a page: it is mostly a total.
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

    /// Short values beside each other, each under its label and so many thirds of the measure wide; empty ones are left
    /// out. Each pair is a row of the table at hand.
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

    /// A single line that is not part of the running text (head, foot), cut at the width.
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

    /// Notes a heading for the outline, at the place where the next thing goes.
    pub(crate) fn add_to_outline(&mut self, title: &str) {
        let page = self.pages.len().saturating_sub(1);
        self.outline.push(Entry {
            title: title.to_owned(),
            page,
            y: self.y,
        });
    }
}

/// One line of a paragraph, its upper edge at `top`.
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

/// The baseline of a line whose upper edge is at `top`: the white space of the leading is shared by both sides.
fn baseline(top: Length, style: Style) -> Length {
    top.saturating_add(style.leading.saturating_add(capitals(style.size)) / 2)
}

/// The height of capital letters and figures at a type size.
pub(crate) fn capitals(size: Length) -> Length {
    size / 1000 * 727
}
