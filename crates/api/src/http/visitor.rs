//! The browser that a request comes from.

use aide::OperationInput;
use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use cabinet_app::account::Visitor;
use cabinet_domain::Browser;

use crate::calls::account::session_cookie;
use crate::http::extract::ClientAddress;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

/// The browser that a request comes from: address, name and cookies.
pub struct Visit(pub Visitor);

impl FromRequestParts<ApiState> for Visit {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        let ClientAddress(address) = ClientAddress::from_request_parts(parts, state).await?;
        let jar = CookieJar::from_headers(&parts.headers);
        let user_agent = parts.headers.get(header::USER_AGENT);
        Ok(Visit(Visitor {
            address,
            browser: user_agent
                .and_then(|value| value.to_str().ok())
                .and_then(Browser::of_user_agent),
            device_token: session_cookie::read_device(&state.settings, &jar),
            refresh_token: session_cookie::read(&state.settings, &jar),
        }))
    }
}

impl OperationInput for Visit {}
