//! Stopping: the signal to the process and its announcement to the parts of the cabinet.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Waits for SIGTERM or Ctrl-C.
///
/// # Errors
/// Returns an error when signals can't be received.
pub async fn signalled() -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = terminate.recv() => {}
        outcome = tokio::signal::ctrl_c() => outcome?,
    }
    Ok(())
}

/// Waits until the cabinet is told to stop. A closed channel counts as that.
pub async fn requested(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}
