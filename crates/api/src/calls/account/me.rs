//! `POST /auth/me`: the signed-in notary.

use axum::extract::State;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::User;

pub fn call() -> Call {
    Call::post("/auth/me", handler, |docs| {
        docs.id("me").tag("auth").summary("The signed-in notary")
    })
}

async fn handler(State(state): State<ApiState>, who: SignedIn) -> Result<Json<User>, Refusal> {
    let accounts = &state.services.accounts;
    let notary = accounts.profile(who.notary).await?;
    let contact = accounts.register_contact(&notary).await?;
    Ok(Json(User::new(notary, contact)))
}
