//! The tables of what can be paid.

pub mod reference_data;
