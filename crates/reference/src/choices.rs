//! What the operator decides about the tables: which reading of a disputed rule holds, and what unconfirmed rows are offered.

use std::collections::BTreeSet;

use cabinet_domain::{TemplateId, YearDay};

/// How the short terms of the business register are read. Cabinet resolution 1133 of 25.12.2015 speaks of a double fee in six
/// hours and a fivefold one in two; offices have read it both ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    /// The multiple is added to the ordinary fee.
    #[default]
    Surcharge,
    /// The multiple is the whole price.
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
