//! The database: both engines, units of work, rows and values, the schema, and the feed of changes.

pub(crate) mod access;
pub(crate) mod address;
pub(crate) mod caller;
pub(crate) mod change_feed;
pub(crate) mod changes;
pub(crate) mod convert;
pub(crate) mod counters;
pub(crate) mod durability;
pub(crate) mod error;
pub mod key_ids;
pub(crate) mod migrations;
pub(crate) mod numbers;
pub(crate) mod postgres;
pub mod restored;
pub(crate) mod row;
pub(crate) mod search;
pub(crate) mod search_index;
pub(crate) mod sqlite;
pub(crate) mod store;
mod store_identity;
pub(crate) mod tx;
pub(crate) mod unit;
pub(crate) mod value;
