//! One file a call: what it takes, what it answers, and the use case in between.

pub mod acquirer_report;
pub mod auth;
pub mod cart;
pub mod config;
mod fields;
pub mod orders;
pub mod payment_types;
pub mod realtime;
pub mod voice;
