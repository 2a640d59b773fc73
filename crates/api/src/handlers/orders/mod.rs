//! Orders and saved cards.

pub mod cards;
pub mod create;
pub mod list;
pub mod one;
pub mod pay_link;
pub mod receipts;
pub mod repeat;
