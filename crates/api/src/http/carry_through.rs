//! Work that must not be cancelled.

use cabinet_app::kernel::refusal::{AppError, Result};
use tracing::Instrument as _;

/// Runs the work to its end even if the browser disconnects. Otherwise it could stop between the request to the acquirer and our record
/// of it.
///
/// # Errors
/// Returns the error of the work, or an internal error when it panics.
pub async fn carry_through<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    match tokio::spawn(work.in_current_span()).await {
        Ok(outcome) => outcome,
        Err(_) => Err(AppError::Broken("a payment's work broke off".to_owned())),
    }
}
