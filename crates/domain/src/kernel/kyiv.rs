//! Kyiv time: the civil day in which a tariff, a fee or an account is in force.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// The time zone of the service. Its rules are built in, so that the result does not depend on the machine's time zone
/// database.
static KYIV: TimeZone = jiff::tz::get!("Europe/Kyiv");

/// Returns the moment as date and time in Kyiv.
#[must_use]
pub fn kyiv_time(moment: Timestamp) -> Zoned {
    moment.to_zoned(KYIV.clone())
}

/// Returns the civil date in Kyiv at this moment.
#[must_use]
pub fn kyiv_date(moment: Timestamp) -> Date {
    kyiv_time(moment).date()
}

/// Returns the moment at which a day begins in Kyiv; `None` at the ends of the calendar.
#[must_use]
pub fn kyiv_day_start(date: Date) -> Option<Timestamp> {
    date.to_zoned(KYIV.clone())
        .ok()
        .map(|midnight| midnight.timestamp())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_day_begins_two_hours_before_utc_in_winter_and_three_in_summer() {
        assert_eq!(
            kyiv_date(at("2025-11-10T21:59:59.999999Z")),
            date(2025, 11, 10)
        );
        assert_eq!(kyiv_date(at("2025-11-10T22:00:00Z")), date(2025, 11, 11));
        assert_eq!(kyiv_date(at("2025-07-31T20:59:59Z")), date(2025, 7, 31));
        assert_eq!(kyiv_date(at("2025-07-31T21:00:00Z")), date(2025, 8, 1));
    }

    #[test]
    fn days_begin_where_their_date_does() {
        for day in [
            date(2025, 3, 30),
            date(2025, 10, 26),
            date(2025, 11, 11),
            date(2026, 1, 1),
        ] {
            let start = kyiv_day_start(day).unwrap();
            assert_eq!(kyiv_date(start), day);
            assert_eq!(
                kyiv_date(start - jiff::SignedDuration::from_micros(1)),
                day.yesterday().unwrap()
            );
        }
        assert_eq!(
            kyiv_day_start(date(2025, 11, 11)),
            Some(at("2025-11-10T22:00:00Z"))
        );
    }
}
