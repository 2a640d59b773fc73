//! Times on the wire.

use std::borrow::Cow;

use jiff::{Timestamp, Unit};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// A moment in UTC, RFC 3339.
#[derive(Clone, Copy, Debug)]
pub struct Moment(pub Timestamp);

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

impl From<Timestamp> for Moment {
    fn from(moment: Timestamp) -> Moment {
        // Rounded to milliseconds, which is precise enough and shorter.
        Moment(moment.round(Unit::Millisecond).unwrap_or(moment))
    }
}
