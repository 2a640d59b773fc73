//! What the operator is told, and what is done by hand: alarms, invariants and erasing.

pub mod alarms;
pub mod erasure;
pub mod invariants;
pub mod personal_data;
