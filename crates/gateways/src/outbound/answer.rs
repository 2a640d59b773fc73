//! What comes back from a service, and what may stand in for the network.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use reqwest::StatusCode;

/// A whole answer, whatever its status.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// What `Retry-After` asks for, where it is given in seconds.
    pub retry_after: Option<Duration>,
    /// The service's time, where it told it.
    pub date: Option<Timestamp>,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The request was never sent: no connection, or the circuit breaker is open.
    NotSent,
    /// It was sent, or may have been, and no whole answer came.
    Lost,
    /// It was answered with more than is read.
    TooLarge,
}

/// What takes a request to a service and brings its answer back, in place of the network.
#[async_trait]
pub trait Transport: fmt::Debug + Send + Sync {
    /// Carries one request. It has the headers that were set for it, and not those that go with every request.
    async fn send(&self, request: reqwest::Request) -> Result<Answer, NoAnswer>;
}
