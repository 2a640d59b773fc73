//! Tables as text: comma-separated rows with a header, one row a line.

use std::collections::BTreeMap;

use crate::problem::{BadRow, Reason};
use cabinet_domain::kernel::csv::{cells_of, separator_of};

/// The largest file taken, in bytes; the accounts of all communities of the country are a tenth of it.
pub(crate) const FILE_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A column that every table may have: a remark for whoever keeps the table, never shown to anybody else.
const NOTE: &str = "note";

/// A table's file and its columns, in any order.
#[derive(Debug)]
pub(crate) struct Schema {
    pub(crate) file: &'static str,
    /// The columns that must be there.
    pub(crate) columns: &'static [&'static str],
    /// The columns that may be left out: their cells are empty then.
    pub(crate) optional: &'static [&'static str],
    /// What takes the place of a missing file: sets that were loaded before the table existed lack it.
    pub(crate) default: Option<&'static str>,
}

impl Schema {
    /// Whether the table may have a column.
    pub(crate) fn has(&self, column: &str) -> bool {
        self.columns.contains(&column) || self.optional.contains(&column)
    }
}

pub(crate) const PAYMENT_TYPES: Schema = Schema {
    file: "payment-types.csv",
    columns: &["id", "slug"],
    optional: &[],
    default: None,
};
pub(crate) const OPTIONS: Schema = Schema {
    file: "options.csv",
    columns: &["id", "payment_types", "name_uk", "name_en", "budget_code"],
    optional: &["purpose_uk", "short_uk"],
    default: None,
};
pub(crate) const OPTION_TARIFFS: Schema = Schema {
    file: "option-tariffs.csv",
    columns: &["option_id", "tariff", "valid_from", "valid_to"],
    optional: &["base", "multiples", "rounded_to", "fixed", "unconfirmed"],
    default: None,
};
pub(crate) const TERMS: Schema = Schema {
    file: "terms.csv",
    columns: &["id", "option_id", "period_uk", "period_en", "budget_code"],
    optional: &["unconfirmed"],
    default: None,
};
pub(crate) const TERM_TAXES: Schema = Schema {
    file: "term-taxes.csv",
    columns: &["term_id", "tax", "valid_from", "valid_to"],
    optional: &[
        "reading",
        "base",
        "multiples",
        "rounded_to",
        "fixed",
        "unconfirmed",
    ],
    default: None,
};
pub(crate) const REGIONS: Schema = Schema {
    file: "regions.csv",
    columns: &["id", "iso_code", "name_uk", "name_en", "has_recipients"],
    optional: &[],
    default: None,
};
pub(crate) const REQUISITES: Schema = Schema {
    file: "requisites.csv",
    columns: &[
        "id",
        "region_id",
        "payment_types",
        "budget_codes",
        "recipient_name",
        "edrpou",
        "iban",
        "valid_from",
        "valid_to",
        "demonstration",
    ],
    optional: &["confirmed_on", "confirmed_source"],
    default: None,
};
pub(crate) const TEMPLATES: Schema = Schema {
    file: "templates.csv",
    columns: &[
        "id",
        "title_uk",
        "title_en",
        "amount",
        "recipient_name",
        "iban",
        "edrpou",
        "budget_code",
        "comment",
        "valid_from",
        "valid_to",
        "demonstration",
    ],
    optional: &["unconfirmed"],
    default: None,
};
pub(crate) const TARIFFS: Schema = Schema {
    file: "tariffs.csv",
    columns: &["valid_from", "percent", "minimum"],
    optional: &[],
    default: None,
};
pub(crate) const BUDGET_CODES: Schema = Schema {
    file: "budget-codes.csv",
    columns: &["code", "name_uk", "name_en"],
    optional: &["tax"],
    default: None,
};
pub(crate) const PAYMENT_CODES: Schema = Schema {
    file: "payment-codes.csv",
    columns: &["code", "name_uk", "name_en"],
    optional: &[],
    default: Some(include_str!("../../../reference-data/payment-codes.csv")),
};
pub(crate) const BANKS: Schema = Schema {
    file: "banks.csv",
    columns: &["code", "name_uk", "name_en"],
    optional: &["treasury"],
    default: None,
};

