//! Work that is not to be broken off.

use cabinet_app::refusal::{AppError, Outcome};

/// Does the work to its end even if the browser goes away in the middle: between the acquirer and our own record there is no good
/// place to stop.
///
/// # Errors
/// Those of the work.
pub async fn carry_through<T: Send + 'static>(
    work: impl Future<Output = Outcome<T>> + Send + 'static,
) -> Outcome<T> {
    match tokio::spawn(work).await {
        Ok(outcome) => outcome,
        Err(_) => Err(AppError::Broken("a payment's work broke off".to_owned())),
    }
}
