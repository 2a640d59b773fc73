//! Accounts of an earlier year.
//!
//! The Treasury opens accounts of the budget for the budget year, and in January some are new (in 2026 they were opened until 16 January).
//! So an account that nobody has compared with a published list since 1 January in Kyiv may be last year's.

use jiff::civil::Date;

/// Returns whether an account was confirmed in the year of a day in Kyiv, by that day. A day to come confirms nothing.
#[must_use]
pub fn is_confirmed_this_year(on: Date, confirmed_on: Option<Date>) -> bool {
    confirmed_on.is_some_and(|day| day.year() == on.year() && day <= on)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn an_account_is_confirmed_from_its_day_to_the_end_of_the_year() {
        let confirmed = |on, day| is_confirmed_this_year(on, day);
        let day = date(2026, 11, 3);
        for (on, expected) in [
            (date(2025, 12, 31), false),
            (date(2026, 11, 2), false),
            (date(2026, 11, 3), true),
            (date(2026, 12, 31), true),
            (date(2027, 1, 1), false),
        ] {
            assert_eq!(confirmed(on, Some(day)), expected, "{on}");
            assert!(!confirmed(on, None));
        }
        assert!(confirmed(date(2027, 1, 1), Some(date(2027, 1, 1))));
    }
}
