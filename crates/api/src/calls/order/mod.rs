//! Orders.

pub mod act;
pub mod cancel;
pub mod codes;
pub mod codes_credit;
pub mod codes_paid;
pub mod create;
pub mod details;
pub mod export;
pub mod get;
pub mod item_repeat;
pub mod list;
pub mod pay_again;
pub mod pay_link;
pub mod repeat;
pub mod search;
pub mod status;
pub mod unfinished;
