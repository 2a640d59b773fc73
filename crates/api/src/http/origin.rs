//! Where a request comes from, for the audit trail.

use aide::OperationInput;
use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use cabinet_domain::{Actor, Browser, Network, NotaryId, Origin};

use crate::http::client_address;
use crate::http::extract::SignedIn;
use crate::http::refusal::Refusal;
use crate::state::ApiState;

/// The network and the browser of a request. Who asks is known only to the handler.
#[derive(Clone, Debug)]
pub struct RequestOrigin {
    /// `None` where the proxy does not tell the address.
    network: Option<Network>,
    browser: Option<Browser>,
}

impl RequestOrigin {
    /// Returns the origin of what somebody does who is not signed in.
    pub fn by_stranger(self) -> Origin {
        Origin {
            actor: Actor::Stranger,
            network: self.network,
            browser: self.browser,
        }
    }

    /// Returns the origin of what a signed-in notary does.
    pub fn by(self, who: SignedIn) -> Origin {
        self.by_notary(who.notary)
    }

    /// Returns the origin of what a notary does who was recognised in another way than by an access token.
    pub fn by_notary(self, notary: NotaryId) -> Origin {
        self.by_stranger().acted_by(Actor::Notary(notary))
    }
}

impl FromRequestParts<ApiState> for RequestOrigin {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, Refusal> {
        let address = client_address::of_request(state, &parts.headers, &parts.extensions);
        let header = parts.headers.get(header::USER_AGENT);
        Ok(Self {
            network: address.map(Network::of),
            browser: header
                .and_then(|value| value.to_str().ok())
                .and_then(Browser::of_user_agent),
        })
    }
}

impl OperationInput for RequestOrigin {}
