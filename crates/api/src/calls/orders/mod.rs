//! Orders and their receipts.

mod carry_through;
pub mod create;
pub mod export;
mod file;
pub mod get;
pub mod item_receipt;
pub mod item_repeat;
pub mod list;
pub mod pay_link;
pub mod receipt;
mod receipt_query;
pub mod receipts;
pub mod search;
pub mod status;
