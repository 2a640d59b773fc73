//! Passes to the cards frame: a single-use ticket in the address, and the cookie for which it is exchanged.

use cabinet_app::kernel::keys::SigningKeys;
use cabinet_domain::{Locale, NotaryId, SessionId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::keyring::Keyring;

/// Lifetime of a pass. It covers the time that a person spends on the acquirer's page before returning.
const LIFETIME: SignedDuration = SignedDuration::from_mins(15);

/// The kind of a pass. A pass of one kind is never accepted as the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassUse {
    /// In the address; can be used once.
    Ticket,
    /// In the cookie.
    Cookie,
}

/// The holder of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The notary.
    pub notary: NotaryId,
    /// The session; the pass is invalid after its end.
    pub session: SessionId,
    /// The language of the pages.
    pub locale: Locale,
}

/// A valid ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Its holder.
    pub holder: Holder,
    /// Names it among all tickets.
    pub id: String,
    /// From then on it is not valid any more.
    pub until: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: String,
    sid: String,
    language: String,
    #[serde(rename = "use")]
    pass_use: PassUse,
    jti: String,
}

/// Issues and verifies passes.
pub struct FramePasses {
    keyring: Keyring,
}

impl FramePasses {
    /// Uses the keys. The audience is derived from the public address, so passes of other installations are invalid.
    pub fn new(keys: &SigningKeys, public_url: &str) -> FramePasses {
        FramePasses {
            keyring: Keyring::new(keys, "cards-frame+jwt", format!("{public_url}/cards-frame")),
        }
    }

    /// Issues a pass. `id` must be unique.
    ///
    /// # Errors
    /// Returns an error when the signing library fails.
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
        };
        self.keyring.sign(claims, now, now + LIFETIME)
    }

    /// Returns the holder of a cookie if it is valid now.
    pub fn read(&self, pass: &str, now: Timestamp) -> Option<Holder> {
        let claims = self.claims(pass, PassUse::Cookie, now)?;
        holder(&claims)
    }

    /// Returns a ticket if it is valid now. Whether it was used before must be asked of the database.
    pub fn read_ticket(&self, ticket: &str, now: Timestamp) -> Option<Ticket> {
        let claims = self.claims(ticket, PassUse::Ticket, now)?;
        Some(Ticket {
            holder: holder(&claims)?,
            until: now + LIFETIME,
            id: claims.jti,
        })
    }

    fn claims(&self, pass: &str, pass_use: PassUse, now: Timestamp) -> Option<Claims> {
        let claims = self.keyring.verify::<Claims>(pass, now).good()?;
        (claims.pass_use == pass_use).then_some(claims)
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
    use crate::tokens::keyring::testing::{FIRST, keys};
    use uuid::Uuid;

    #[test]
    fn a_ticket_is_no_cookie_and_a_cookie_no_ticket() {
        let keys = keys(FIRST, None);
        let passes = FramePasses::new(keys.frame_passes(), "https://cabinet.example");
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
        let read = passes.read_ticket(&ticket, noon).unwrap();
        assert_eq!((read.holder, read.id.as_str()), (holder, "1"));
        assert_eq!(passes.read_ticket(&ticket, read.until), None);
        let cookie = passes
            .issue(&holder, PassUse::Cookie, noon, "2".to_owned())
            .unwrap();
        assert_eq!(passes.read_ticket(&cookie, noon), None);
        assert_eq!(passes.read(&cookie, noon), Some(holder));
        assert_eq!(passes.read(&cookie, noon + LIFETIME), None);
    }
}
