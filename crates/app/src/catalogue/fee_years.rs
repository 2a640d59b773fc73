//! Which fees in force are of an earlier year, or will be on 1 January, in words for the operator.

use std::fmt;

use cabinet_domain::awaited_year;
use cabinet_reference::{ReferenceData, StaleRow};
use jiff::civil::Date;

/// Rows that are named at most.
const NAMED_MAX: usize = 3;

/// The fees and tariffs in force that are of an earlier year on a day, at least one.
#[derive(Clone, Debug)]
pub struct FeesOfEarlierYears {
    date: Date,
    /// Whether the day is yet to come.
    is_to_come: bool,
    rows: Vec<StaleRow>,
}

impl FeesOfEarlierYears {
    /// Looks for them on a day in Kyiv. `None`: every fee began this year or is fixed.
    pub fn on(date: Date, data: &ReferenceData) -> Option<FeesOfEarlierYears> {
        let rows = data.stale_rows(date);
        let is_to_come = false;
        (!rows.is_empty()).then_some(FeesOfEarlierYears {
            date,
            is_to_come,
            rows,
        })
    }

    /// Looks on a day in Kyiv for those that will be of an earlier year on 1 January. `None`: before 1 December, or the tables of the next
    /// year are loaded.
    pub fn of_next_year(date: Date, data: &ReferenceData) -> Option<FeesOfEarlierYears> {
        let next = FeesOfEarlierYears::on(awaited_year(date)?, data)?;
        Some(FeesOfEarlierYears {
            is_to_come: true,
            ..next
        })
    }

    /// Looks for both on a day in Kyiv.
    pub fn all_on(date: Date, data: &ReferenceData) -> Vec<FeesOfEarlierYears> {
        [
            FeesOfEarlierYears::on(date, data),
            FeesOfEarlierYears::of_next_year(date, data),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.rows.len()
    }
}

impl fmt::Display for FeesOfEarlierYears {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> = self
            .rows
            .iter()
            .take(NAMED_MAX)
            .map(|row| format!("{} {} since {}", row.file, row.id, row.stale.valid_from))
            .collect();
        let more = if self.rows.len() > NAMED_MAX {
            ", …"
        } else {
            ""
        };
        let (count, named, date) = (self.rows.len(), named.join(", "), self.date);
        let year = date.year();
        if self.is_to_come {
            return write!(
                f,
                "{count} fees in force on {date} will be of an earlier year ({named}{more}): load those of {year} before that day. \
                 `cabinet reference year {year}` computes them, `cabinet reference load DIR` loads them"
            );
        }
        write!(
            f,
            "{count} fees in force are of an earlier year ({named}{more}): load those of {year} by `cabinet reference load DIR`. "
        )?;
        let refused = self
            .rows
            .iter()
            .filter(|row| row.stale.is_refused_on(self.date));
        let first = self
            .rows
            .iter()
            .filter_map(|row| row.stale.refused_from)
            .min();
        match (refused.count(), first) {
            (0, None) => write!(f, "They are paid at the old sums"),
            (0, Some(first)) => write!(
                f,
                "They are paid at the old sums until {first}, and refused from that day"
            ),
            (count, _) => write!(f, "Payments of {count} of them are refused"),
        }
    }
}
