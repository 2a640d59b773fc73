//! Reading files that people upload: it takes longer than other work, so a few are read at a time.

use cabinet_app::kernel::refusal::{AppError, Refusal as AppRefusal, RefusalKind};
use cabinet_domain::Key;

use crate::http::refusal::Refusal;
use crate::state::ApiState;

/// Reads a file on a thread of its own kind. A refusal is one of the field.
///
/// # Errors
/// The key with which the file is refused.
pub async fn read_apart<Read: Send + 'static>(
    state: &ApiState,
    read: impl FnOnce() -> Result<Read, Key> + Send + 'static,
    field: &'static str,
) -> Result<Read, Refusal> {
    let turn = state.limits.sheet().await;
    let reading = move || {
        // Held to the end of the reading, even if the browser has disconnected.
        let _turn = turn;
        read()
    };
    let read = tokio::task::spawn_blocking(reading).await;
    let broken = |_| AppError::Broken("reading a file broke off".to_owned());
    let refused = |key| AppRefusal::new(RefusalKind::Invalid, key).on(field);
    Ok(read.map_err(broken)?.map_err(refused)?)
}
