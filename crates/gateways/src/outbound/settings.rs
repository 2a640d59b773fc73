//! Settings of the client.

use std::time::Duration;

use cabinet_clock::PassingTime;

use super::base_url::BaseUrl;
use super::breaker::BreakerSettings;

/// Settings of the client of one service.
#[derive(Clone, Debug)]
pub(crate) struct OutboundSettings {
    /// The service's name in metrics and logs.
    pub service: &'static str,
    /// Its address.
    pub base_url: BaseUrl,
    /// Time limit of connecting.
    pub connect_time_limit: Duration,
    /// Largest accepted answer, in bytes.
    pub answer_bytes_max: usize,
    /// Settings of the circuit breaker.
    pub breaker: BreakerSettings,
    /// Measures the breaker's pause and the age of answers.
    pub time: PassingTime,
}

impl OutboundSettings {
    /// Returns settings with limits of 3 s to connect and 4 MiB of answer.
    pub fn new(service: &'static str, base_url: BaseUrl, time: PassingTime) -> Self {
        Self {
            service,
            base_url,
            connect_time_limit: Duration::from_secs(3),
            answer_bytes_max: 4 * 1024 * 1024,
            breaker: BreakerSettings::default(),
            time,
        }
    }
}

/// Why an adapter could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The HTTP client cannot be built, because root certificates are missing for instance.
    #[error("the HTTP client for {service} cannot be built")]
    Client {
        /// The service.
        service: &'static str,
        /// The client's error.
        source: reqwest::Error,
    },
    /// The collector of traces can't be called at its address.
    #[error("traces cannot be sent: {reason}")]
    Collector {
        /// Why.
        reason: String,
    },
    /// A secret has characters that are not allowed in a header.
    #[error("the secret for {service} has characters that no header can carry")]
    Secret {
        /// The service.
        service: &'static str,
    },
}
