//! Deals: their kinds, and what one needs to be paid for.

pub mod calculate;
pub mod kinds;
