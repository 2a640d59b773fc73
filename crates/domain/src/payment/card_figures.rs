//! The sums of a notary from which more is asked, and told, of her saved cards.

use crate::Money;

/// The figures of a notary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardFigures {
    /// The most that her saved cards pay within 24 hours to recipients outside of the tables without a proof.
    pub daily_unproved_max: Money,
    /// From this sum on she is told of each charge.
    pub told_from: Money,
}

impl Default for CardFigures {
    fn default() -> Self {
        let hryvnias = |sum| Money::from_hryvnias(sum).unwrap_or(Money::ZERO);
        Self {
            daily_unproved_max: hryvnias(50_000),
            told_from: hryvnias(20_000),
        }
    }
}

impl CardFigures {
    /// Whether less would be asked or told than before.
    #[must_use]
    pub fn loosen(self, before: CardFigures) -> bool {
        self.daily_unproved_max > before.daily_unproved_max || self.told_from > before.told_from
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_sum_loosens_and_a_smaller_one_does_not() {
        let money = |sum| Money::from_hryvnias(sum).unwrap();
        let figures = |daily_unproved_max, told_from| CardFigures {
            daily_unproved_max: money(daily_unproved_max),
            told_from: money(told_from),
        };
        let before = figures(50, 20);
        for (after, loosens) in [
            (figures(50, 20), false),
            (figures(49, 19), false),
            (figures(51, 1), true),
            (figures(1, 21), true),
        ] {
            assert_eq!(after.loosen(before), loosens, "{after:?}");
        }
    }
}
