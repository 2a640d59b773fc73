//! Stopping: the signal to the process and its announcement to the parts of the cabinet.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// SIGTERM and Ctrl-C. From its creation on they no longer end the process at once.
pub struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// Begins to receive the signals.
    ///
    /// # Errors
    /// Returns an error when signals can't be received.
    pub fn receive() -> anyhow::Result<StopSignals> {
        Ok(StopSignals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// Waits until the cabinet is told to stop. A closed channel counts as that.
pub async fn requested(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}
