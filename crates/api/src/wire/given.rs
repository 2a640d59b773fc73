//! A field of a request body as it came: absent, of the right type, or of a wrong one.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

/// One field of a request body.
///
/// A wrong type of one field must not hide the faults of the others, so a field takes whatever came and the handler names
/// all bad fields at once.
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
            // No field is a list, and one of the right length would pass for an object.
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
