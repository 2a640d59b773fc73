//! Work that must not be cancelled.

use cabinet_app::Caller;
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
    // It is the notary's, but it waits for the database as long as it takes: what the acquirer has answered must be recorded.
    let caller = Caller {
        waits_at_most: None,
        ..Caller::current()
    };
    match tokio::spawn(caller.has_done(work).in_current_span()).await {
        Ok(outcome) => outcome,
        Err(_) => Err(AppError::Broken("a payment's work broke off".to_owned())),
    }
}
