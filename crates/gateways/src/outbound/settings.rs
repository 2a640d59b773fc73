//! How a service is reached, and within which limits.

use std::time::Duration;

use super::base_url::BaseUrl;
use super::breaker::BreakerSettings;

/// How one service is spoken to.
#[derive(Clone, Debug)]
pub(crate) struct OutboundSettings {
    /// The service's name in metrics and logs.
    pub service: &'static str,
    /// Where it is.
    pub base_url: BaseUrl,
    /// How long the making of a connection may take.
    pub connect_time_limit: Duration,
    /// Largest answer that is read, in bytes.
    pub answer_bytes_max: usize,
    /// When the service is left alone for a while.
    pub breaker: BreakerSettings,
}

impl OutboundSettings {
    /// The usual limits: 3 s to connect, 4 MiB of answer.
    pub fn new(service: &'static str, base_url: BaseUrl) -> Self {
        Self {
            service,
            base_url,
            connect_time_limit: Duration::from_secs(3),
            answer_bytes_max: 4 * 1024 * 1024,
            breaker: BreakerSettings::default(),
        }
    }
}

/// Why a client could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The HTTP client cannot be built, for want of root certificates for instance.
    #[error("the HTTP client for {service} cannot be built")]
    Client {
        /// The service.
        service: &'static str,
        /// The client's own reason.
        source: reqwest::Error,
    },
    /// A secret has characters that cannot stand in a header.
    #[error("the secret for {service} has characters that no header can carry")]
    Secret {
        /// The service.
        service: &'static str,
    },
}
