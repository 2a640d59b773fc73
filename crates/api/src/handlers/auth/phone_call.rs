//! `POST /auth/login/phone-call/verify`.

use axum::Json;
use axum::extract::State;
use cabinet_app::refusal::{FieldErrors, Sort};
use cabinet_domain::Key;

use crate::extract::{ClientAddress, ValidJson};
use crate::handlers::fields::take;
use crate::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::{PhoneCallVerifyRequest, SessionOpened};

/// Finishes a login by a confirmed phone call.
pub async fn handler(
    State(state): State<ApiState>,
    ClientAddress(address): ClientAddress,
    ValidJson(body): ValidJson<PhoneCallVerifyRequest>,
) -> Result<Json<SessionOpened>, Refusal> {
    state.limits.entering(address)?;
    let mut errors = FieldErrors::new();
    take(body.phone, "phone", &mut errors);
    take(body.transaction_id, "transaction_id", &mut errors);
    errors.check()?;
    Err(Refusal::new(Sort::Conflict, Key::CallNotConfirmed))
}
