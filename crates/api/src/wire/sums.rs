//! Sums on the wire.

use std::borrow::Cow;

use cabinet_domain::Money;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A sum in hryvnias: a JSON number with at most two decimals.
///
/// Inside, a sum is whole kopiykas. The number is made from and read as decimal text, so no sum ever passes through
/// binary arithmetic.
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
        // The shortest text of the nearest double of a decimal with at most 15 digits is that decimal again.
        let number: f64 = self
            .0
            .decimal()
            .parse()
            .map_err(serde::ser::Error::custom)?;
        serializer.serialize_f64(number)
    }
}

impl<'de> Deserialize<'de> for Hryvnias {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        Money::parse_decimal(&number.to_string())
            .map(Hryvnias)
            .map_err(|_| serde::de::Error::custom("not a sum in hryvnias"))
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

    #[test]
    fn a_third_decimal_a_negative_and_a_text_are_refused() {
        for text in ["1.005", "-1", "\"5\"", "1e40", "true"] {
            assert!(serde_json::from_str::<Hryvnias>(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_sum_survives_the_wire(kopiykas in 0..=Money::MAX.kopiykas()) {
            let sum = Hryvnias(Money::from_kopiykas(kopiykas).unwrap());
            let text = serde_json::to_string(&sum).unwrap();
            prop_assert_eq!(serde_json::from_str::<Hryvnias>(&text).unwrap(), sum);
        }
    }
}
