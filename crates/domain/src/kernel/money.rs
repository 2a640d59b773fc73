//! Sums in whole kopiykas.
//!
//! Sums are kopiykas (`i64`) everywhere, rounded half away from zero to the kopiyka, and never binary floating point
//! (specification, "Readings: money and tariff").

use std::fmt;

use crate::{Key, Locale};

/// Kopiykas in a hryvnia.
const KOPIYKAS_PER_HRYVNIA: i64 = 100;

/// A sum of hryvnias in whole kopiykas: never negative, never above [`Money::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(i64);

/// Why a sum is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// The text is empty.
    #[error("the sum is empty")]
    Empty,
    /// Not digits with at most one decimal point; an exponent, a sign or a separator of thousands is refused too.
    #[error("the sum is not a plain decimal number")]
    NotDecimal,
    /// More than two decimals: a part of a kopiyka cannot be paid.
    #[error("the sum has more than two decimals")]
    TooPrecise,
    /// Zero, where something must be paid.
    #[error("the sum is zero")]
    Zero,
    /// Below zero.
    #[error("the sum is negative")]
    Negative,
    /// Above [`Money::MAX`].
    #[error("the sum is too large")]
    TooLarge,
}

impl MoneyError {
    /// Returns the message key for an amount field.
    #[must_use]
    pub const fn key(self) -> Key {
        match self {
            Self::Empty => Key::AmountRequired,
            Self::NotDecimal | Self::TooPrecise | Self::Zero | Self::Negative | Self::TooLarge => {
                Key::AmountInvalid
            }
        }
    }
}

impl Money {
    /// Zero.
    pub const ZERO: Self = Self(0);

    /// 999,999,999.99 UAH, the largest sum that the national payment formats carry.
    pub const MAX: Self = Self(99_999_999_999);

    /// Returns a sum of kopiykas.
    ///
    /// # Errors
    /// Returns [`MoneyError::Negative`] below zero, [`MoneyError::TooLarge`] above [`Money::MAX`].
    pub const fn from_kopiykas(kopiykas: i64) -> Result<Self, MoneyError> {
        if kopiykas < 0 {
            Err(MoneyError::Negative)
        } else if kopiykas > Self::MAX.0 {
            Err(MoneyError::TooLarge)
        } else {
            Ok(Self(kopiykas))
        }
    }

    /// Returns a sum of whole hryvnias.
    ///
    /// # Errors
    /// As [`Money::from_kopiykas`].
    pub const fn from_hryvnias(hryvnias: i64) -> Result<Self, MoneyError> {
        match hryvnias.checked_mul(KOPIYKAS_PER_HRYVNIA) {
            Some(kopiykas) => Self::from_kopiykas(kopiykas),
            None if hryvnias < 0 => Err(MoneyError::Negative),
            None => Err(MoneyError::TooLarge),
        }
    }

    /// Returns the sum in kopiykas.
    #[must_use]
    pub const fn kopiykas(self) -> i64 {
        self.0
    }

    /// Returns whether the sum is zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Parses hryvnias as written on the wire: digits, and after a point one or two more (`1250`, `1250.5`, `0.05`).
    ///
    /// The text is that of the JSON number itself, so that a sum never passes through binary floating point.
    ///
    /// # Errors
    /// Returns the fitting [`MoneyError`]; a third decimal is refused even if it is zero.
    pub fn parse_decimal(text: &str) -> Result<Self, MoneyError> {
        if text.is_empty() {
            return Err(MoneyError::Empty);
        }
        if let Some(rest) = text.strip_prefix('-') {
            return Err(if Self::parse_decimal(rest).is_ok() {
                MoneyError::Negative
            } else {
                MoneyError::NotDecimal
            });
        }
        let (whole, fraction) = text
            .split_once('.')
            .map_or((text, None), |(whole, rest)| (whole, Some(rest)));
        let all_digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(whole) || !fraction.is_none_or(all_digits) {
            return Err(MoneyError::NotDecimal);
        }
        let fraction_kopiykas = match fraction.unwrap_or("0") {
            tens if tens.len() == 1 => digits_value(tens)? * 10,
            both if both.len() == 2 => digits_value(both)?,
            _ => return Err(MoneyError::TooPrecise),
        };
        Self::from_hryvnias(digits_value(whole)?)?.plus(Self(fraction_kopiykas))
    }

    /// Parses hryvnias like [`Money::parse_decimal`], but with any number of zeros at the end of the decimals, as banks and acquirers
    /// write them: `100.00000`.
    ///
    /// # Errors
    /// Returns the fitting [`MoneyError`].
    pub fn parse_padded_decimal(text: &str) -> Result<Self, MoneyError> {
        let Some((whole, fraction)) = text.split_once('.') else {
            return Self::parse_decimal(text);
        };
        match fraction.trim_end_matches('0') {
            "" => Self::parse_decimal(whole),
            fraction => Self::parse_decimal(&format!("{whole}.{fraction}")),
        }
    }

