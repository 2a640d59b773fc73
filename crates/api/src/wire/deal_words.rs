//! Words of deals on the wire: each is that of the domain.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

macro_rules! wire_words {
    ($($(#[$meta:meta])* $name:ident, $description:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub cabinet_domain::$name);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.0.as_str())
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let words = cabinet_domain::$name::ALL.map(|value| value.as_str());
                json_schema!({ "type": "string", "enum": words, "description": $description })
            }
        }
    )+};
}

wire_words! {
    /// The party to a deal who owes a payment.
    DealParty, "The party to a deal who owes a payment.";
    /// A sum that a kind of deal asks for.
    DealSum, "A sum that a kind of deal asks for.";
    /// What a percentage is taken of.
    DealBase, "What a percentage is taken of: the price, the valuation, or the larger of the two. The ground says where a sum that the deal names has changed it.";
}
