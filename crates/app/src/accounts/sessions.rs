//! Sessions and their refresh tokens.

use base64::Engine;
use cabinet_domain::{EndReason, NotaryId, Randomness, SessionId};
use cabinet_storage::{StorageError, Tx, sessions};
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret, SecretString};

use super::Accounts;
use crate::keys::token_digest;
use crate::refusal::Result;

/// A session that was just opened or refreshed.
#[derive(Clone, Debug)]
pub struct OpenedSession {
    /// The notary.
    pub notary: NotaryId,
    /// The session.
    pub session: SessionId,
    /// The refresh token. It replaces every earlier one.
    pub refresh_token: SecretString,
    /// How long the refresh token is valid.
    pub refresh_lifetime: SignedDuration,
    /// When the session ends unless it is refreshed before.
    pub session_expires_at: Timestamp,
}

/// Returns a new refresh token: 32 random bytes as text. Only its digest is stored.
pub(super) fn generate_token(randomness: &dyn Randomness) -> SecretString {
    let mut bytes = [0_u8; 32];
    randomness.fill(&mut bytes);
    SecretString::from(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
}

/// A session that is about to be stored. Its random values are fixed before the unit of work, which may run twice.
#[derive(Clone)]
pub(super) struct NewSession {
    id: SessionId,
    token: SecretString,
    idle: SignedDuration,
    absolute: SignedDuration,
    opened_at: Timestamp,
}

impl NewSession {
    pub(super) const fn id(&self) -> SessionId {
        self.id
    }

    pub(super) fn insert(
        &self,
        tx: &mut Tx,
        notary: NotaryId,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        sessions::insert(tx, self.id, notary, now, now + self.absolute)?;
        sessions::add_token(
            tx,
            &token_digest(self.token.expose_secret()),
            None,
            self.id,
            now,
            now + self.idle.min(self.absolute),
        )
    }

    pub(super) fn opened(self, notary: NotaryId) -> OpenedSession {
        OpenedSession {
            notary,
            session: self.id,
            refresh_lifetime: self.idle.min(self.absolute),
            session_expires_at: self.opened_at + self.idle.min(self.absolute),
            refresh_token: self.token,
        }
    }
}

impl Accounts {
    /// Returns a session that is opened now and not stored yet.
    pub(super) fn new_session(&self) -> NewSession {
        NewSession {
            id: SessionId::new(self.ids.new_id()),
            token: generate_token(self.ids.randomness.as_ref()),
            idle: self.sessions.idle,
            absolute: self.sessions.absolute,
            opened_at: self.clock.now(),
        }
    }

    /// Whether the session is alive and the notary's phone is verified.
    pub async fn is_session_alive(&self, notary: NotaryId, session: SessionId) -> Result<bool> {
        let now = self.clock.now();
        Ok(self
            .store
            .read(move |tx| sessions::alive(tx, session, notary, now))
            .await?)
    }

    /// Ends the session. Its refresh tokens and access tokens are invalid from now on.
    pub async fn log_out(&self, notary: NotaryId, session: SessionId) -> Result<()> {
        let now = self.clock.now();
        self.store
            .write(move |tx| sessions::end(tx, session, now, EndReason::LoggedOut))
            .await?;
        tracing::info!(notary.id = %notary, session.id = %session, "A notary signed out");
        Ok(())
    }
}