    /// Adds two sums.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above [`Money::MAX`].
    pub const fn plus(self, other: Self) -> Result<Self, MoneyError> {
        // Two sums within the limit cannot overflow an i64.
        Self::from_kopiykas(self.0 + other.0)
    }

    /// Subtracts a sum.
    ///
    /// # Errors
    /// [`MoneyError::Negative`] where the other is the larger one.
    pub const fn minus(self, other: Self) -> Result<Self, MoneyError> {
        Self::from_kopiykas(self.0 - other.0)
    }

    /// Multiplies by a number of units.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above [`Money::MAX`].
    pub fn times(self, count: Count) -> Result<Self, MoneyError> {
        // At most 10^11 kopiykas times 999 units: far within an i64.
        Self::from_kopiykas(self.0 * i64::from(count.0))
    }

    /// Adds all sums.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] above [`Money::MAX`].
    pub fn sum(sums: impl IntoIterator<Item = Self>) -> Result<Self, MoneyError> {
        sums.into_iter().try_fold(Self::ZERO, Self::plus)
    }

    /// Splits the sum: a percentage, rounded half away from zero to the kopiyka, and the rest. The two always add up to
    /// the sum (specification, "Readings: money and tariff").
    #[must_use]
    pub fn share(self, percent: Percent) -> (Self, Self) {
        let first = round_half_away(self.0 * i64::from(percent.0), 100);
        (Self(first), Self(self.0 - first))
    }

    /// Returns the part that was added as a percentage, as VAT is: 20,00 of 120,00 at 20 %. Rounded half away from zero to the kopiyka.
    #[must_use]
    pub fn contained(self, percent: Percent) -> Self {
        let percent = i64::from(percent.0);
        Self(round_half_away(self.0 * percent, 100 + percent))
    }

    /// Returns so many hundredths of a percent of the sum, rounded half away from zero to the kopiyka.
    ///
    /// # Errors
    /// [`MoneyError::Negative`] below zero, [`MoneyError::TooLarge`] above [`Money::MAX`].
    pub const fn basis_points(self, basis_points: i64) -> Result<Self, MoneyError> {
        match self.0.checked_mul(basis_points) {
            Some(product) if product >= 0 => Self::from_kopiykas(round_half_away(product, 10_000)),
            Some(_) => Err(MoneyError::Negative),
            None => Err(MoneyError::TooLarge),
        }
    }

    /// Formats hryvnias with a point and two decimals, without separators: `1250.50`. For the wire, files and other
    /// programs.
    #[must_use]
    pub fn decimal(self) -> String {
        format!(
            "{}.{:02}",
            self.0 / KOPIYKAS_PER_HRYVNIA,
            self.0 % KOPIYKAS_PER_HRYVNIA
        )
    }

    /// Formats hryvnias for people: `1 250,50` with no-break spaces in Ukrainian, `1,250.50` in English, without
    /// currency.
    #[must_use]
    pub fn display(self, locale: Locale) -> String {
        let (separator, point) = match locale {
            Locale::Uk => ('\u{a0}', ','),
            Locale::En => (',', '.'),
        };
        let whole = (self.0 / KOPIYKAS_PER_HRYVNIA).to_string();
        let mut text = String::with_capacity(whole.len() * 2);
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                text.push(separator);
            }
            text.push(digit);
        }
        format!("{text}{point}{:02}", self.0 % KOPIYKAS_PER_HRYVNIA)
    }
}

/// Returns the value of ASCII digits.
fn digits_value(digits: &str) -> Result<i64, MoneyError> {
    digits.parse().map_err(|_| MoneyError::TooLarge)
}

/// Divides a non-negative numerator, rounding halves up.
const fn round_half_away(numerator: i64, denominator: i64) -> i64 {
    (numerator + denominator / 2) / denominator
}

/// A whole number of percent, 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(u8);

impl Percent {
    /// Returns a percentage; `None` above 100.
    #[must_use]
    pub const fn new(percent: u8) -> Option<Self> {
        if percent <= 100 {
            Some(Self(percent))
        } else {
            None
        }
    }

    /// The notary's part of an administrative fee: 60 % (specification, points 1 and 9).
    pub const NOTARY_SHARE: Self = Self(60);

    /// Returns what is missing to 100 percent.
    #[must_use]
    pub const fn rest(self) -> Self {
        Self(100 - self.0)
    }

    /// Returns the number of percent.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// How many equal units an item stands for: 1 to 999 (the specification sets the least, 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(u16);

impl Count {
    /// One unit.
    pub const ONE: Self = Self(1);
    /// The most units in one item.
    pub const MAX: Self = Self(999);

    /// Returns a number of units.
    ///
    /// # Errors
    /// [`Key::CountInvalid`] outside 1 to 999.
    pub fn new(count: i64) -> Result<Self, Key> {
        match u16::try_from(count) {
            Ok(count) if (1..=Self::MAX.0).contains(&count) => Ok(Self(count)),
            _ => Err(Key::CountInvalid),
        }
    }

