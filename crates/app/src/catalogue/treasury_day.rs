//! Whether the tables have the Treasury's last day of the year, in words for the operator.

use std::fmt;

use cabinet_domain::awaited_year;
use cabinet_reference::ReferenceData;
use jiff::civil::Date;

/// The tables lack the last day of a year on which the Treasury takes payments.
#[derive(Clone, Copy, Debug)]
pub struct TreasuryDayMissing {
    year: i16,
}

impl TreasuryDayMissing {
    /// Looks on a day in Kyiv. `None`: before 1 December, or the tables have the day.
    pub fn on(date: Date, data: &ReferenceData) -> Option<TreasuryDayMissing> {
        awaited_year(date)?;
        let year = date.year();
        data.treasury_last_day(year)
            .is_none()
            .then_some(TreasuryDayMissing { year })
    }
}

impl fmt::Display for TreasuryDayMissing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the tables lack the last day of {} on which the Treasury takes payments, so nobody is told that later ones reach the budget in \
             January: add it to treasury-last-days.csv and load the tables by `cabinet reference load DIR`",
            self.year
        )
    }
}
