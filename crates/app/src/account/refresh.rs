//! `POST /auth/refresh`: replaces the refresh token by the next one of its family.

use cabinet_domain::{EndReason, FoundToken, Key, Origin, Session};
use cabinet_storage::account::sessions;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};

use super::Accounts;
use super::security_events::session_ended;
use super::sessions::{OpenedSession, generate_token};
use crate::kernel::keys::{Digest, token_digest};
use crate::kernel::refusal::{AppError, Refusal, RefusalKind, Result};
use crate::settings::SessionSettings;

/// What became of a refresh.
enum Refresh {
    /// The session, and when it ends unless it is refreshed before.
    Renewed(Session, Timestamp),
    /// The token or its session has ended.
    Expired,
    /// A replaced token was used by somebody else. Its session was ended.
    Replayed(Session),
}

/// A refresh with its random values, which are fixed before the unit of work.
#[derive(Clone)]
struct Replacement {
    /// Of the token that is replaced.
    old: Digest,
    /// Of the token that replaces it.
    new: Digest,
    /// A person did something since the last refresh.
    attended: bool,
    now: Timestamp,
    settings: SessionSettings,
}

impl Accounts {
    /// Replaces a refresh token.
    ///
    /// A replaced token is accepted again within a few seconds, because two tabs may refresh at once, and an answer may be lost.
    /// Later somebody else has the token, and the session ends.
    ///
    /// Only what a person does keeps an idle session from ending. A page that refreshes by itself (`attended` is false) gets
    /// tokens that end when the session would have ended without it.
    ///
    /// # Errors
    /// `session_expired`, whatever the reason.
    pub async fn refresh_session(
        &self,
        token: &SecretString,
        attended: bool,
        origin: Origin,
    ) -> Result<OpenedSession> {
        let unit = self.ids.unit();
        let now = unit.now;
        let old = token_digest(token.expose_secret());
        // A useless token is refused without a write, so that strangers can't fill the queue of writes.
        let known = self
            .store
            .read(move |tx| sessions::by_token(tx, &old))
            .await?;
        if !known.is_some_and(|found| is_good(&found, now)) {
            return Err(expired());
        }
        let next = generate_token(self.ids.randomness.as_ref());
        let replacement = Replacement {
            old,
            new: token_digest(next.expose_secret()),
            attended,
            now,
            settings: self.sessions.clone(),
        };
        let refresh = self
            .store
            .write(move |tx| {
                let refresh = replace_token(tx, &replacement)?;
                if let Refresh::Replayed(session) = &refresh {
                    session_ended(session)
                        .with("reason", EndReason::TokenReplayed)
                        .record(tx, &mut unit.clone(), &origin)?;
                }
                Ok::<_, StorageError>(refresh)
            })
            .await?;
        match refresh {
            Refresh::Renewed(session, until) => Ok(OpenedSession {
                notary: session.notary_id,
                session: session.id,
                refresh_token: next,
                refresh_lifetime: until.duration_since(now),
                session_expires_at: until,
                device_token: None,
            }),
            Refresh::Expired => Err(expired()),
            Refresh::Replayed(session) => {
                tracing::warn!(notary.id = %session.notary_id, session.id = %session.id, "A used refresh token came again: the session was ended");
                Err(expired())
            }
        }
    }
}

fn replace_token(tx: &mut Tx, replacement: &Replacement) -> Result<Refresh, StorageError> {
    let Replacement {
        old,
        new,
        attended,
        now,
        settings,
    } = replacement;
    let now = *now;
    let found = sessions::by_token(tx, old)?;
    let Some(found) = found.filter(|found| is_good(found, now)) else {
        return Ok(Refresh::Expired);
    };
    let session = found.session;
    if let Some(replaced) = found.replaced_at {
        if now.duration_since(replaced) > settings.grace {
            // The device stays known: an owner whose answer was lost for longer, or whose other tab was late, comes here, too.
            sessions::end(tx, session.id, now, EndReason::TokenReplayed)?;
            return Ok(Refresh::Replayed(session));
        }
        if found.answered_at.is_some() {
            // Another tab was late. Its token takes the place of the one that was given out meanwhile: two chains of tokens
            // would let a thief stay beside the owner.
            sessions::withdraw_unused(tx, session.id, now)?;
        }
    } else {
        sessions::replace_token(tx, old, now)?;
        sessions::withdraw_siblings(tx, session.id, old, now)?;
    }
    sessions::record_arrival(tx, old, now)?;
    let until = if *attended {
        sessions::touch(tx, session.id, now)?;
        (now + settings.idle).min(session.expires_at)
    } else {
        sessions::ends_at(tx, session.id)?
    };
    sessions::add_token(tx, new, Some(old), session.id, now, until)?;
    Ok(Refresh::Renewed(session, until))
}

/// Whether a token and its session are valid at this moment. The token may have been replaced.
fn is_good(found: &FoundToken, now: Timestamp) -> bool {
    found.session.ended_at.is_none() && found.session.expires_at > now && found.expires_at > now
}

fn expired() -> AppError {
    Refusal::new(RefusalKind::Unauthorized, Key::SessionExpired).into()
}
