//! Orders and their receipts.

pub mod act;
pub mod application;
pub mod cancel;
pub(crate) mod carry_through;
pub mod codes;
pub mod codes_document;
pub mod create;
pub mod deal_calculation;
pub mod export;
pub mod extract;
pub(crate) mod file;
pub mod get;
pub mod item_receipt;
pub mod item_repeat;
pub mod list;
pub mod pay_again;
pub mod pay_link;
pub mod receipt;
mod receipt_query;
pub mod receipts;
pub mod refund_part;
pub mod refund_parts;
pub mod repeat;
pub mod search;
pub mod send_again;
pub mod status;
pub mod transfers;
