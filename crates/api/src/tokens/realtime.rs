//! Tokens of realtime connections.

use cabinet_app::kernel::keys::SigningKeys;
use cabinet_domain::{NotaryId, SessionId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::keyring::{Keyring, Verified};

/// Lifetime of a token, and of a connection that is not refreshed.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);

#[derive(Serialize, Deserialize)]
struct Claims {
    /// The notary; empty for a caller who is not signed in.
    sub: String,
    /// The notary's session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sid: Option<String>,
}

/// The owner of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// A signed-in notary, in this session.
    Notary(NotaryId, SessionId),
    /// A person who waits for a phone call to log in.
    Anonymous,
}

/// Result of verifying a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Valid until this time.
    Good(Listener, Timestamp),
    /// Expired, or signed by a key that is no longer here: the client fetches a new one.
    Expired,
    /// Not issued by this installation.
    Invalid,
}

/// Issues and verifies realtime tokens.
pub struct RealtimeTokens {
    keyring: Keyring,
}

impl RealtimeTokens {
    /// Uses the keys. The audience is derived from the public address, so tokens of other installations are invalid.
    pub fn new(keys: &SigningKeys, public_url: &str) -> RealtimeTokens {
        RealtimeTokens {
            keyring: Keyring::new(keys, "realtime+jwt", format!("{public_url}/connection")),
        }
    }

    /// Issues a token.
    ///
    /// # Errors
    /// Returns an error when the signing library fails.
    pub fn issue(
        &self,
        listener: Listener,
        now: Timestamp,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let (sub, sid) = match listener {
            Listener::Notary(id, session) => (id.to_string(), Some(session.to_string())),
            Listener::Anonymous => (String::new(), None),
        };
        self.keyring.sign(Claims { sub, sid }, now, now + LIFETIME)
    }

    /// Verifies a token at the time `now`.
    pub fn read(&self, token: &str, now: Timestamp) -> Reading {
        let (claims, until) = match self.keyring.verify::<Claims>(token, now) {
            Verified::Good(claims, until) => (claims, until),
            Verified::Expired => return Reading::Expired,
            Verified::Invalid => return Reading::Invalid,
        };
        if claims.sub.is_empty() {
            return Reading::Good(Listener::Anonymous, until);
        }
        let session = claims.sid.as_deref().and_then(SessionId::parse);
        match (NotaryId::parse(&claims.sub), session) {
            (Some(id), Some(session)) => Reading::Good(Listener::Notary(id, session), until),
            _ => Reading::Invalid,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::keyring::testing::{FIRST, SECOND, keys};
    use uuid::Uuid;

    #[test]
    fn a_token_tells_who_listens_until_its_end() {
        let tokens = |secret: &str, public_url: &str| {
            RealtimeTokens::new(keys(secret, None).realtime_tokens(), public_url)
        };
        let here = tokens(FIRST, "https://cabinet.example");
        let noon: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        for listener in [
            Listener::Anonymous,
            Listener::Notary(
                NotaryId::new(Uuid::from_u128(1)),
                SessionId::new(Uuid::from_u128(2)),
            ),
        ] {
            let token = here.issue(listener, noon).unwrap();
            assert_eq!(
                here.read(&token, noon),
                Reading::Good(listener, noon + LIFETIME)
            );
            assert_eq!(here.read(&token, noon + LIFETIME), Reading::Expired);
        }
        let elsewhere = tokens(FIRST, "https://other.example");
        let foreign = elsewhere.issue(Listener::Anonymous, noon).unwrap();
        assert_eq!(here.read(&foreign, noon), Reading::Invalid);
        // A page that was open during a rotation fetches a new token.
        let earlier = tokens(SECOND, "https://cabinet.example");
        let old = earlier.issue(Listener::Anonymous, noon).unwrap();
        assert_eq!(here.read(&old, noon), Reading::Expired);
    }
}
