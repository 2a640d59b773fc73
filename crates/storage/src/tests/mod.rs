//! Tests of the whole crate, each on both databases where it can be.

mod accounts;
mod acquirer;
mod audit;
mod changes;
mod deletion;
mod encrypted;
mod engine;
mod erased_columns;
mod fixtures;
mod invariants;
mod known_payments;
mod mapping;
mod numbers;
mod opening;
mod order_search;
mod parallel;
mod payments;
mod queues;
mod refunds;
mod register;
mod search;
