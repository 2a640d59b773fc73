//! The outside services: a small trait for each of them, and its adapter.
//!
//! - [`acquirer`] takes card payments; [`monobank`] and [`liqpay`] are its adapters.
//! - [`sms`] sends short messages; [`turbosms`] and [`smsclub`] are its adapters.
//! - [`phone_calls`] asks a person to press a key on the telephone; [`twilio`] is its adapter.
//! - [`mail`] sends letters; [`smtp`] is its adapter.
//! - [`outbound`] is the HTTP client of the adapters.
//! - [`traces`] sends traces to a collector.
//! - [`realtime`] publishes messages to the browsers.
//!
//! The same adapters call the sandbox, with other addresses and keys. No adapter retries a call, because only its caller knows
//! whether a repeat could charge a card twice. The error says whether the call may have been carried out
//! ([`acquirer::AcquirerError`]).

pub mod acquirer;
pub mod liqpay;
pub mod mail;
pub mod monobank;
pub mod outbound;
pub mod phone_calls;
pub mod realtime;
pub mod sms;
pub mod smsclub;
pub mod smtp;
pub mod traces;
pub mod turbosms;
pub mod twilio;
