//! Orders, their history, and the archive.

pub mod codes_credits;
pub(crate) mod item_search;
pub mod order_events;
pub mod order_list;
pub mod order_search;
pub mod orders;
pub mod unfinished;
