//! What is found while a set is read: bad rows, doubtful rows, and which identifiers the tables mention.

use std::collections::{BTreeMap, BTreeSet};

use crate::cells::Cells;
use crate::problem::{BadRow, Doubt, DoubtfulRow, Reason};
use crate::rows::Located;
use crate::table::Table;

/// The words of a column, those of bad rows included. A reference to a bad row is no second error, and an identifier in a
/// bad row is not missing.
#[derive(Debug)]
pub(crate) struct Mentioned {
    is_known: bool,
    words: BTreeSet<String>,
}

impl Mentioned {
    /// Collects the words of a column.
    pub(crate) fn in_column(table: &Table, column: &'static str) -> Self {
        let cells = table.rows.iter().map(|row| table.cell(row, column));
        Self {
            is_known: table.is_readable,
            words: cells
                .flat_map(str::split_whitespace)
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Whether the column has the word, or may have it because the table could not be read.
    pub(crate) fn may_have(&self, word: &str) -> bool {
        !self.is_known || self.words.contains(word)
    }

    /// Whether the table was read and has nothing in the column.
    pub(crate) fn is_certainly_empty(&self) -> bool {
        self.is_known && self.words.is_empty()
    }
}

/// The columns by which tables refer to each other.
#[derive(Debug)]
pub(crate) struct Mentions {
    pub(crate) payment_types: Mentioned,
    pub(crate) slugs: Mentioned,
    pub(crate) options: Mentioned,
    pub(crate) types_of_options: Mentioned,
    pub(crate) terms: Mentioned,
    pub(crate) options_of_terms: Mentioned,
    pub(crate) regions: Mentioned,
    pub(crate) budget_codes: Mentioned,
    pub(crate) payment_codes: Mentioned,
    pub(crate) templates: Mentioned,
    pub(crate) deal_kinds: Mentioned,
    pub(crate) deal_facts: Mentioned,
    pub(crate) deal_answers: Mentioned,
    pub(crate) deal_lines: Mentioned,
    /// Whether a row of the commission table has no first day, or may have none.
    pub(crate) tariff_may_start: bool,
}

/// Bad and doubtful rows found so far.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) bad: Vec<BadRow>,
    pub(crate) doubtful: Vec<DoubtfulRow>,
}

impl Findings {
    pub(crate) fn refuse(&mut self, file: &str, line: usize, reason: Reason) {
        self.bad.push(BadRow {
            file: file.to_owned(),
            line,
            reason,
        });
    }

    pub(crate) fn doubt(&mut self, file: &str, line: usize, doubt: Doubt) {
        self.doubtful.push(DoubtfulRow {
            file: file.to_owned(),
            line,
            doubt,
        });
    }

    /// Refuses values of a column that stand there a second time.
    pub(crate) fn refuse_repeated(&mut self, table: &Table, column: &'static str) {
        let mut first_line_of = BTreeMap::new();
        for row in &table.rows {
            let value = table.cell(row, column);
            if value.is_empty() {
                continue;
            }
            let first_line = *first_line_of.entry(value).or_insert(row.line);
            if first_line != row.line {
                let reason = Reason::Duplicate { column, first_line };
                self.refuse(table.file, row.line, reason);
            }
        }
    }

    /// Records a doubt for each row that says of itself what is unconfirmed.
    pub(crate) fn doubt_unconfirmed(&mut self, table: &Table) {
        for row in &table.rows {
            let what = table.cell(row, "unconfirmed");
            if !what.is_empty() {
                let what = what.to_owned();
                self.doubt(table.file, row.line, Doubt::Unconfirmed { what });
            }
        }
    }

    /// Reads the rows of a table. Bad rows are recorded and left out.
    pub(crate) fn rows<T>(
        &mut self,
        table: &Table,
        read: impl Fn(&mut Cells<'_>) -> Option<T>,
    ) -> Vec<Located<T>> {
        let mut rows = Vec::new();
        for row in table.rows.iter().filter(|row| row.is_whole) {
            let mut cells = Cells::new(table, row);
            let value = read(&mut cells);
            let reasons = cells.into_reasons();
            if let (Some(value), true) = (value, reasons.is_empty()) {
                rows.push(Located {
                    line: row.line,
                    value,
                });
            }
            for reason in reasons {
                self.refuse(table.file, row.line, reason);
            }
        }
        rows
    }
}
