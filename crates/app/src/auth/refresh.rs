//! `POST /auth/refresh`: replaces the refresh token by the next one of its family.

use cabinet_domain::Key;
use cabinet_storage::{StorageError, sessions};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};

use super::sessions::{OpenedSession, draw_token};
use crate::App;
use crate::keys::token_digest;
use crate::refusal::{Outcome, Refusal, Sort};

enum Verdict {
    /// The session, and when it ends unless it is refreshed before.
    Renewed(sessions::Session, Timestamp),
    Dead,
    Replayed(sessions::Session),
}

impl App {
    /// Replaces a refresh token. A replaced one answers again within a few seconds (two tabs, a lost answer); later it ends the
    /// whole family, for then somebody else has it.
    ///
    /// Only what a person does keeps a session from ending by being left alone: a page that refreshes `attended` by nobody, to go on
    /// listening or asking, gets tokens that are good until then and no longer.
    ///
    /// # Errors
    /// `session_expired`, whatever the reason.
    pub async fn refresh_session(
        &self,
        token: &SecretString,
        attended: bool,
    ) -> Outcome<OpenedSession> {
        let (now, settings) = (self.now(), self.settings().sessions.clone());
        let digest = token_digest(token.expose_secret());
        let next = draw_token(self.randomness());
        let next_digest = token_digest(next.expose_secret());
        let verdict = self
            .inner
            .store
            .write(move |tx| {
                let Some(found) = sessions::by_token(tx, &digest)? else {
                    return Ok(Verdict::Dead);
                };
                let session = found.session;
                if session.ended_at.is_some()
                    || session.expires_at <= now
                    || found.expires_at <= now
                {
                    return Ok(Verdict::Dead);
                }
                let fresh = sessions::replace_token(tx, &digest, now)?;
                let lately = found
                    .replaced_at
                    .is_some_and(|replaced| now.duration_since(replaced) <= settings.grace);
                if !fresh && !lately {
                    sessions::end(tx, session.id, now, sessions::EndReason::TokenReplayed)?;
                    return Ok(Verdict::Replayed(session));
                }
                let until = if attended {
                    sessions::touch(tx, session.id, now)?;
                    (now + settings.idle).min(session.expires_at)
                } else {
                    sessions::ends_at(tx, session.id)?
                };
                sessions::add_token(tx, &next_digest, session.id, now, until)?;
                Ok::<_, StorageError>(Verdict::Renewed(session, until))
            })
            .await?;
        match verdict {
            Verdict::Renewed(session, until) => Ok(OpenedSession {
                notary: session.notary_id,
                session: session.id,
                refresh_token: next,
                refresh_lifetime: until.duration_since(now),
                session_expires_at: until,
            }),
            Verdict::Dead => Err(Refusal::new(Sort::Unauthorized, Key::SessionExpired).into()),
            Verdict::Replayed(session) => {
                tracing::warn!(notary.id = %session.notary_id, session.id = %session.id, "A used refresh token came again: the session was ended");
                Err(Refusal::new(Sort::Unauthorized, Key::SessionExpired).into())
            }
        }
    }
}
