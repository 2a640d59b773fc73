//! What the operator decides about the tables: which reading of a disputed rule holds, and what unconfirmed rows are offered.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::kernel::csv::{cells_of, separator_of};
use cabinet_domain::{TemplateId, YearDay};

use crate::table::{OPTION_TARIFFS, TERM_TAXES};

/// How the short terms of the business register are read. Cabinet resolution 1133 of 25.12.2015 speaks of a double fee in six
/// hours and a fivefold one in two; offices have read it both ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    /// The multiple is added to the ordinary fee.
    Surcharge,
    /// The multiple is the whole price.
    #[default]
    Whole,
}

impl Reading {
    /// Every reading.
    pub const ALL: [Reading; 2] = [Reading::Surcharge, Reading::Whole];

    /// Returns the word for the reading in tables and settings.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Reading::Surcharge => "surcharge",
            Reading::Whole => "whole",
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn parse(text: &str) -> Option<Reading> {
        Self::ALL
            .into_iter()
            .find(|reading| reading.as_str() == text)
    }
}

/// What the operator decides about the tables. The default is what holds without any setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableChoices {
    /// The reading of disputed fees.
    pub reading: Reading,
    /// The unconfirmed templates that are offered all the same.
    pub unconfirmed_templates: BTreeSet<TemplateId>,
    /// The day of the year from which fees of an earlier year are refused; `None`: they never are.
    pub stale_fees_refused_from: Option<YearDay>,
}

impl Default for TableChoices {
    fn default() -> TableChoices {
        TableChoices {
            reading: Reading::default(),
            unconfirmed_templates: BTreeSet::new(),
            stale_fees_refused_from: Some(YearDay::END_OF_JANUARY),
        }
    }
}

/// Returns whether tables can say which fees don't follow the year: one of the two tables of fees has the column `fixed`. Sets from
/// before the column don't, and their fees of an earlier year can't be refused: some of them may be fixed.
#[must_use]
pub fn tells_fixed_fees(files: &BTreeMap<String, String>) -> bool {
    [&TERM_TAXES, &OPTION_TARIFFS].into_iter().any(|schema| {
        let text = files.get(schema.file).map_or("", String::as_str);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let header = text.lines().next().unwrap_or_default();
        let names = cells_of(header, separator_of(header)).unwrap_or_default();
        names.iter().any(|name| name.trim() == "fixed")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_tells_of_fixed_fees_by_the_column() {
        let set = |taxes: &str, tariffs: &str| {
            BTreeMap::from([
                (TERM_TAXES.file.to_owned(), taxes.to_owned()),
                (OPTION_TARIFFS.file.to_owned(), tariffs.to_owned()),
            ])
        };
        let plain = "term_id,tax,valid_from,valid_to\n1,2,2026-01-01,\n";
        let marked = "option_id,tariff,valid_from,valid_to,fixed\n1,2,2026-01-01,,yes\n";
        assert!(!tells_fixed_fees(&set(plain, "")));
        assert!(tells_fixed_fees(&set(plain, marked)));
        assert!(!tells_fixed_fees(&BTreeMap::new()));
    }
}
