//! The only SQL of the cabinet, for SQLite and PostgreSQL alike.
//!
//! A **unit of work** is a synchronous closure over a [`Tx`]. [`Store::write`] runs it, commits, and then returns its
//! result; [`Store::read`] runs it on one snapshot of the database. A closure cannot await anything, so no network call
//! can stand in a transaction.
//!
//! Each aggregate is a module of functions over `&mut Tx`. They store and return the entities of `cabinet_domain`;
//! every function returns an error when the database fails. Lookups return an `Option`: the caller decides what a
//! missing row means. What belongs to a notary is looked up together with the notary's id, so another notary's order is
//! not found. A change that must happen once is a single guarded statement that returns whether it happened.
//!
//! A stored value that its type refuses is [`StorageError::Inconsistent`], which names table, row and column and never
//! the value. So a type must keep reading whatever the product has ever accepted; `tests/mapping.rs` lists those
//! values.
//!
//! To add an aggregate: put its tables into the next migration of both folders, add a module beside the others with the
//! list of columns next to the function that reads them, and add tests under `src/tests`, which run on both databases.

mod access;
mod acts;
mod address;
mod change_feed;
mod changes;
mod convert;
mod counters;
mod deal_traces;
mod error;
mod migrations;
mod postgres;
mod row;
mod search;
mod search_index;
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
pub mod audit;
pub mod bank_facts;
pub mod cart;
pub mod client_links;
pub mod clients;
pub mod complaints;
pub mod deals;
pub mod devices;
pub mod erasure;
pub mod invariants;
mod item_search;
pub mod items;
pub mod key_ids;
pub mod known_payments;
pub mod leases;
pub mod login_operations;
pub mod notaries;
pub mod order_events;
pub mod order_list;
pub mod order_receipts;
pub mod order_search;
pub mod orders;
pub mod outbox;
pub mod own_recipients;
pub mod payment_proofs;
pub mod payments;
pub mod queues;
pub mod receipt_consents;
pub mod reference_data;
pub mod refunds;
pub mod register;
pub mod removed_cards;
pub mod reports;
pub mod restored;
pub mod sessions;
pub mod statement_days;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod transfer_list;
pub mod transfer_lists;
pub mod transfer_search;
pub mod transfers;
pub mod used_tickets;

pub use address::DatabaseUrl;
pub use change_feed::{ChangeFeed, Heard};
pub use changes::Change;
pub use error::{ConstraintKind, Result, SchemaError, StorageError};
pub use migrations::{MigrationPlan, NewerSchema, PlannedStep, StepKind, TouchedTable};
pub use store::{Store, StoreOptions};
pub use tx::Tx;
