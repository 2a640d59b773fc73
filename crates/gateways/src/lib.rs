//! The outside world: one small trait a service, and the adapters that speak to the real ones.
//!
//! - [`acquirer`] takes card payments; [`monobank`] is its adapter.
//! - [`sms`] sends short messages; [`turbosms`] is its adapter.
//! - [`calls`] asks a person to press a key on the telephone; [`twilio`] is its adapter.
//! - [`mail`] sends letters; [`smtp`] is its adapter.
//! - [`outbound`] is what all that speak HTTP share: one client a service with a time limit, no redirects, only the
//!   configured host, a circuit breaker, a metric and a log line a call.
//!
//! The local sandbox is spoken to by the very same adapters: only addresses and keys differ. No adapter repeats a
//! call by itself, because only its caller knows whether a repeat could charge a card twice; the error says what
//! is known ([`acquirer::AcquirerError`]).

pub mod acquirer;
pub mod calls;
pub mod mail;
pub mod monobank;
pub mod outbound;
pub mod realtime;
pub mod sms;
pub mod smtp;
pub mod turbosms;
pub mod twilio;
