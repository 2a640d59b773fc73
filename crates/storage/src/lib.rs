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
//! To add an aggregate: put its tables into the next migration of both folders, add a module to the folder of its
//! subject with the list of columns next to the function that reads them, and add tests under `src/tests`, which run on both databases.

pub mod account;
pub mod address_book;
pub mod audit;
pub mod books;
pub mod cart;
pub mod catalogue;
pub mod client_link;
pub mod deal;
pub mod documents;
pub mod engine;
mod locks;
pub mod operator;
pub mod order;
pub mod payment;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod transfer;
pub mod worker;

pub use engine::address::DatabaseUrl;
pub use engine::caller::Caller;
pub use engine::change_feed::ChangeFeed;
pub use engine::changes::{Change, Heard};
pub use engine::durability::Durability;
pub use engine::error::{ConstraintKind, Result, SchemaError, StorageError};
pub use engine::migrations::{MigrationPlan, NewerSchema, PlannedStep, StepKind, TouchedTable};
pub use engine::store::{Store, StoreOptions};
pub use engine::tx::Tx;
pub use locks::{
    LockedNotary, LockedOrder, LockedTransfer, MayLockNotary, WithoutNotary, WithoutOrder,
    lock_notary,
};
