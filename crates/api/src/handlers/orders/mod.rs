//! Orders and saved cards.

pub mod cards;
pub mod create;
pub mod export;
pub mod list;
pub mod one;
pub mod pay_link;
pub mod receipts;
pub mod repeat;

use cabinet_app::refusal::{AppError, Outcome};

use crate::refusal::Refusal;

/// Does the work to its end even if the browser goes away in the middle: between the acquirer and our own record there is no good
/// place to stop.
///
/// # Errors
/// Those of the work.
async fn carry_through<T: Send + 'static>(
    work: impl Future<Output = Outcome<T>> + Send + 'static,
) -> Result<T, Refusal> {
    match tokio::spawn(work).await {
        Ok(outcome) => Ok(outcome?),
        Err(_) => Err(Refusal::Internal(AppError::Broken(
            "a payment's work broke off".to_owned(),
        ))),
    }
}
