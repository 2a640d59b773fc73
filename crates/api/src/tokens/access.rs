//! Access tokens: short-lived signed tokens that name the notary and the session.
//!
//! Every call also checks the session in the database, so a token is useless once its session has ended.

use cabinet_domain::{NotaryId, SessionId};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use secrecy::{ExposeSecret, SecretSlice};
use serde::{Deserialize, Serialize};

/// Lifetime of an access token.
pub const LIFETIME: SignedDuration = SignedDuration::from_mins(10);

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: uuid::Uuid,
    sid: uuid::Uuid,
    iss: String,
    aud: String,
    iat: i64,
    exp: i64,
}

/// Who is calling, in which session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The notary.
    pub notary: NotaryId,
    /// The session.
    pub session: SessionId,
}

/// Issues and verifies access tokens.
pub struct AccessTokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
    issuer: String,
}

impl AccessTokens {
    /// Uses the key for signing. The public address is issuer and audience, so tokens of other installations are invalid.
    pub fn new(key: &SecretSlice<u8>, public_url: &str) -> AccessTokens {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[public_url]);
        validation.set_audience(&[public_url]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // The library uses the system clock. `read` checks the time with the clock that is passed to it.
        validation.validate_exp = false;
        AccessTokens {
            encoding: EncodingKey::from_secret(key.expose_secret()),
            decoding: DecodingKey::from_secret(key.expose_secret()),
            validation,
            issuer: public_url.to_owned(),
        }
    }

    /// Issues a token that is valid from now for [`LIFETIME`].
    ///
    /// # Errors
    /// Returns an error when the signing library fails.
    pub fn issue(
        &self,
        caller: Caller,
        now: Timestamp,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            sub: caller.notary.uuid(),
            sid: caller.session.uuid(),
            iss: self.issuer.clone(),
            aud: self.issuer.clone(),
            iat: now.as_second(),
            exp: now.as_second() + LIFETIME.as_secs(),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding)
    }

    /// Returns the caller if the token is valid now.
    pub fn read(&self, token: &str, now: Timestamp) -> Option<Caller> {
        let claims = jsonwebtoken::decode::<Claims>(token, &self.decoding, &self.validation)
            .ok()?
            .claims;
        let in_time = claims.iat <= now.as_second() && now.as_second() < claims.exp;
        in_time.then(|| Caller {
            notary: NotaryId::new(claims.sub),
            session: SessionId::new(claims.sid),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn tokens(key: &[u8]) -> AccessTokens {
        AccessTokens::new(&SecretSlice::from(key.to_vec()), "https://cabinet.example")
    }

    fn caller() -> Caller {
        Caller {
            notary: NotaryId::new(Uuid::from_u128(1)),
            session: SessionId::new(Uuid::from_u128(2)),
        }
    }

    fn noon() -> Timestamp {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn a_token_tells_who_calls_until_its_last_second() {
        let token = tokens(b"key").issue(caller(), noon()).unwrap();
        assert_eq!(
            tokens(b"key").read(&token, noon() + SignedDuration::from_secs(599)),
            Some(caller())
        );
        assert_eq!(
            tokens(b"key").read(&token, noon() + SignedDuration::from_secs(600)),
            None
        );
        assert_eq!(
            tokens(b"key").read(&token, noon() - SignedDuration::from_secs(1)),
            None
        );
    }

    #[test]
    fn another_key_another_cabinet_and_no_signature_are_refused() {
        let token = tokens(b"key").issue(caller(), noon()).unwrap();
        assert_eq!(tokens(b"other").read(&token, noon()), None);
        let elsewhere =
            AccessTokens::new(&SecretSlice::from(b"key".to_vec()), "https://other.example");
        assert_eq!(elsewhere.read(&token, noon()), None);
        let body = token.split('.').nth(1).unwrap();
        // {"alg":"none","typ":"JWT"}
        let unsigned = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{body}.");
        assert_eq!(tokens(b"key").read(&unsigned, noon()), None);
    }
}
