//! Answers of a service, and the transport that can replace the network.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use reqwest::StatusCode;

/// A complete answer of any status.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The wait of `Retry-After`, if it is given in seconds.
    pub retry_after: Option<Duration>,
    /// The service's time, if the answer has a `Date`.
    pub date: Option<Timestamp>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The request was never sent: no connection, or the circuit breaker is open.
    NotSent,
    /// It was sent, or may have been, and there is no complete answer.
    Lost,
    /// The answer is larger than the limit.
    TooLarge,
}

/// Delivers requests in place of the network.
#[async_trait]
pub trait Transport: fmt::Debug + Send + Sync {
    /// Sends a request. It has the headers that were set for it, not those of every request.
    async fn send(&self, request: reqwest::Request) -> Result<Answer, NoAnswer>;
}
