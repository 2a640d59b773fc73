//! Signing and verifying of every kind of token: HS256 and nothing else, the key named by its id, the kind by `typ`.

use cabinet_app::kernel::keys::{SigningKey, SigningKeys};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::errors::Error;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode_header};
use secrecy::ExposeSecret;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The clock of the cabinet that signed a token may be ahead of this one's by so much.
const CLOCKS_APART: SignedDuration = SignedDuration::from_mins(1);

/// Content of every token beside its own claims.
#[derive(Serialize, Deserialize)]
struct Content<T> {
    aud: String,
    nbf: i64,
    exp: i64,
    #[serde(flatten)]
    claims: T,
}

struct Key {
    id: String,
    decoding: DecodingKey,
}

impl Key {
    fn new(key: &SigningKey) -> Key {
        Key {
            id: key.id.to_string(),
            decoding: DecodingKey::from_secret(key.key.expose_secret()),
        }
    }
}

/// The current key, which signs, and the one before it, which still verifies.
pub struct Keyring {
    encoding: EncodingKey,
    current: Key,
    previous: Option<Key>,
    kind: &'static str,
    audience: String,
}

/// Result of verifying a token.
pub enum Verified<T> {
    /// Valid until this moment.
    Good(T, Timestamp),
    /// It was valid, or it names a key that is no longer here.
    Expired,
    /// Not issued by this installation for this use.
    Invalid,
}

impl<T> Verified<T> {
    /// Returns the claims of a valid token.
    pub fn good(self) -> Option<T> {
        match self {
            Verified::Good(claims, _) => Some(claims),
            Verified::Expired | Verified::Invalid => None,
        }
    }
}

impl Keyring {
    /// Keys for tokens of a kind, which is their `typ`. Tokens for another audience are invalid.
    pub fn new(keys: &SigningKeys, kind: &'static str, audience: String) -> Keyring {
        Keyring {
            encoding: EncodingKey::from_secret(keys.current.key.expose_secret()),
            current: Key::new(&keys.current),
            previous: keys.previous.as_ref().map(Key::new),
            kind,
            audience,
        }
    }

    /// Signs claims.
    ///
    /// # Errors
    /// Returns an error when the signing library fails.
    pub fn sign<T: Serialize>(
        &self,
        claims: T,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<String, Error> {
        let mut header = Header::new(Algorithm::HS256);
        header.typ = Some(self.kind.to_owned());
        header.kid = Some(self.current.id.clone());
        let content = Content {
            aud: self.audience.clone(),
            nbf: now.as_second(),
            exp: until.as_second(),
            claims,
        };
        jsonwebtoken::encode(&header, &content, &self.encoding)
    }

    /// Verifies a token at a moment.
    pub fn verify<T: DeserializeOwned>(&self, token: &str, now: Timestamp) -> Verified<T> {
        let Ok(header) = decode_header(token) else {
            return Verified::Invalid;
        };
        let keys = [Some(&self.current), self.previous.as_ref()];
        let key = keys
            .into_iter()
            .flatten()
            .find(|key| header.kid.as_ref() == Some(&key.id));
        let Some(key) = key else {
            return Verified::Expired;
        };
        if header.typ.as_deref() != Some(self.kind) {
            return Verified::Invalid;
        }
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "nbf", "aud"]);
        // The library uses the system clock. The time is checked below, with the clock that is passed to this function.
        validation.validate_exp = false;
        let Ok(data) = jsonwebtoken::decode::<Content<T>>(token, &key.decoding, &validation) else {
            return Verified::Invalid;
        };
        let Content {
            nbf, exp, claims, ..
        } = data.claims;
        let Ok(until) = Timestamp::from_second(exp) else {
            return Verified::Invalid;
        };
        if now.as_second() + CLOCKS_APART.as_secs() < nbf {
            return Verified::Invalid;
        }
        if until <= now {
            return Verified::Expired;
        }
        Verified::Good(claims, until)
    }
}

#[cfg(test)]
pub mod testing {
    //! Keys of tests.

    use cabinet_app::{Keys, Secrets};

    pub const FIRST: &str = "the first secret of the tests, of any strength";
    pub const SECOND: &str = "the second secret of the tests, of any strength";

