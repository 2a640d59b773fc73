//! Limits of connections.

use std::time::Duration;

/// Limits of connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Time for the head of a request.
    pub head: Duration,
    /// Time between two requests.
    pub idle: Duration,
    /// Time for the body of a request, and for taking the next part of an answer.
    pub body: Duration,
    /// Connections in all.
    pub most: usize,
    /// Connections of one network address. `None` behind a proxy, which all connections come from.
    pub most_of_address: Option<usize>,
}
