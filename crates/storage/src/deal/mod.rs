//! Deals, and what becomes of them later.

pub(crate) mod deal_traces;
pub mod deals;