pub(crate) const TREASURY_LAST_DAYS: Schema = Schema {
    file: "treasury-last-days.csv",
    columns: &["last_day", "source"],
    optional: &[],
    default: Some("last_day,source"),
};
pub(crate) const DEAL_KINDS: Schema = Schema {
    file: "deal-kinds.csv",
    columns: &["id", "name_uk", "name_en", "sums"],
    optional: &["optional_sums", "income_code"],
    default: Some("id,name_uk,name_en,sums"),
};
pub(crate) const DEAL_FACTS: Schema = Schema {
    file: "deal-facts.csv",
    columns: &["id", "kinds", "question_uk", "question_en"],
    optional: &[],
    default: Some("id,kinds,question_uk,question_en"),
};
pub(crate) const DEAL_ANSWERS: Schema = Schema {
    file: "deal-answers.csv",
    columns: &["id", "fact_id", "name_uk", "name_en"],
    optional: &[],
    default: Some("id,fact_id,name_uk,name_en"),
};
pub(crate) const DEAL_LINES: Schema = Schema {
    file: "deal-lines.csv",
    columns: &["id", "name_uk", "name_en", "template_id"],
    optional: &[],
    default: Some("id,name_uk,name_en,template_id"),
};
pub(crate) const DEAL_RULES: Schema = Schema {
    file: "deal-rules.csv",
    columns: &[
        "id",
        "line_id",
        "kinds",
        "answers",
        "notary",
        "payer",
        "base",
        "percent",
        "minimum",
        "maximum",
        "sum",
        "term_id",
        "option_id",
        "ground_uk",
        "ground_en",
        "source",
        "valid_from",
        "valid_to",
        "unconfirmed",
    ],
    optional: &["sum_without_base", "withheld", "adjusted_by", "for_each"],
    default: Some(
        "id,line_id,kinds,answers,notary,payer,base,percent,minimum,maximum,sum,term_id,option_id,ground_uk,ground_en,source,valid_from,valid_to,unconfirmed",
    ),
};

/// Every table of the set.
pub(crate) const SCHEMAS: [&Schema; 18] = [
    &PAYMENT_TYPES,
    &OPTIONS,
    &OPTION_TARIFFS,
    &TERMS,
    &TERM_TAXES,
    &REGIONS,
    &REQUISITES,
    &TEMPLATES,
    &TARIFFS,
    &BUDGET_CODES,
    &PAYMENT_CODES,
    &BANKS,
    &TREASURY_LAST_DAYS,
    &DEAL_KINDS,
    &DEAL_FACTS,
    &DEAL_ANSWERS,
    &DEAL_LINES,
    &DEAL_RULES,
];

/// A table cut into cells.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) file: &'static str,
    /// Whether the rows could be read at all. If not, no row counts as missing.
    pub(crate) is_readable: bool,
    pub(crate) rows: Vec<Row>,
    column_at: BTreeMap<&'static str, usize>,
}

/// One row.
#[derive(Debug)]
pub(crate) struct Row {
    /// Counted from 1, the header's line being 1.
    pub(crate) line: usize,
    /// Whether there are as many cells as columns.
    pub(crate) is_whole: bool,
    cells: Vec<String>,
}

