//! Which fees in force are of an earlier year, in words for the operator.

use std::fmt;

use cabinet_reference::{ReferenceData, StaleRow};
use jiff::civil::Date;

/// Rows that are named at most.
const NAMED_MAX: usize = 3;

/// The fees and tariffs in force that are of an earlier year, at least one.
#[derive(Clone, Debug)]
pub struct FeesOfEarlierYears {
    date: Date,
    rows: Vec<StaleRow>,
}

impl FeesOfEarlierYears {
    /// Looks for them on a day in Kyiv. `None`: every fee began this year or is fixed.
    pub fn on(date: Date, data: &ReferenceData) -> Option<FeesOfEarlierYears> {
        let rows = data.stale_rows(date);
        (!rows.is_empty()).then_some(FeesOfEarlierYears { date, rows })
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
        write!(
            f,
            "{} fees in force are of an earlier year ({}{more}): load those of {} by `cabinet reference load DIR`. ",
            self.rows.len(),
            named.join(", "),
            self.date.year()
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
