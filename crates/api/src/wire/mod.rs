//! What goes over the wire: the shapes of requests and answers, nothing else.
//!
//! They are a set of their own beside the domain types, so that renaming a field inside never changes the interface.
//! Sums are hryvnias with at most two decimals, ids are opaque strings, times are RFC 3339 in UTC.

mod cart;
mod config;
mod given;
mod orders;
mod payment_types;
mod sessions;
mod sums;
mod user;

pub use cart::*;
pub use config::*;
pub use given::Given;
pub use orders::*;
pub use payment_types::*;
pub use sessions::*;
pub use sums::{Hryvnias, NumberText};
pub use user::*;

use schemars::JsonSchema;
use serde::Serialize;

/// A call that has nothing else to tell than that it was carried out.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Done {
    /// Always true: a failure is a refusal with a status of its own.
    pub success: bool,
}

impl Done {
    /// The answer of a call that was carried out.
    pub const fn carried_out() -> Done {
        Done { success: true }
    }
}

/// A moment in UTC, RFC 3339.
#[derive(Clone, Copy, Debug)]
pub struct Moment(pub jiff::Timestamp);

impl Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Moment".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "format": "date-time" })
    }
}

impl From<jiff::Timestamp> for Moment {
    fn from(moment: jiff::Timestamp) -> Moment {
        // Whole milliseconds: enough to order what a person did, short enough to read.
        Moment(moment.round(jiff::Unit::Millisecond).unwrap_or(moment))
    }
}
