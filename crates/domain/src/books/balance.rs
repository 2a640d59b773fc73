//! Sums of sums.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use crate::Money;

/// A sum of many sums or a difference of two, in whole kopiykas. It may be negative, and larger than [`Money::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Balance(i64);

impl Balance {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// Returns the number of kopiykas.
    #[must_use]
    pub const fn kopiykas(self) -> i64 {
        self.0
    }

    /// Returns a balance of so many kopiykas.
    #[must_use]
    pub const fn from_kopiykas(kopiykas: i64) -> Self {
        Self(kopiykas)
    }

    /// Returns hryvnias with a point and two decimals, for instance `-1250.50`.
    #[must_use]
    pub fn decimal(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let size = self.0.unsigned_abs();
        format!("{sign}{}.{:02}", size / 100, size % 100)
    }
}

impl From<Money> for Balance {
    fn from(money: Money) -> Self {
        Self(money.kopiykas())
    }
}

// The largest sum times a billion rows stays within the type, so these do not overflow.
impl Add for Balance {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Balance {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Balance {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Balance {
    fn sum<I: Iterator<Item = Self>>(balances: I) -> Self {
        balances.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_balance_is_written_with_its_sign() {
        for (kopiykas, text) in [
            (0, "0.00"),
            (5, "0.05"),
            (-5, "-0.05"),
            (-125_050, "-1250.50"),
            (99_999_999_999, "999999999.99"),
        ] {
            assert_eq!(Balance::from_kopiykas(kopiykas).decimal(), text);
        }
    }
}
