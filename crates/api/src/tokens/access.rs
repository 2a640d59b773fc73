//! Access tokens: short-lived signed tokens that name the notary and the session.
//!
//! Every call also checks the session in the database, so a token is useless once its session has ended.

use cabinet_app::kernel::keys::SigningKeys;
use cabinet_domain::{NotaryId, SessionId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::keyring::Keyring;

/// Lifetime of an access token.
pub const LIFETIME: SignedDuration = SignedDuration::from_mins(10);

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: uuid::Uuid,
    sid: uuid::Uuid,
    iss: String,
    iat: i64,
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
    keyring: Keyring,
    issuer: String,
}

impl AccessTokens {
    /// Uses the keys. The public address is issuer and audience, so tokens of other installations are invalid.
    pub fn new(keys: &SigningKeys, public_url: &str) -> AccessTokens {
        AccessTokens {
            keyring: Keyring::new(keys, "at+jwt", public_url.to_owned()),
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
            iat: now.as_second(),
        };
        self.keyring.sign(claims, now, now + LIFETIME)
    }

    /// Returns the caller if the token is valid now.
    pub fn read(&self, token: &str, now: Timestamp) -> Option<Caller> {
        let claims = self.keyring.verify::<Claims>(token, now).good()?;
        (claims.iss == self.issuer).then(|| Caller {
            notary: NotaryId::new(claims.sub),
            session: SessionId::new(claims.sid),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::keyring::testing::{FIRST, SECOND, keys};
    use uuid::Uuid;

    fn tokens(secret: &str) -> AccessTokens {
        AccessTokens::new(
            keys(secret, None).access_tokens(),
            "https://cabinet.example",
        )
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
        let token = tokens(FIRST).issue(caller(), noon()).unwrap();
        assert_eq!(
            tokens(FIRST).read(&token, noon() + SignedDuration::from_secs(599)),
            Some(caller())
        );
        assert_eq!(
            tokens(FIRST).read(&token, noon() + SignedDuration::from_secs(600)),
            None
        );
        assert_eq!(
            tokens(FIRST).read(&token, noon() - SignedDuration::from_mins(2)),
            None
        );
    }

    #[test]
    fn another_key_another_cabinet_and_no_signature_are_refused() {
        let token = tokens(FIRST).issue(caller(), noon()).unwrap();
        assert_eq!(tokens(SECOND).read(&token, noon()), None);
        let elsewhere =
            AccessTokens::new(keys(FIRST, None).access_tokens(), "https://other.example");
        assert_eq!(elsewhere.read(&token, noon()), None);
        let body = token.split('.').nth(1).unwrap();
        // {"alg":"none","typ":"JWT"}
        let unsigned = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{body}.");
        assert_eq!(tokens(FIRST).read(&unsigned, noon()), None);
    }
}
