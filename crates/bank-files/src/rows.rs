//! Reading tables of banks by the names of their columns.

use cabinet_domain::csv::{cells_of, separator_of};

use crate::problem::{Finding, Problem};

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
                let finding = |problem| Finding { line, problem };
                let cells =
                    cells_of(text, self.separator).ok_or_else(|| finding(Problem::Quotes))?;
                if cells.len() == self.names.len() {
                    Ok(Row {
                        line,
                        names: &self.names,
                        cells,
                    })
                } else {
                    Err(finding(Problem::CellCount {
                        expected: self.names.len(),
                        found: cells.len(),
                    }))
                }
            })
    }
}

impl Row<'_> {
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
