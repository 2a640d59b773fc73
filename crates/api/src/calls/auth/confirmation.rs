//! `POST /auth/confirmation`: sends a fresh code to the signed-in notary.

use axum::extract::State;
use cabinet_app::accounts::ConfirmationStart;
use cabinet_domain::LoginStep;
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::extract::{Language, SignedIn};
use crate::json::Json;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::visitor::Visit;
use crate::wire::Moment;

pub fn call() -> Call {
    Call::post("/auth/confirmation", handler, |docs| {
        docs.id("confirmation")
            .tag("auth")
            .summary("Send a code that confirms the session")
    })
}

/// A code was sent, or a call is on its way.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ConfirmationStarted {
    /// Names this confirmation; the code is good for it alone.
    pub operation_id: String,
    /// The notary is called and presses a key.
    pub is_phone_call: bool,
    /// The realtime channel that tells how the call ended; only with `is_phone_call`.
    pub transaction_id: Option<String>,
    /// Number of digits of the code.
    pub otp_length: u8,
    /// The phone that the code went to, masked.
    pub sent_to: String,
    /// When the code or the call stops being good.
    pub expires_at: Moment,
    /// When another code may be asked for.
    pub resend_at: Moment,
}

/// Sends a code to the notary's phone, or calls it. With it the session may change what could cost money, for ten minutes: after
/// `confirmation_required` a page asks for the code and repeats its request.
async fn handler(
    State(state): State<ApiState>,
    who: SignedIn,
    Visit(visitor): Visit,
    Language(locale): Language,
) -> Result<Json<ConfirmationStarted>, Refusal> {
    state.limits.count_confirmation(who.notary)?;
    let started = state
        .services
        .accounts
        .start_confirmation(who.notary, who.session, &visitor, locale)
        .await?;
    Ok(Json(ConfirmationStarted::from(started)))
}

impl From<ConfirmationStart> for ConfirmationStarted {
    fn from(started: ConfirmationStart) -> ConfirmationStarted {
        let ConfirmationStart { start, sent_to } = started;
        ConfirmationStarted {
            operation_id: start.operation.to_string(),
            is_phone_call: start.step == LoginStep::PhoneCall,
            transaction_id: start.transaction.map(|id| id.to_string()),
            otp_length: start.code_digits,
            sent_to,
            expires_at: start.expires_at.into(),
            resend_at: start.resend_at.into(),
        }
    }
}
