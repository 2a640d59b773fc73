//! Traces for a collector, where one is set up.

use std::time::Duration;

use cabinet_gateways::outbound::{BaseUrl, SetupError};
use cabinet_gateways::traces;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use tokio::runtime::Handle;

/// Time for the last spans at the end of the process.
const CLOSING_TIME_MAX: Duration = Duration::from_secs(2);

/// The sending of traces.
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Starts to send traces.
    ///
    /// # Errors
    /// Fails if the client can't be made.
    pub fn start(collector: &BaseUrl, runtime: Handle) -> Result<Traces, SetupError> {
        traces::provider(collector, env!("CARGO_PKG_VERSION"), runtime).map(Traces)
    }

    /// Returns where the spans of the log are handed over.
    pub fn tracer(&self) -> SdkTracer {
        self.0.tracer("cabinet")
    }

    /// Sends the last spans. Blocks for a moment.
    pub fn finish(self) {
        // What can't be sent in time is lost.
        let _ = self.0.shutdown_with_timeout(CLOSING_TIME_MAX);
    }
}
