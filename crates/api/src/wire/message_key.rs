//! Keys of messages on the wire.

use std::borrow::Cow;

use cabinet_domain::Key;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// A key of the catalogue of messages; the browser has a Ukrainian and an English text for each.
#[derive(Clone, Copy, Debug)]
pub struct MessageKey(pub Key);

impl Serialize for MessageKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl JsonSchema for MessageKey {
    fn schema_name() -> Cow<'static, str> {
        "MessageKey".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let keys: Vec<&str> = Key::ALL.iter().map(|key| key.as_str()).collect();
        json_schema!({ "type": "string", "enum": keys, "description": "A key of the catalogue of messages." })
    }
}
