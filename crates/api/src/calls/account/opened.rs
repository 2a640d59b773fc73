//! The answer for a session that was just opened.

use cabinet_app::account::OpenedSession;
use cabinet_app::kernel::refusal::AppError;

use crate::state::ApiState;
use crate::tokens::access::{Caller, LIFETIME};
use crate::wire::SessionOpened;

/// Issues the access token of a session that was just opened.
///
/// # Errors
/// Returns an error when the signing library fails.
pub fn opened(state: &ApiState, session: &OpenedSession) -> Result<SessionOpened, AppError> {
    let caller = Caller {
        notary: session.notary,
        session: session.session,
    };
    Ok(SessionOpened {
        notary_id: session.notary.to_string(),
        access_token: state.access_token(caller)?,
        expires_in: LIFETIME.as_secs(),
        session_expires_at: session.session_expires_at.into(),
    })
}
