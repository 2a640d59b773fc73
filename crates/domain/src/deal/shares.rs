//! The shares of several payers, such as co-owners who sell a flat together.

use std::fmt;

use crate::{DealParty, Money};

/// One of those who pay as a party to a deal. The first is also the payer of what is owed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DealPayer {
    /// The party.
    pub party: DealParty,
    /// From 1.
    pub number: u8,
}

impl DealPayer {
    /// The first or only payer of a party.
    #[must_use]
    pub const fn first(party: DealParty) -> DealPayer {
        DealPayer { party, number: 1 }
    }

    /// Parses the text of [`fmt::Display`].
    #[must_use]
    pub fn parse(text: &str) -> Option<DealPayer> {
        let Some((party, number)) = text.split_once(':') else {
            return DealParty::parse(text).map(DealPayer::first);
        };
        let payer = DealPayer {
            party: DealParty::parse(party)?,
            number: number.parse().ok()?,
        };
        let is_number = (2..=Shares::COUNT_MAX).contains(&usize::from(payer.number));
        (is_number && payer.to_string() == text).then_some(payer)
    }
}

/// `seller` for the first, `seller:2` for the second.
impl fmt::Display for DealPayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.party.as_str())?;
        match self.number {
            1 => Ok(()),
            number => write!(f, ":{number}"),
        }
    }
}

/// A share in a whole, as a fraction: 1/3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    part: u16,
    of: u16,
}

impl Share {
    /// Largest denominator.
    pub const OF_MAX: i64 = 1000;

    /// Makes a share: more than nothing and at most the whole. `None` for any other, and for a denominator above [`Share::OF_MAX`].
    #[must_use]
    pub fn new(part: i64, of: i64) -> Option<Share> {
        let is_share = (1..=Share::OF_MAX).contains(&of) && (1..=of).contains(&part);
        let (part, of) = (u16::try_from(part).ok()?, u16::try_from(of).ok()?);
        is_share.then_some(Share { part, of })
    }

    /// Returns the numerator.
    #[must_use]
    pub const fn part(self) -> u16 {
        self.part
    }

    /// Returns the denominator.
    #[must_use]
    pub const fn of(self) -> u16 {
        self.of
    }
}

/// The shares of at least two payers. Together they are the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares(Vec<Share>);

/// The largest common denominator. Products with sums of money stay far within 128 bits.
const COMMON_MAX: u128 = 1_000_000_000_000_000_000;

impl Shares {
    /// Most payers.
    pub const COUNT_MAX: usize = 20;

    /// Takes the shares of 2 to [`Shares::COUNT_MAX`] payers. `None` where they are not the whole.
    #[must_use]
    pub fn new(shares: Vec<Share>) -> Option<Shares> {
        let shares = Shares(shares);
        let common = shares.common()?;
        let parts: u128 = shares.parts(common).sum();
        let is_several = (2..=Shares::COUNT_MAX).contains(&shares.0.len());
        (is_several && parts == common).then_some(shares)
    }

    /// Returns the shares in the order of the payers.
    #[must_use]
    pub fn all(&self) -> &[Share] {
        &self.0
    }