    /// Returns the number of units.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uah(decimal: &str) -> Money {
        Money::parse_decimal(decimal).unwrap()
    }

    #[test]
    fn decimals_are_read_as_the_wire_writes_them() {
        for (text, kopiykas) in [
            ("0", 0),
            ("0.05", 5),
            ("1250", 125_000),
            ("1250.5", 125_050),
            ("1250.50", 125_050),
            ("007.1", 710),
            ("999999999.99", 99_999_999_999),
        ] {
            assert_eq!(
                Money::parse_decimal(text).map(Money::kopiykas),
                Ok(kopiykas),
                "{text}"
            );
        }
    }

    #[test]
    fn other_texts_are_refused_with_their_reason() {
        use MoneyError::{Empty, Negative, NotDecimal, TooLarge, TooPrecise};
        for (text, error) in [
            ("", Empty),
            ("1.005", TooPrecise),
            ("1.000", TooPrecise),
            ("-1", Negative),
            ("-0.01", Negative),
            ("--1", NotDecimal),
            ("-", NotDecimal),
            ("1000000000", TooLarge),
            ("99999999999999999999999999", TooLarge),
            ("92233720368547758.08", TooLarge),
            ("1,5", NotDecimal),
            ("1 000", NotDecimal),
            ("1e3", NotDecimal),
            ("+1", NotDecimal),
            (".5", NotDecimal),
            ("5.", NotDecimal),
            ("1.2.3", NotDecimal),
            ("NaN", NotDecimal),
            ("１", NotDecimal),
        ] {
            assert_eq!(Money::parse_decimal(text), Err(error), "{text}");
        }
        assert_eq!(Empty.key(), Key::AmountRequired);
        assert_eq!(TooLarge.key(), Key::AmountInvalid);
    }

    #[test]
    fn zeros_behind_the_decimals_change_no_sum() {
        use MoneyError::{Empty, Negative, NotDecimal, TooPrecise};
        for (text, kopiykas) in [
            ("1250", 125_000),
            ("100.00000", 10_000),
            ("40.5000", 4_050),
            ("0.050", 5),
            ("0.000", 0),
        ] {
            assert_eq!(
                Money::parse_padded_decimal(text).map(Money::kopiykas),
                Ok(kopiykas),
                "{text}"
            );
        }
        for (text, error) in [
            ("", Empty),
            (".00", Empty),
            ("1.0050", TooPrecise),
            ("-1.000", Negative),
            ("1.2.00", NotDecimal),
            ("1,500", NotDecimal),
        ] {
            assert_eq!(Money::parse_padded_decimal(text), Err(error), "{text}");
        }
    }

    #[test]
    fn sums_stay_within_their_limits() {
        let kopiyka = uah("0.01");
        assert_eq!(Money::MAX.plus(kopiyka), Err(MoneyError::TooLarge));
        assert_eq!(Money::ZERO.minus(kopiyka), Err(MoneyError::Negative));
        assert_eq!(uah("2").minus(uah("0.5")), Ok(uah("1.50")));
        assert_eq!(uah("25.80").times(Count::MAX), Ok(uah("25774.20")));
        assert_eq!(Money::MAX.times(Count::MAX), Err(MoneyError::TooLarge));
        assert_eq!(Money::sum([Money::MAX, kopiyka]), Err(MoneyError::TooLarge));
        assert_eq!(Money::sum([]), Ok(Money::ZERO));
        assert_eq!(Money::from_kopiykas(-1), Err(MoneyError::Negative));
        assert_eq!(Money::from_hryvnias(i64::MAX), Err(MoneyError::TooLarge));
        assert_eq!(Money::from_hryvnias(i64::MIN), Err(MoneyError::Negative));
        assert_eq!(Money::MAX.basis_points(i64::MAX), Err(MoneyError::TooLarge));
    }

    #[test]
    fn people_read_groups_of_three() {
        for (decimal, ukrainian, english) in [
            ("0", "0,00", "0.00"),
            ("999.90", "999,90", "999.90"),
            ("1250.50", "1\u{a0}250,50", "1,250.50"),
            ("16889.60", "16\u{a0}889,60", "16,889.60"),
            ("100000", "100\u{a0}000,00", "100,000.00"),
            ("1234567.89", "1\u{a0}234\u{a0}567,89", "1,234,567.89"),
        ] {
            assert_eq!(uah(decimal).display(Locale::Uk), ukrainian);
            assert_eq!(uah(decimal).display(Locale::En), english);
        }
    }

    #[test]
    fn an_item_stands_for_1_to_999_units() {
        assert_eq!(Count::new(1), Ok(Count::ONE));
        assert_eq!(Count::new(999), Ok(Count::MAX));
        for count in [0, -1, 1000, 65_537, i64::MAX] {
            assert_eq!(Count::new(count), Err(Key::CountInvalid), "{count}");
        }
    }

    #[test]
    fn a_percentage_is_at_most_the_whole() {
        assert_eq!(Percent::new(100).map(Percent::get), Some(100));
        assert_eq!(Percent::new(101), None);
    }
}