impl Table {
    /// Cuts a table's file into cells and adds what is wrong with its form to `bad`.
    pub(crate) fn read(
        schema: &Schema,
        files: &BTreeMap<String, String>,
        bad: &mut Vec<BadRow>,
    ) -> Self {
        let mut refuse = |line, reason| {
            bad.push(BadRow {
                file: schema.file.to_owned(),
                line,
                reason,
            });
        };
        let mut table = Self {
            file: schema.file,
            is_readable: false,
            rows: Vec::new(),
            column_at: BTreeMap::new(),
        };
        let text = match text_of(schema, files) {
            Ok(text) => text,
            Err(reason) => {
                refuse(0, reason);
                return table;
            }
        };
        let mut lines = text.lines().zip(1..);
        let header = lines.next().map_or("", |(header, _)| header);
        let separator = separator_of(header);
        let Some(header) = cells_of(header, separator) else {
            refuse(1, Reason::Quotes);
            return table;
        };
        let header_reasons = table.take_header(schema, &header);
        table.is_readable = header_reasons.is_empty();
        for reason in header_reasons {
            refuse(1, reason);
        }
        if !table.is_readable {
            return table;
        }
        for (text, line) in lines.filter(|(text, _)| !text.trim().is_empty()) {
            let Some(cells) = cells_of(text, separator) else {
                refuse(line, Reason::Quotes);
                continue;
            };
            let (expected, found) = (header.len(), cells.len());
            let is_whole = found == expected;
            if !is_whole {
                refuse(line, Reason::CellCount { expected, found });
            }
            table.rows.push(Row {
                line,
                is_whole,
                cells,
            });
        }
        table
    }

    /// Remembers where each column stands; gives what is wrong with the header.
    fn take_header(&mut self, schema: &Schema, header: &[String]) -> Vec<Reason> {
        let mut reasons = Vec::new();
        for (place, name) in header.iter().enumerate() {
            let known = schema
                .columns
                .iter()
                .chain(schema.optional)
                .chain([&NOTE])
                .find(|known| *known == name);
            match known {
                Some(column) => {
                    if self.column_at.insert(column, place).is_some() {
                        reasons.push(Reason::ColumnTwice { column });
                    }
                }
                None => reasons.push(Reason::ColumnUnknown {
                    column: name.clone(),
                }),
            }
        }
        for column in schema.columns {
            if !self.column_at.contains_key(column) {
                reasons.push(Reason::ColumnMissing { column });
            }
        }
        reasons
    }

    /// Whether the file has a column.
    pub(crate) fn has_column(&self, column: &str) -> bool {
        self.column_at.contains_key(column)
    }

    /// A cell without the spaces around it; empty where the row is too short.
    pub(crate) fn cell<'a>(&self, row: &'a Row, column: &'static str) -> &'a str {
        self.column_at
            .get(column)
            .and_then(|place| row.cells.get(*place))
            .map_or("", |cell| cell.trim())
    }
}

impl Table {
    /// Returns the line of a row with some of its cells changed. Columns that the file lacks are left out.
    pub(crate) fn changed_line(
        &self,
        row: &Row,
        changes: &[(&'static str, String)],
        separator: char,
    ) -> String {
        let cells = self.changed(row, changes);
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell, separator)).collect();
        cells.join(&separator.to_string())
    }

    fn changed(&self, row: &Row, changes: &[(&'static str, String)]) -> Vec<String> {
        let mut cells = row.cells.clone();
        for (column, text) in changes {
            let place = self.column_at.get(column);
            if let Some(cell) = place.and_then(|place| cells.get_mut(*place)) {
                cell.clone_from(text);
            }
        }
        cells
    }
}

/// Returns a cell as a spreadsheet writes it.
fn quoted(cell: &str, separator: char) -> String {
    if cell.contains([separator, '"']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// Returns the text of a table's file.
fn text_of<'a>(schema: &Schema, files: &'a BTreeMap<String, String>) -> Result<&'a str, Reason> {
    let text = match (files.get(schema.file), schema.default) {
        (Some(text), _) => text,
        (None, Some(default)) => default,
        (None, None) => return Err(Reason::FileMissing),
    };
    if text.len() > FILE_BYTES_MAX {
        return Err(Reason::FileTooLong {
            bytes_max: FILE_BYTES_MAX,
        });
    }
    // Spreadsheets put a byte order mark before the first cell.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
