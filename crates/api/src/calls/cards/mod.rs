//! Saved cards.

pub mod frame;
pub mod saved;
