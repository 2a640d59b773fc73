//! The last day of the year on which the Treasury takes payments.
//!
//! It closes the budget year some days before the year ends (in 2025 on 28 December, order 296 of 03.12.2025). What is paid later reaches
//! the budget in January.

use jiff::ToSpan as _;
use jiff::civil::Date;

/// How many days before the last one it is told.
const TOLD_DAYS_BEFORE: i64 = 10;

/// Returns the last day where it is to be told on a day in Kyiv: from ten days before it until the year ends.
#[must_use]
pub fn told_treasury_day(on: Date, last_day: Option<Date>) -> Option<Date> {
    let last_day = last_day.filter(|last| last.year() == on.year())?;
    let first_told = last_day.saturating_sub(TOLD_DAYS_BEFORE.days());
    (on >= first_told).then_some(last_day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn the_last_day_is_told_from_ten_days_before_until_the_year_ends() {
        let last = Some(date(2026, 12, 28));
        for (on, expected) in [
            (date(2025, 12, 31), None),
            (date(2026, 12, 17), None),
            (date(2026, 12, 18), last),
            (date(2026, 12, 28), last),
            (date(2026, 12, 31), last),
            (date(2027, 1, 1), None),
            (date(2027, 12, 30), None),
        ] {
            assert_eq!(told_treasury_day(on, last), expected, "{on}");
            assert_eq!(told_treasury_day(on, None), None);
        }
    }
}
