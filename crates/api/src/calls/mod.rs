//! The calls, one file each: request and answer, documentation and handler.

pub mod acquirer_report;
pub mod auth;
pub mod book;
pub mod cards;
pub mod cart;
pub mod client_links;
pub mod config;
pub mod deals;
pub mod liqpay_report;
pub mod orders;
pub mod payment_types;
pub mod realtime_token;
pub mod reports;
pub mod sessions;
pub mod voice;
