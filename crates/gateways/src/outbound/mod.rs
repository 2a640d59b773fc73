//! The HTTP client of the adapters. Each service has its own client, which calls one configured host only.
//!
//! No redirects are followed and no proxies of the environment are used, so a request and its secrets can't be diverted. Each
//! call has a total time limit and a limit of the answer's size. It is recorded in the metrics and in the log. Addresses,
//! headers and bodies are never logged, because they contain tokens, phones and codes.

mod answer;
mod base_url;
mod breaker;
mod client;
mod look;
mod settings;

pub use answer::{Answer, NoAnswer, Transport};
pub use base_url::{BaseUrl, BaseUrlError};
pub(crate) use base_url::{is_page_address, is_this_machine};
pub(crate) use client::Outbound;
pub use look::look;
pub(crate) use settings::OutboundSettings;
pub use settings::SetupError;
