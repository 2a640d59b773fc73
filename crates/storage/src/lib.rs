//! The only SQL of the cabinet, for SQLite and PostgreSQL alike.
//!
//! A **unit of work** is a synchronous closure over a [`Tx`]: [`Store::write`] runs it, commits, and then gives its
//! answer; [`Store::read`] runs it on one state of the database. Nothing can be awaited inside, so no network call can
//! stand in a transaction.

mod address;
mod error;
mod migrations;
mod postgres;
mod row;
mod sqlite;
mod store;
#[cfg(test)]
mod tests;
mod tx;
mod unit;
mod value;

#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use address::DatabaseUrl;
pub use error::{ConstraintKind, Result, SchemaError, StorageError};
pub use migrations::newest_schema;
pub use store::{Store, StoreOptions, describe_metrics};
pub use tx::Tx;
