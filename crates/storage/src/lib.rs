//! The only SQL of the cabinet, for SQLite and PostgreSQL alike.
//!
//! A **unit of work** is a synchronous closure over a [`Tx`]: [`Store::write`] runs it, commits, and then gives its
//! answer; [`Store::read`] runs it on one state of the database. Nothing can be awaited inside, so no network call can
//! stand in a transaction.
//!
//! Each aggregate is a module of functions over `&mut Tx`. Lookups answer an `Option`: that something is not there is the
//! caller's word. What belongs to a notary is looked up together with her id, so another's order is simply not there.
//! Changes that must happen once are single guarded statements that answer whether they happened.
//!
//! To add an aggregate: its tables in the next migration of both folders, a module beside the others with the list of
//! columns next to the function that reads them, and tests under `src/tests`, which run on both databases.

mod address;
mod convert;
mod counters;
mod error;
mod migrations;
mod postgres;
mod restored;
mod row;
mod sqlite;
mod store;
#[cfg(test)]
mod tests;
mod tx;
mod unit;
mod value;

pub mod acquirer_reports;
pub mod alarms;
pub mod attempts;
pub mod cart;
pub mod clients;
pub mod complaints;
pub mod invariants;
pub mod items;
pub mod login_operations;
pub mod notaries;
pub mod order_events;
pub mod order_list;
pub mod order_receipts;
pub mod orders;
pub mod outbox;
pub mod payments;
pub mod reference_data;
pub mod sessions;
pub mod statement_days;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod transfers;

pub use address::DatabaseUrl;
pub use error::{ConstraintKind, Result, SchemaError, StorageError};
pub use store::{Store, StoreOptions};
pub use tx::Tx;
