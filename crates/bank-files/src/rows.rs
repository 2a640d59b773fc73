//! Reading tables of banks by the names of their columns.

use cabinet_domain::kernel::csv::{cells_of, cells_of_lines, leading_cells, separator_of};

use crate::problem::{Finding, Problem};

/// Most lines of a row: a purpose that a person typed has a few.
const ROW_LINES_MAX: usize = 10;

/// The rows of a table.
pub(crate) struct Rows<'a> {
    text: &'a str,
    separator: char,
    names: Vec<String>,
}

/// A row with the names of its columns.
pub(crate) struct Row<'a> {
    /// The line. The header is line 1.
    pub(crate) line: usize,
    names: &'a [String],
    cells: Vec<String>,
}

/// A row that can't be read.
pub(crate) struct Broken<'a> {
    /// Its cells up to the one that can't be read.
    pub(crate) row: Row<'a>,
    /// Whether those cells stand in their columns.
    pub(crate) is_readable: bool,
    pub(crate) problem: Problem,
}

impl<'a> Rows<'a> {
    /// Reads the header. `None`: the text does not begin with a row of cells.
    pub(crate) fn of(text: &'a str) -> Option<Rows<'a>> {
        let header = text.lines().next()?;
        let separator = separator_of(header);
        let names = cells_of(header, separator)?;
        Some(Rows {
            text,
            separator,
            names: names.iter().map(|name| name.trim().to_owned()).collect(),
        })
    }

    /// Returns the names of the columns, in their order.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns whether the table has a column.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Checks that each of the columns stands there once.
    pub(crate) fn check(&self, columns: &[&'static str]) -> Result<(), Finding> {
        let header = |problem| Finding { line: 1, problem };
        for column in columns {
            match self.names.iter().filter(|name| name == column).count() {
                0 => return Err(header(Problem::Missing(column))),
                1 => {}
                _ => return Err(header(Problem::ColumnTwice(column))),
            }
        }
        Ok(())
    }

    /// Returns the rows below the header, without empty ones.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Result<Row<'_>, Finding>> {
        let lines = self.text.lines().zip(1..).skip(1);
        lines
            .filter(|(text, _)| !text.trim().is_empty())
            .map(|(text, line)| {
                let cells = cells_of(text, self.separator);
                let row = self.row(line, text, cells);
                row.map_err(|broken| broken.row.finding(broken.problem))
            })
    }

    /// Returns the rows below the header, without empty ones, as banks write them: a quoted cell may go on in the next line.
    pub(crate) fn rows_of_lines(&self) -> impl Iterator<Item = Result<Row<'_>, Broken<'_>>> {
        let lines: Vec<&str> = self.text.lines().collect();
        let mut next = 1;
        std::iter::from_fn(move || {
            while lines.get(next)?.trim().is_empty() {
                next += 1;
            }
            let rest = lines.get(next..)?;
            let (count, cells) = self.cells_of_first(rest);
            let first = rest.first()?;
            next += count;
            Some(self.row(next - count + 1, first, cells))
        })
    }

    /// Returns the cells of the first row, and the number of its lines. Such a row ends before a line that is a whole row by itself: an
    /// open quotation mark must not swallow other rows.
    fn cells_of_first(&self, lines: &[&str]) -> (usize, Option<Vec<String>>) {
        let whole = |text: &str| {
            cells_of(text, self.separator).filter(|cells| cells.len() == self.names.len())
        };
        let Some((first, more)) = lines.split_first() else {
            return (1, None);
        };
        let cells = cells_of(first, self.separator);
        if cells.is_some() || !is_open(first) {
            return (1, cells);
        }
        let mut text = (*first).to_owned();
        for (line, count) in more.iter().zip(2..=ROW_LINES_MAX) {
            if whole(line).is_some() {
                break;
            }
            text.push('\n');
            text.push_str(line);
            if !is_open(&text) {
                let cells = cells_of_lines(&text, self.separator);
                return match cells.filter(|cells| cells.len() == self.names.len()) {
                    Some(cells) => (count, Some(cells)),
                    None => (1, None),
                };
            }
        }
        (1, None)
    }

    fn row(
        &self,
        line: usize,
        text: &str,
        cells: Option<Vec<String>>,
    ) -> Result<Row<'_>, Broken<'_>> {
        let names = &self.names;
        let row = |cells| Row { line, names, cells };
        match cells {
            Some(cells) if cells.len() == names.len() => Ok(row(cells)),
            Some(cells) => Err(Broken {
                problem: Problem::CellCount {
                    expected: names.len(),
                    found: cells.len(),
                },
                row: row(cells),
                is_readable: false,
            }),
            None => Err(Broken {
                row: row(leading_cells(text, self.separator)),
                is_readable: true,
                problem: Problem::Quotes,
            }),
        }
    }
}

/// Returns whether a quotation mark is open at the end of a text.
fn is_open(text: &str) -> bool {
    text.matches('"').count() % 2 == 1
}

impl Row<'_> {
    /// Returns whether the row has a cell of this column.
    pub(crate) fn has(&self, name: &str) -> bool {
        let place = self.names.iter().position(|known| known == name);
        place.is_some_and(|place| place < self.cells.len())
    }

    /// Returns the cell of a column, trimmed. A column that is not there is empty.
    pub(crate) fn cell(&self, name: &str) -> &str {
        let place = self.names.iter().position(|known| known == name);
        place
            .and_then(|place| self.cells.get(place))
            .map_or("", |cell| cell.trim())
    }

    /// Returns a finding in this row.
    pub(crate) const fn finding(&self, problem: Problem) -> Finding {
        Finding {
            line: self.line,
            problem,
        }
    }
}
