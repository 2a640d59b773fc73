//! The cart.

pub mod add;
pub mod complaint;
pub mod items;
pub mod list;
