//! Periods of reports: whole days in Kyiv.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::kernel::words::words;
use crate::{Key, kyiv_day_start};

words! {
    /// The day by which a report places a sum.
    DayBasis {
        /// The day on which the card was charged.
        Payment = "payment",
        /// The day on which the recipient's bank credited it.
        Crediting = "crediting",
    }
}

/// From one day to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    from: Date,
    to: Date,
}

impl Period {
    /// Days of a period at most: three years.
    pub const DAYS_MAX: i32 = 3 * 366;

    /// Returns a period.
    ///
    /// # Errors
    /// [`Key::PeriodInvalid`] if it ends before it begins, [`Key::PeriodTooLong`] if it is longer than [`Period::DAYS_MAX`].
    pub fn new(from: Date, to: Date) -> Result<Self, Key> {
        let days = to.duration_since(from).as_hours() / 24;
        if days < 0 {
            Err(Key::PeriodInvalid)
        } else if days >= i64::from(Self::DAYS_MAX) {
            Err(Key::PeriodTooLong)
        } else {
            Ok(Self { from, to })
        }
    }

    /// Returns the first day.
    #[must_use]
    pub const fn from(self) -> Date {
        self.from
    }

    /// Returns the last day.
    #[must_use]
    pub const fn to(self) -> Date {
        self.to
    }

    /// Returns whether a day is in the period.
    #[must_use]
    pub fn has(self, day: Date) -> bool {
        self.from <= day && day <= self.to
    }

    /// Returns the moment at which it begins and the moment at which it is over, by Kyiv days. `None` at the ends of the calendar.
    #[must_use]
    pub fn moments(self) -> Option<(Timestamp, Timestamp)> {
        Some((
            kyiv_day_start(self.from)?,
            kyiv_day_start(self.to.tomorrow().ok()?)?,
        ))
    }

    /// Returns its months, also those of which it has some days only.
    #[must_use]
    pub fn months(self) -> Vec<Month> {
        let (mut month, last) = (Month::of(self.from), Month::of(self.to));
        let mut months = vec![month];
        while month < last {
            month = month.next();
            months.push(month);
        }
        months
    }
}

/// A month of a year. It is written as `2026-03`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month {
    year: i16,
    month: i8,
}

impl Month {
    /// Returns the month of a day.
    #[must_use]
    pub fn of(day: Date) -> Self {
        Self {
            year: day.year(),
            month: day.month(),
        }
    }

    /// Reads `2026-03`; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let day: Date = format!("{text}-01").parse().ok()?;
        Some(Self::of(day)).filter(|month| month.to_string() == text)
    }

    /// Returns the year.
    #[must_use]
    pub const fn year(self) -> i16 {
        self.year
    }

    /// Returns the number of the month, 1 to 12.
    #[must_use]
    pub const fn number(self) -> i8 {
        self.month
    }

    /// Returns its quarter.
    #[must_use]
    pub const fn quarter(self) -> Quarter {
        Quarter {
            year: self.year,
            quarter: (self.month - 1) / 3 + 1,
        }
    }

    /// Returns its days; `None` at the end of the calendar.
    #[must_use]
    pub fn days(self) -> Option<Period> {
        let first = Date::new(self.year, self.month, 1).ok()?;
        Period::new(first, first.last_of_month()).ok()
    }

    const fn next(self) -> Self {
        if self.month == 12 {
            Self {
                year: self.year.saturating_add(1),
                month: 1,
            }
        } else {
            Self {
                year: self.year,
                month: self.month + 1,
            }
        }
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// A quarter of a year. It is written as `2026-Q1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quarter {
    year: i16,
    quarter: i8,
}

impl Quarter {
    /// Reads `2026-Q1`; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (year, quarter) = text.split_once("-Q")?;
        let read = Self {
            year: year.parse().ok()?,
            quarter: quarter.parse().ok()?,
        };
        let is_right = (1..=4).contains(&read.quarter) && read.to_string() == text;
        is_right.then_some(read)
    }

    /// Returns the year.
    #[must_use]
    pub const fn year(self) -> i16 {
        self.year
    }

    /// Returns the number of the quarter, 1 to 4.
    #[must_use]
    pub const fn number(self) -> i8 {
        self.quarter
    }

    /// Returns its days; `None` at the end of the calendar.
    #[must_use]
    pub fn days(self) -> Option<Period> {
        let first = Date::new(self.year, self.quarter * 3 - 2, 1).ok()?;
        let last = Date::new(self.year, self.quarter * 3, 1).ok()?;
        Period::new(first, last.last_of_month()).ok()
    }
}

impl fmt::Display for Quarter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-Q{}", self.year, self.quarter)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn months_and_quarters_are_read_as_they_are_written() {
        let month = Month::parse("2026-03").unwrap();
        assert_eq!(
            month.days(),
            Period::new(date(2026, 3, 1), date(2026, 3, 31)).ok()
        );
        assert_eq!(month.quarter(), Quarter::parse("2026-Q1").unwrap());
        let quarter = Quarter::parse("2026-Q4").unwrap();
        assert_eq!(
            quarter.days(),
            Period::new(date(2026, 10, 1), date(2026, 12, 31)).ok()
        );
        for text in ["2026-13", "2026-3", "2026", "26-03", "2026-03-01", ""] {
            assert_eq!(Month::parse(text), None, "{text}");
        }
        for text in ["2026-Q0", "2026-Q5", "2026-1", "2026-Q01", "-Q1", ""] {
            assert_eq!(Quarter::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_period_has_both_of_its_ends() {
        let period = Period::new(date(2025, 11, 30), date(2026, 2, 1)).unwrap();
        let months: Vec<_> = period.months().iter().map(ToString::to_string).collect();
        assert_eq!(months, ["2025-11", "2025-12", "2026-01", "2026-02"]);
        assert!(period.has(date(2025, 11, 30)) && period.has(date(2026, 2, 1)));
        assert!(!period.has(date(2026, 2, 2)));
        let backwards = Period::new(date(2026, 2, 2), date(2026, 2, 1));
        assert_eq!(backwards, Err(Key::PeriodInvalid));
        let long = Period::new(date(2020, 1, 1), date(2026, 1, 1));
        assert_eq!(long, Err(Key::PeriodTooLong));
    }

    #[test]
    fn the_hours_of_a_day_are_those_of_kyiv_when_the_clocks_change() {
        for (day, hours) in [
            (date(2026, 3, 29), 23),
            (date(2026, 10, 25), 25),
            (date(2026, 7, 1), 24),
        ] {
            let (begin, end) = Period::new(day, day).unwrap().moments().unwrap();
            assert_eq!(end.duration_since(begin).as_hours(), hours, "{day}");
        }
    }
}
