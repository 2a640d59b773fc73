//! Tests of the whole crate, each on both databases where it can be.

mod engine;
mod opening;
mod parallel;
