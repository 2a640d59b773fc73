//! The end of the process: the signal to stop, and the parts of the cabinet that wait for it.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Waits for SIGTERM or Ctrl-C.
///
/// # Errors
/// Returns an error when the system gives no signals.
pub async fn signalled() -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = terminate.recv() => {}
        outcome = tokio::signal::ctrl_c() => outcome?,
    }
    Ok(())
}

/// Waits until the cabinet stops. A closed channel means that, too.
pub async fn requested(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}
