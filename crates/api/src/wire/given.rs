//! A field of a request body before its type is checked.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

/// A field of a request body, of the right type or not.
///
/// Accepts any value, so that a field of a wrong type does not hide the errors of the others. The handler reports all bad fields
/// together.
#[derive(Clone, Default)]
pub enum Given<T> {
    /// The body does not have the field.
    #[default]
    Absent,
    /// The field is `null`.
    Null,
    /// The field has a value of its type.
    Is(T),
    /// The field has a value of another type.
    Wrong,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(match value {
            serde_json::Value::Null => Given::Null,
            // No field is a list, but serde accepts an array in place of a struct.
            serde_json::Value::Array(_) => Given::Wrong,
            value => serde_json::from_value(value).map_or(Given::Wrong, Given::Is),
        })
    }
}

impl<T: JsonSchema> JsonSchema for Given<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}
