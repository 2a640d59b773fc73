//! `GET /me/sessions`: where the notary is signed in.

use axum::extract::State;
use cabinet_domain::{Browser, Network, Session, SessionId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::call::Call;
use crate::http::extract::SignedIn;
use crate::http::json::Json;
use crate::http::refusal::Refusal;
use crate::state::ApiState;
use crate::wire::Moment;

pub fn call() -> Call {
    Call::get("/me/sessions", handler, |docs| {
        docs.id("sessions")
            .tag("sessions")
            .summary("Where the notary is signed in")
    })
}

/// A session that has not ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignedInSession {
    /// The id.
    pub id: String,
    /// Whether it is the caller's own.
    pub is_current: bool,
    /// Name and system of the browser at the login, as `Firefox, Windows`; null where it was not recognized.
    pub browser: Option<String>,
    /// The network of the login, as `198.51.100.0/24`.
    pub network: Option<String>,
    /// When it began.
    pub created_at: Moment,
    /// When a person last used it.
    pub last_used_at: Moment,
}

/// `GET /me/sessions`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Sessions {
    /// The last used first.
    pub sessions: Vec<SignedInSession>,
}

/// Lists the sessions that have not ended.
async fn handler(State(state): State<ApiState>, who: SignedIn) -> Result<Json<Sessions>, Refusal> {
    let found = state.services.accounts.list_sessions(who.notary).await?;
    Ok(Json(Sessions {
        sessions: found
            .into_iter()
            .map(|session| described(&session, who.session))
            .collect(),
    }))
}

fn described(session: &Session, current: SessionId) -> SignedInSession {
    SignedInSession {
        id: session.id.to_string(),
        is_current: session.id == current,
        browser: session
            .browser
            .as_ref()
            .map(Browser::as_str)
            .map(str::to_owned),
        network: session
            .network
            .as_ref()
            .map(Network::as_str)
            .map(str::to_owned),
        created_at: session.created_at.into(),
        last_used_at: session.last_used_at.into(),
    }
}
