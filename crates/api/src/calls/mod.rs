//! One file a call: what it takes, what it answers, its documentation, and the use case in between.

pub mod acquirer_report;
pub mod auth;
pub mod cards;
pub mod cart;
pub mod config;
pub mod orders;
pub mod payment_types;
pub mod realtime_token;
pub mod voice;