    /// Returns the share of a payer, counted from 1.
    #[must_use]
    pub fn of(&self, number: u8) -> Option<Share> {
        self.0.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Returns a payer's part of a sum; the payers are counted from 1. All parts together are exactly the sum ([`Shares::split`]).
    #[must_use]
    pub fn part_of(&self, number: u8, sum: Money) -> Money {
        let parts = self.split(sum);
        let index = usize::from(number).checked_sub(1);
        let part = index.and_then(|index| parts.get(index));
        part.copied().unwrap_or(Money::ZERO)
    }

    /// Divides a sum by the shares, in whole kopiykas. What the first payers have together is their common share of the sum, rounded half
    /// up, and so what each has is within a kopiyka of her share, and all parts together are exactly the sum.
    #[must_use]
    pub fn split(&self, sum: Money) -> Vec<Money> {
        let common = self.common().unwrap_or(1);
        let whole = u128::try_from(sum.kopiykas()).unwrap_or_default();
        let mut share = 0;
        let mut given = 0;
        self.parts(common)
            .map(|part| {
                share += part;
                let until = (2 * whole * share + common) / (2 * common);
                let own = until - given;
                given = until;
                let own = i64::try_from(own).unwrap_or(i64::MAX);
                Money::from_kopiykas(own).unwrap_or(Money::MAX)
            })
            .collect()
    }

    /// The least common denominator. `None` above [`COMMON_MAX`].
    fn common(&self) -> Option<u128> {
        let mut common = 1;
        for share in &self.0 {
            let of = u128::from(share.of);
            common *= of / divisor(common, of);
            if common > COMMON_MAX {
                return None;
            }
        }
        Some(common)
    }

    /// The numerators over the common denominator.
    fn parts(&self, common: u128) -> impl Iterator<Item = u128> {
        let shares = self.0.iter();
        shares.map(move |share| common / u128::from(share.of) * u128::from(share.part))
    }
}

/// The greatest common divisor of two numbers above zero.
fn divisor(one: u128, other: u128) -> u128 {
    if other == 0 {
        one
    } else {
        divisor(other, one % other)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shares(of: &[(i64, i64)]) -> Option<Shares> {
        let shares = of.iter().map(|(part, of)| Share::new(*part, *of));
        Shares::new(shares.collect::<Option<_>>()?)
    }

    #[test]
    fn shares_are_those_of_several_and_the_whole() {
        for whole in [
            &[(1, 2), (1, 2)][..],
            &[(1, 3), (2, 3)],
            &[(1, 3), (1, 6), (1, 2)],
            &[(333, 1000), (333, 1000), (334, 1000)],
        ] {
            assert!(shares(whole).is_some(), "{whole:?}");
        }
        for wrong in [
            &[][..],
            &[(1, 1)],
            &[(1, 2), (1, 3)],
            &[(1, 2), (2, 3)],
            &[(0, 2), (2, 2)],
            &[(-1, 2), (3, 2)],
            &[(1, 1001), (1000, 1001)],
            &[(1, 21); 21],
        ] {
            assert!(shares(wrong).is_none(), "{wrong:?}");
        }
        // Their common denominator has more than 18 digits.
        let primes = [997, 991, 983, 977, 971, 967, 953];
        let many: Vec<_> = primes.iter().map(|prime| (1, *prime)).collect();
        assert!(shares(&many).is_none());
    }

    #[test]
    fn a_sum_is_divided_to_the_kopiyka() {
        let split = |of: &[(i64, i64)], kopiykas: i64| -> Vec<i64> {
            let sum = Money::from_kopiykas(kopiykas).unwrap();
            let parts = shares(of).unwrap().split(sum);
            parts.into_iter().map(Money::kopiykas).collect()
        };
        assert_eq!(split(&[(1, 2), (1, 2)], 200_000_000), [100_000_000; 2]);
        assert_eq!(split(&[(1, 2), (1, 2)], 1), [1, 0]);
        assert_eq!(split(&[(1, 3), (1, 3), (1, 3)], 100), [33, 34, 33]);
        assert_eq!(
            split(&[(1, 3), (2, 3)], 100_000_001),
            [33_333_334, 66_666_667]
        );
    }

    proptest! {
        #[test]
        fn the_parts_are_the_sum_and_each_is_within_a_kopiyka_of_its_share(
            weights in prop::collection::vec(1..=50_u16, 2..=Shares::COUNT_MAX),
            kopiykas in 0..=Money::MAX.kopiykas(),
        ) {
            let of = weights.iter().map(|weight| i64::from(*weight)).sum::<i64>();
            let all = weights.iter().map(|weight| Share::new(i64::from(*weight), of));
            let all = Shares::new(all.collect::<Option<_>>().unwrap()).unwrap();
            let parts = all.split(Money::from_kopiykas(kopiykas).unwrap());
            prop_assert_eq!(parts.len(), weights.len());
            prop_assert_eq!(parts.iter().map(|part| part.kopiykas()).sum::<i64>(), kopiykas);
            for (part, weight) in parts.iter().zip(&weights) {
                let exact = i128::from(kopiykas) * i128::from(*weight);
                let off = i128::from(part.kopiykas()) * i128::from(of) - exact;
                prop_assert!(off.abs() <= i128::from(of), "{part:?} of {weight}/{of}");
            }
        }
    }
}
