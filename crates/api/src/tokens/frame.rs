//! Passes to the frame: a ticket in its address, good once, and the cookie it is exchanged for.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use cabinet_domain::{Locale, NotaryId, SessionId};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use secrecy::{ExposeSecret, SecretSlice};
use serde::{Deserialize, Serialize};

/// A ticket must outlive the time a person spends on the acquirer's page, from which it leads back.
const LIFETIME: SignedDuration = SignedDuration::from_mins(15);

/// What a pass is for; one kind never passes for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassUse {
    /// In the address, good once.
    Ticket,
    /// In the cookie.
    Cookie,
}

/// Whom a pass was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The notary.
    pub notary: NotaryId,
    /// The session, with which the pass dies.
    pub session: SessionId,
    /// The language of the pages.
    pub locale: Locale,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: String,
    sid: String,
    language: String,
    #[serde(rename = "use")]
    pass_use: PassUse,
    jti: String,
    aud: String,
    exp: i64,
}

/// Makes and reads passes.
pub struct FramePasses {
    encoding: EncodingKey,
    decoding: DecodingKey,
    audience: String,
    used: Mutex<HashMap<String, Timestamp>>,
}

impl FramePasses {
    /// Passes signed with the key, good for the cabinet at this address alone.
    pub fn new(key: &SecretSlice<u8>, public_url: &str) -> FramePasses {
        FramePasses {
            encoding: EncodingKey::from_secret(key.expose_secret()),
            decoding: DecodingKey::from_secret(key.expose_secret()),
            audience: format!("{public_url}/cards-frame"),
            used: Mutex::default(),
        }
    }

    /// A pass for the holder. `id` names it among all passes.
    ///
    /// # Errors
    /// Only if the signing library fails.
    pub fn issue(
        &self,
        holder: &Holder,
        pass_use: PassUse,
        now: Timestamp,
        id: String,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            sub: holder.notary.to_string(),
            sid: holder.session.to_string(),
            language: holder.locale.code().to_owned(),
            pass_use,
            jti: id,
            aud: self.audience.clone(),
            exp: now.as_second() + LIFETIME.as_secs(),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding)
    }

    /// The holder of a cookie, while it is good.
    pub fn read(&self, pass: &str, now: Timestamp) -> Option<Holder> {
        let claims = self.claims(pass, PassUse::Cookie, now)?;
        holder(&claims)
    }

    /// The holder of a ticket, the first time it is shown.
    pub fn use_once(&self, ticket: &str, now: Timestamp) -> Option<Holder> {
        let claims = self.claims(ticket, PassUse::Ticket, now)?;
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, until| now < *until);
        let fresh = used.insert(claims.jti.clone(), now + LIFETIME).is_none();
        if fresh { holder(&claims) } else { None }
    }

    fn claims(&self, pass: &str, pass_use: PassUse, now: Timestamp) -> Option<Claims> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "aud", "sub"]);
        // Our clock is an argument, so the time is checked below.
        validation.validate_exp = false;
        let claims = jsonwebtoken::decode::<Claims>(pass, &self.decoding, &validation)
            .ok()?
            .claims;
        (claims.pass_use == pass_use && now.as_second() < claims.exp).then_some(claims)
    }
}

fn holder(claims: &Claims) -> Option<Holder> {
    Some(Holder {
        notary: NotaryId::parse(&claims.sub)?,
        session: SessionId::parse(&claims.sid)?,
        locale: Locale::parse(&claims.language)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_ticket_is_good_once_and_never_for_a_cookie() {
        let passes = FramePasses::new(
            &SecretSlice::from(b"key".to_vec()),
            "https://cabinet.example",
        );
        let holder = Holder {
            notary: NotaryId::new(Uuid::from_u128(1)),
            session: SessionId::new(Uuid::from_u128(2)),
            locale: Locale::En,
        };
        let noon: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let ticket = passes
            .issue(&holder, PassUse::Ticket, noon, "1".to_owned())
            .unwrap();
        assert_eq!(passes.read(&ticket, noon), None);
        assert_eq!(passes.use_once(&ticket, noon), Some(holder));
        assert_eq!(passes.use_once(&ticket, noon), None);
        let cookie = passes
            .issue(&holder, PassUse::Cookie, noon, "2".to_owned())
            .unwrap();
        assert_eq!(passes.use_once(&cookie, noon), None);
        assert_eq!(passes.read(&cookie, noon), Some(holder));
        assert_eq!(passes.read(&cookie, noon + LIFETIME), None);
    }
}
