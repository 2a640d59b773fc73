//! The service's tariffs by date.
//!
//! The tariff in force on the day of the computation applies, in Kyiv time (specification, "Readings: money and tariff").

use jiff::Timestamp;
use jiff::civil::Date;

use crate::{Money, kyiv_date};

/// Hundredths of a percent in the whole.
const BASIS_POINTS_IN_WHOLE: i64 = 10_000;

/// What the service charges: a part of the amount, but at least a minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tariff {
    /// The first day, in Kyiv, on which it applies; `None` for the initial tariff.
    pub valid_from: Option<Date>,
    /// Hundredths of a percent of the amount: 150 is 1.5 %.
    pub basis_points: i64,
    /// The minimal commission of each part.
    pub minimum: Money,
}

/// All tariffs, by their first days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TariffTable {
    /// The initial tariff.
    first: Tariff,
    /// The later ones, by day.
    later: Vec<Tariff>,
}

/// Why a list of tariffs was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TariffTableError {
    /// Not exactly one tariff without a first day.
    #[error("exactly one tariff must have no first day")]
    FirstTariffUnclear,
    /// Two tariffs begin on one day.
    #[error("two tariffs begin on {0}")]
    SameDay(Date),
    /// Less than nothing, or more than the amount itself.
    #[error("a tariff must be from 0 to 10000 hundredths of a percent")]
    RateOutOfRange,
}

impl TariffTable {
    /// Makes the table; the order of the list does not matter.
    ///
    /// # Errors
    /// Returns the fitting [`TariffTableError`].
    pub fn new(tariffs: Vec<Tariff>) -> Result<Self, TariffTableError> {
        if tariffs
            .iter()
            .any(|tariff| !(0..=BASIS_POINTS_IN_WHOLE).contains(&tariff.basis_points))
        {
            return Err(TariffTableError::RateOutOfRange);
        }
        let (undated, mut later): (Vec<_>, Vec<_>) = tariffs
            .into_iter()
            .partition(|tariff| tariff.valid_from.is_none());
        let &[first] = undated.as_slice() else {
            return Err(TariffTableError::FirstTariffUnclear);
        };
        later.sort_by_key(|tariff| tariff.valid_from);
        for (one, next) in later.iter().zip(later.iter().skip(1)) {
            if let (true, Some(day)) = (one.valid_from == next.valid_from, one.valid_from) {
                return Err(TariffTableError::SameDay(day));
            }
        }
        Ok(Self { first, later })
    }

    /// Returns the tariff in force at this moment.
    #[must_use]
    pub fn in_force(&self, moment: Timestamp) -> &Tariff {
        self.begun(moment).last().unwrap_or(&self.first)
    }

    /// Returns the next tariff after this moment, if one is known.
    #[must_use]
    pub fn next_after(&self, moment: Timestamp) -> Option<&Tariff> {
        self.later.get(self.begun(moment).len()..)?.first()
    }

    /// Returns the dated tariffs that are in force or were before.
    fn begun(&self, moment: Timestamp) -> std::slice::Iter<'_, Tariff> {
        let today = Some(kyiv_date(moment));
        let count = self
            .later
            .partition_point(|tariff| tariff.valid_from <= today);
        self.later.get(..count).unwrap_or_default().iter()
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn tariff(valid_from: Option<Date>, minimum_hryvnias: i64) -> Tariff {
        Tariff {
            valid_from,
            basis_points: 150,
            minimum: Money::from_hryvnias(minimum_hryvnias).unwrap(),
        }
    }

    #[test]
    fn the_day_in_kyiv_decides() {
        let (old, new, newest) = (
            tariff(None, 5),
            tariff(Some(date(2025, 11, 11)), 10),
            tariff(Some(date(2027, 1, 1)), 12),
        );
        let table = TariffTable::new(vec![newest, old, new]).unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();

        let before = at("2025-11-10T21:59:59.999999Z");
        assert_eq!(table.in_force(before), &old);
        assert_eq!(table.next_after(before), Some(&new));

        let after = at("2025-11-10T22:00:00Z");
        assert_eq!(table.in_force(after), &new);
        assert_eq!(table.next_after(after), Some(&newest));

        let last = at("2026-12-31T22:00:00Z");
        assert_eq!(table.in_force(last), &newest);
        assert_eq!(table.next_after(last), None);
    }

    #[test]
    fn unclear_lists_are_refused() {
        let day = date(2025, 11, 11);
        assert_eq!(
            TariffTable::new(vec![]),
            Err(TariffTableError::FirstTariffUnclear)
        );
        assert_eq!(
            TariffTable::new(vec![tariff(Some(day), 5)]),
            Err(TariffTableError::FirstTariffUnclear)
        );
        assert_eq!(
            TariffTable::new(vec![tariff(None, 5), tariff(None, 10)]),
            Err(TariffTableError::FirstTariffUnclear)
        );
        assert_eq!(
            TariffTable::new(vec![
                tariff(Some(day), 5),
                tariff(None, 5),
                tariff(Some(day), 10)
            ]),
            Err(TariffTableError::SameDay(day))
        );
        for basis_points in [-1, 10_001] {
            let wrong = Tariff {
                basis_points,
                ..tariff(None, 5)
            };
            assert_eq!(
                TariffTable::new(vec![wrong]),
                Err(TariffTableError::RateOutOfRange)
            );
        }
    }
}
