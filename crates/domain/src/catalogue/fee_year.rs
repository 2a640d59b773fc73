//! Fees of an earlier year.
//!
//! State fees are multiples of minimums that a law sets on 1 January of each year (Law 1952-IV art. 34, Law 755-IV art. 36).
//! So a fee whose row began before the last 1 January in Kyiv is stale, unless its row says that it does not follow the year.

use jiff::civil::{Date, date};

/// A day of the year, one that every year has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct YearDay {
    month: i8,
    day: i8,
}

impl YearDay {
    /// 31 January.
    pub const END_OF_JANUARY: YearDay = YearDay { month: 1, day: 31 };

    /// Reads a day of the form `01-31`. `None`: not such a day, or 29 February.
    #[must_use]
    pub fn parse(text: &str) -> Option<YearDay> {
        let (month, day) = text.split_once('-')?;
        let number = |text: &str| -> Option<i8> {
            let has_form = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            has_form.then(|| text.parse().ok()).flatten()
        };
        let (month, day) = (number(month)?, number(day)?);
        // 2023 was no leap year.
        Date::new(2023, month, day).ok()?;
        Some(YearDay { month, day })
    }

    /// Returns the day in a year; `None` beyond the end of the calendar.
    fn in_year(self, year: i16) -> Option<Date> {
        Date::new(year, self.month, self.day).ok()
    }
}

/// The month from whose first day the fees of the next year are missed: its minimums are usually known by then, and the days that are left
/// are enough to load them.
const MISSED_FROM_MONTH: i8 = 12;

/// Returns the first day of the next year, from the day in Kyiv on which its fees are missed: 1 December. `None` before.
#[must_use]
pub fn awaited_year(on: Date) -> Option<Date> {
    let next = on.year().checked_add(1)?;
    (on.month() >= MISSED_FROM_MONTH)
        .then(|| Date::new(next, 1, 1).ok())
        .flatten()
}

/// A fee of an earlier year that is still in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleFee {
    /// The first day of the fee. It lies before the last 1 January.
    pub valid_from: Date,
    /// The day from which payments of the fee are refused; `None` where they never are.
    pub refused_from: Option<Date>,
}

impl StaleFee {
    /// Returns how a fee is stale on a day in Kyiv; `None` where it began in the year of the day or later.
    ///
    /// Payments are refused from `refused_from` in the year after the fee's own, so a fee that is two years old is refused at
    /// once.
    #[must_use]
    pub fn on(on: Date, valid_from: Date, refused_from: Option<YearDay>) -> Option<StaleFee> {
        if valid_from >= date(on.year(), 1, 1) {
            return None;
        }
        let year_after = valid_from.year().checked_add(1)?;
        Some(StaleFee {
            valid_from,
            refused_from: refused_from.and_then(|day| day.in_year(year_after)),
        })
    }

    /// Whether payments of the fee are refused on a day in Kyiv.
    #[must_use]
    pub fn is_refused_on(self, on: Date) -> bool {
        self.refused_from.is_some_and(|first| first <= on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_of_the_year_is_one_that_every_year_has() {
        assert_eq!(YearDay::parse("01-31"), Some(YearDay::END_OF_JANUARY));
        assert_eq!(YearDay::parse("12-01"), Some(YearDay { month: 12, day: 1 }));
        for text in [
            "", "off", "31-01", "1-31", "01-32", "02-29", "01-3١", "+1-02", "01-31-", "2027-01",
        ] {
            assert_eq!(YearDay::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_fee_is_stale_from_1_january_and_refused_from_the_set_day() {
        let set = Some(YearDay::END_OF_JANUARY);
        for began in [date(2026, 1, 1), date(2026, 11, 11), date(2026, 12, 31)] {
            assert_eq!(StaleFee::on(date(2026, 12, 31), began, set), None);
            let stale = StaleFee::on(date(2027, 1, 1), began, set).unwrap();
            assert_eq!(
                (stale.valid_from, stale.refused_from),
                (began, Some(date(2027, 1, 31)))
            );
            assert!(!stale.is_refused_on(date(2027, 1, 30)));
            assert!(stale.is_refused_on(date(2027, 1, 31)));
        }
    }

    #[test]
    fn the_next_year_is_awaited_from_1_december() {
        assert_eq!(awaited_year(date(2026, 11, 30)), None);
        for day in [date(2026, 12, 1), date(2026, 12, 31)] {
            assert_eq!(awaited_year(day), Some(date(2027, 1, 1)));
        }
        assert_eq!(awaited_year(date(2027, 1, 1)), None);
        assert_eq!(awaited_year(Date::MAX), None);
    }

    #[test]
    fn without_a_set_day_nothing_is_refused() {
        let stale = StaleFee::on(date(2030, 6, 1), date(2026, 1, 1), None).unwrap();
        assert!(!stale.is_refused_on(date(2030, 6, 1)));
    }

    #[test]
    fn a_fee_of_two_years_ago_is_refused_at_once() {
        let set = Some(YearDay::END_OF_JANUARY);
        let on = date(2027, 1, 2);
        let stale = StaleFee::on(on, date(2025, 1, 1), set).unwrap();
        assert!(stale.is_refused_on(on));
    }
}
