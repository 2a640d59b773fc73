//! The calls, one file each: request and answer, documentation and handler.

pub mod account;
pub mod address_book;
pub mod books;
pub mod cart;
pub mod catalogue;
pub mod client_link;
pub mod config;
pub mod deal;
pub mod documents;
pub mod order;
pub mod payment;
pub mod realtime_token;
pub mod transfer;