    /// Keys of a secret, and of the one before it.
    pub fn keys(current: &str, previous: Option<&str>) -> Keys {
        let secrets = Secrets {
            previous: previous.map(Into::into),
            ..Secrets::only(current.into())
        };
        Keys::derive(&secrets).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use jiff::SignedDuration;
    use serde_json::{Value, json};

    use super::testing::{FIRST, SECOND, keys};
    use super::*;

    const MINUTE: SignedDuration = SignedDuration::from_mins(1);

    fn noon() -> Timestamp {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    fn keyring(current: &str, previous: Option<&str>) -> Keyring {
        let keys = keys(current, previous);
        Keyring::new(
            keys.access_tokens(),
            "at+jwt",
            "https://cabinet.example".to_owned(),
        )
    }

    fn verified(keyring: &Keyring, token: &str, now: Timestamp) -> &'static str {
        match keyring.verify::<Value>(token, now) {
            Verified::Good(..) => "good",
            Verified::Expired => "expired",
            Verified::Invalid => "invalid",
        }
    }

    #[test]
    fn the_key_before_the_rotation_verifies_and_the_one_before_that_does_not() {
        let token = keyring(FIRST, None)
            .sign(json!({}), noon(), noon() + MINUTE)
            .unwrap();
        assert_eq!(verified(&keyring(FIRST, None), &token, noon()), "good");
        assert_eq!(
            verified(&keyring(SECOND, Some(FIRST)), &token, noon()),
            "good"
        );
        assert_eq!(verified(&keyring(SECOND, None), &token, noon()), "expired");
        let after = keyring(SECOND, Some(FIRST))
            .sign(json!({}), noon(), noon() + MINUTE)
            .unwrap();
        assert_eq!(verified(&keyring(SECOND, None), &after, noon()), "good");
    }

    #[test]
    fn a_token_of_a_cabinet_whose_clock_is_ahead_is_good_and_its_last_second_counts() {
        let keyring = keyring(FIRST, None);
        let token = keyring.sign(json!({}), noon(), noon() + MINUTE).unwrap();
        let second = SignedDuration::from_secs(1);
        for (now, expected) in [
            (noon() - MINUTE - second, "invalid"),
            (noon() - MINUTE, "good"),
            (noon(), "good"),
            (noon() + MINUTE - second, "good"),
            (noon() + MINUTE, "expired"),
        ] {
            assert_eq!(verified(&keyring, &token, now), expected, "{now}");
        }
    }

    #[test]
    fn a_crafted_token_is_refused() {
        let ring = keyring(FIRST, None);
        let id = ring.current.id.clone();
        let key = keys(FIRST, None);
        let good = json!({ "aud": "https://cabinet.example", "nbf": noon().as_second(), "exp": (noon() + MINUTE).as_second() });
        let craft = |algorithm: Algorithm, kind: Option<&str>, content: &Value| {
            let mut header = Header::new(algorithm);
            header.typ = kind.map(str::to_owned);
            header.kid = Some(id.clone());
            let encoding =
                EncodingKey::from_secret(key.access_tokens().current.key.expose_secret());
            jsonwebtoken::encode(&header, content, &encoding).unwrap()
        };
        let without = |claim: &str| {
            let mut content = good.clone();
            content.as_object_mut().unwrap().remove(claim);
            content
        };
        let is = |token: &str| verified(&ring, token, noon());
        assert_eq!(is(&craft(Algorithm::HS256, Some("at+jwt"), &good)), "good");
        for kind in [None, Some("JWT"), Some("realtime+jwt")] {
            assert_eq!(
                is(&craft(Algorithm::HS256, kind, &good)),
                "invalid",
                "{kind:?}"
            );
        }
        for algorithm in [Algorithm::HS384, Algorithm::HS512] {
            assert_eq!(is(&craft(algorithm, Some("at+jwt"), &good)), "invalid");
        }
        for claim in ["aud", "nbf", "exp"] {
            assert_eq!(
                is(&craft(Algorithm::HS256, Some("at+jwt"), &without(claim))),
                "invalid",
                "{claim}"
            );
        }
        let mut other = good.clone();
        other["aud"] = json!("https://other.example");
        assert_eq!(
            is(&craft(Algorithm::HS256, Some("at+jwt"), &other)),
            "invalid"
        );
        let header = json!({ "alg": "none", "typ": "at+jwt", "kid": id });
        let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        assert_eq!(
            is(&format!("{}.{}.", encode(&header), encode(&good))),
            "invalid"
        );
        let realtime = Keyring::new(
            key.realtime_tokens(),
            "realtime+jwt",
            "https://cabinet.example/connection".to_owned(),
        );
        let token = realtime.sign(json!({}), noon(), noon() + MINUTE).unwrap();
        assert_eq!(is(&token), "invalid");
    }
}
