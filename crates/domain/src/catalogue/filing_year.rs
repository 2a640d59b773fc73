//! The year in which the application is filed that a fee is paid for.
//!
//! A state fee is that of the day of filing. What is paid at the end of December is often filed in January, at the fees of the next year.
//! So from 20 December a payment may name that year.

use jiff::civil::Date;

use crate::{Key, Money};

/// The day of December from which the next year may be named.
const FIRST_DAY: i8 = 20;

/// The years that a payment can name.
const YEARS: std::ops::RangeInclusive<i16> = 2000..=9998;

/// A year of filing that differed from the year of the day on which the payment was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilingYear(i16);

impl FilingYear {
    /// Reads the year that a payment names on a day in Kyiv. `None`: it is the year of the day, which needs no naming.
    ///
    /// # Errors
    /// `filing_year_invalid`: another year than this one and, from 20 December, the next.
    pub fn named(year: i64, on: Date) -> Result<Option<FilingYear>, Key> {
        if year == i64::from(on.year()) {
            return Ok(None);
        }
        let next = next_filing_year(on).filter(|next| year == i64::from(next.0));
        next.map(Some).ok_or(Key::FilingYearInvalid)
    }

    /// Takes a stored year. `None`: it is none.
    #[must_use]
    pub fn stored(year: i64) -> Option<FilingYear> {
        let year = i16::try_from(year).ok()?;
        YEARS.contains(&year).then_some(FilingYear(year))
    }

    /// The year.
    #[must_use]
    pub const fn year(self) -> i16 {
        self.0
    }

    /// The first day of the year.
    #[must_use]
    pub fn first_day(self) -> Option<Date> {
        Date::new(self.0, 1, 1).ok()
    }
}

/// The fee of the next year beside that of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextYearFee {
    /// The year.
    pub year: FilingYear,
    /// The sum for one unit on its first day.
    pub sum: Money,
}

/// Returns the next year, from the day in Kyiv on which payments may name it: 20 December. `None` before.
#[must_use]
pub fn next_filing_year(on: Date) -> Option<FilingYear> {
    let is_open = on.month() == 12 && on.day() >= FIRST_DAY;
    let next = is_open.then(|| on.year().checked_add(1)).flatten()?;
    FilingYear::stored(i64::from(next))
}

/// Returns the day whose fee a payment takes on a day in Kyiv: the first of its year of filing while that lies ahead, else the day
/// itself. So a payment made in December for a filing in January costs the same on both sides of midnight.
#[must_use]
pub fn fee_day(on: Date, filing_year: Option<FilingYear>) -> Date {
    let first = filing_year.and_then(FilingYear::first_day);
    first.filter(|first| *first > on).unwrap_or(on)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn from_20_december_the_next_year_may_be_named() {
        let named = |year, on| FilingYear::named(year, on).map(|year| year.map(FilingYear::year));
        for (on, next) in [
            (date(2026, 1, 1), Err(Key::FilingYearInvalid)),
            (date(2026, 11, 20), Err(Key::FilingYearInvalid)),
            (date(2026, 12, 19), Err(Key::FilingYearInvalid)),
            (date(2026, 12, 20), Ok(Some(2027))),
            (date(2026, 12, 31), Ok(Some(2027))),
            (date(2027, 1, 1), Ok(None)),
        ] {
            assert_eq!(named(2027, on), next, "{on}");
            for wrong in [2025, 2028, 0, -2027, i64::MAX] {
                assert_eq!(
                    named(wrong, on),
                    Err(Key::FilingYearInvalid),
                    "{on} {wrong}"
                );
            }
        }
        assert_eq!(named(2026, date(2026, 12, 20)), Ok(None));
        assert_eq!(next_filing_year(Date::MAX), None);
    }

    #[test]
    fn the_fee_is_that_of_the_year_of_filing_while_it_lies_ahead() {
        let next = FilingYear::stored(2027);
        for (on, year, expected) in [
            (date(2026, 12, 20), None, date(2026, 12, 20)),
            (date(2026, 12, 31), next, date(2027, 1, 1)),
            (date(2027, 1, 1), next, date(2027, 1, 1)),
            (date(2027, 3, 5), next, date(2027, 3, 5)),
            (date(2028, 2, 1), next, date(2028, 2, 1)),
        ] {
            assert_eq!(fee_day(on, year), expected, "{on}");
        }
    }
}
