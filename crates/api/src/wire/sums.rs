//! Sums and other exact numbers on the wire.

use std::borrow::Cow;
use std::marker::PhantomData;

use cabinet_app::kernel::refusal::AppError;
use cabinet_domain::{Balance, Money, MoneyError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;

/// A sum in hryvnias: a JSON number with at most two decimals.
///
/// Internally a sum is whole kopiykas. The number is written and read as decimal text, never as a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hryvnias(pub Money);

impl From<Money> for Hryvnias {
    fn from(money: Money) -> Hryvnias {
        Hryvnias(money)
    }
}

impl Serialize for Hryvnias {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kopiykas = self.0.kopiykas();
        if kopiykas % 100 == 0 {
            return serializer.serialize_i64(kopiykas / 100);
        }
        let text = self.0.decimal();
        let number: Number = text
            .strip_suffix('0')
            .unwrap_or(&text)
            .parse()
            .map_err(serde::ser::Error::custom)?;
        number.serialize(serializer)
    }
}

impl JsonSchema for Hryvnias {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Hryvnias".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "multipleOf": 0.01, "description": "A sum in hryvnias, at most two decimals." })
    }
}

/// A total in hryvnias: a JSON number with at most two decimals, which may be larger than the largest payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotalHryvnias(pub Balance);

impl From<Balance> for TotalHryvnias {
    fn from(balance: Balance) -> TotalHryvnias {
        TotalHryvnias(balance)
    }
}

impl Serialize for TotalHryvnias {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.decimal();
        let text = text.strip_suffix(".00").unwrap_or(&text);
        let text = match text.contains('.') {
            true => text.strip_suffix('0').unwrap_or(text),
            false => text,
        };
        let number: Number = text.parse().map_err(serde::ser::Error::custom)?;
        number.serialize(serializer)
    }
}

impl JsonSchema for TotalHryvnias {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "TotalHryvnias".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "multipleOf": 0.01, "description": "A total in hryvnias, at most two decimals." })
    }
}

/// The text of a JSON number that should be a `T`.
///
/// Any number is accepted here. The handler reads it and reports what is wrong.
#[derive(Clone)]
pub struct NumberText<T> {
    text: String,
    of: PhantomData<T>,
}

impl NumberText<Hryvnias> {
    /// Returns the sum.
    ///
    /// # Errors
    /// Returns the error of [`Money::parse_decimal`], also for an exponent or a third decimal.
    pub fn read(&self) -> Result<Money, MoneyError> {
        Money::parse_decimal(&self.text)
    }
}

impl NumberText<i64> {
    /// Returns the integer; `None` for any other number.
    pub fn read(&self) -> Option<i64> {
        self.text.parse().ok()
    }
}

impl<'de, T> Deserialize<'de> for NumberText<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Number::deserialize(deserializer)?;
        Ok(NumberText {
            text: number.to_string(),
            of: PhantomData,
        })
    }
}

impl<T: JsonSchema> JsonSchema for NumberText<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Converts the error of a stored sum. Stored sums never overflow, so it means that the data is damaged.
pub fn broken_sum(error: MoneyError) -> AppError {
    AppError::Broken(format!("a stored item has no sum: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn whole_and_broken_sums_are_plain_numbers() {
        let json = |kopiykas| {
            serde_json::to_string(&Hryvnias(Money::from_kopiykas(kopiykas).unwrap())).unwrap()
        };
        assert_eq!(json(35_000), "350");
        assert_eq!(json(168_494), "1684.94");
        assert_eq!(json(110), "1.1");
    }

    fn read(text: &str) -> Option<Result<Money, MoneyError>> {
        let number: Result<NumberText<Hryvnias>, _> = serde_json::from_str(text);
        number.ok().map(|number| number.read())
    }

    #[test]
    fn a_sum_is_read_by_its_own_digits() {
        use MoneyError::{Negative, NotDecimal, TooLarge, TooPrecise};
        for (text, error) in [
            ("1.005", TooPrecise),
            ("1.000", TooPrecise),
            ("100.0000000000000000000000001", TooPrecise),
            ("99999999999999999.99", TooLarge),
            ("-1", Negative),
            ("1e2", NotDecimal),
            ("1E-1", NotDecimal),
            ("1e40", NotDecimal),
        ] {
            assert_eq!(read(text), Some(Err(error)), "{text}");
        }
        for text in ["\"5\"", "true", "{}"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("12.50"), Some(Money::from_kopiykas(1_250)));
    }

    proptest! {
        #[test]
        fn every_sum_survives_the_wire(kopiykas in 0..=Money::MAX.kopiykas()) {
            let sum = Money::from_kopiykas(kopiykas).unwrap();
            let text = serde_json::to_string(&Hryvnias(sum)).unwrap();
            prop_assert_eq!(read(&text), Some(Ok(sum)));
        }
    }
}
