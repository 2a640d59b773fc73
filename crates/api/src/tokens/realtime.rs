//! Tokens of realtime connections.

use cabinet_domain::NotaryId;
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use secrecy::{ExposeSecret, SecretSlice};
use serde::{Deserialize, Serialize};

/// Lifetime of a token, and of a connection that is not refreshed.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);

#[derive(Serialize, Deserialize)]
struct Claims {
    /// The notary; empty for a caller who is not signed in.
    sub: String,
    aud: String,
    exp: i64,
}

/// The owner of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// A signed-in notary.
    Notary(NotaryId),
    /// A person who waits for a phone call to log in.
    Anonymous,
}

/// Result of verifying a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Valid until this time.
    Good(Listener, Timestamp),
    /// Expired.
    Expired,
    /// Not issued by this installation.
    Invalid,
}

/// Issues and verifies realtime tokens.
#[derive(Clone)]
pub struct RealtimeTokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
    audience: String,
}

impl RealtimeTokens {
    /// Uses the key for signing. The audience is derived from the public address, so tokens of other installations are invalid.
    pub fn new(key: &SecretSlice<u8>, public_url: &str) -> RealtimeTokens {
        RealtimeTokens {
            encoding: EncodingKey::from_secret(key.expose_secret()),
            decoding: DecodingKey::from_secret(key.expose_secret()),
            audience: format!("{public_url}/connection"),
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
        let sub = match listener {
            Listener::Notary(id) => id.to_string(),
            Listener::Anonymous => String::new(),
        };
        let claims = Claims {
            sub,
            aud: self.audience.clone(),
            exp: now.as_second() + LIFETIME.as_secs(),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding)
    }

    /// Verifies a token at the time `now`.
    pub fn read(&self, token: &str, now: Timestamp) -> Reading {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "aud", "sub"]);
        // The time is checked below, with the clock that is passed to this function.
        validation.validate_exp = false;
        let Ok(token) = jsonwebtoken::decode::<Claims>(token, &self.decoding, &validation) else {
            return Reading::Invalid;
        };
        let Ok(until) = Timestamp::from_second(token.claims.exp) else {
            return Reading::Invalid;
        };
        if until <= now {
            return Reading::Expired;
        }
        if token.claims.sub.is_empty() {
            return Reading::Good(Listener::Anonymous, until);
        }
        NotaryId::parse(&token.claims.sub).map_or(Reading::Invalid, |id| {
            Reading::Good(Listener::Notary(id), until)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_token_tells_who_listens_until_its_end() {
        let tokens = RealtimeTokens::new(
            &SecretSlice::from(b"key".to_vec()),
            "https://cabinet.example",
        );
        let noon: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        for listener in [
            Listener::Anonymous,
            Listener::Notary(NotaryId::new(Uuid::from_u128(1))),
        ] {
            let token = tokens.issue(listener, noon).unwrap();
            assert_eq!(
                tokens.read(&token, noon),
                Reading::Good(listener, noon + LIFETIME)
            );
            assert_eq!(tokens.read(&token, noon + LIFETIME), Reading::Expired);
        }
        let other = RealtimeTokens::new(
            &SecretSlice::from(b"other".to_vec()),
            "https://cabinet.example",
        );
        assert_eq!(
            tokens.read(&other.issue(Listener::Anonymous, noon).unwrap(), noon),
            Reading::Invalid
        );
    }
}
