//! What every adapter shares: one HTTP client a service, which speaks to one configured host only.
//!
//! No redirect is followed and no proxy of the environment is used, so nothing can lead a request (and the secret it
//! carries) elsewhere. Each call has a time limit over all of it, an answer larger than the limit is refused, and each
//! leaves one metric and one log line. Addresses with their query, headers and bodies are never logged: they carry
//! tokens, phones and codes.

mod answer;
mod base_url;
mod breaker;
mod client;
mod settings;

pub use answer::{Answer, NoAnswer, Transport};
pub use base_url::{BaseUrl, BaseUrlError};
pub(crate) use base_url::{is_page_address, is_this_machine};
pub(crate) use client::Outbound;
pub(crate) use settings::OutboundSettings;
pub use settings::SetupError;
