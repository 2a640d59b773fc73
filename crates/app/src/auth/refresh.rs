//! `POST /auth/refresh`: replaces the refresh token by the next one of its family.

use cabinet_domain::Key;
use cabinet_storage::StorageError;
use cabinet_storage::sessions::{self, FoundToken};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};

use super::sessions::{OpenedSession, draw_token};
use crate::App;
use crate::keys::token_digest;
use crate::refusal::{AppError, Outcome, Refusal, Sort};

enum Verdict {
    /// The session, and when it ends unless it is refreshed before.
    Renewed(sessions::Session, Timestamp),
    Dead,
    Replayed(sessions::Session),
}

/// Whether a token and its session last to this moment; the token may have been replaced.
fn is_good(found: &FoundToken, now: Timestamp) -> bool {
    found.session.ended_at.is_none() && found.session.expires_at > now && found.expires_at > now
}

fn expired() -> AppError {
    Refusal::new(Sort::Unauthorized, Key::SessionExpired).into()
}

impl App {
    /// Replaces a refresh token. A replaced one answers again within a few seconds, for two tabs may refresh at once. It does so for some
    /// minutes while no token that replaced it was used, for then the answer was lost; what the lost answer brought is taken back. In all
    /// other cases a replaced token ends the whole family, because somebody else has it.
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
        // What is good for nothing is refused without a write, so that strangers can't queue up in front of those who write.
        let known = self
            .inner
            .store
            .read(move |tx| sessions::by_token(tx, &digest))
            .await?;
        if !known.is_some_and(|found| is_good(&found, now)) {
            return Err(expired());
        }
        let next = draw_token(self.randomness());
        let next_digest = token_digest(next.expose_secret());
        let verdict = self
            .inner
            .store
            .write(move |tx| {
                let found = sessions::by_token(tx, &digest)?;
                let Some(found) = found.filter(|found| is_good(found, now)) else {
                    return Ok(Verdict::Dead);
                };
                let session = found.session;
                if let Some(replaced) = found.replaced_at {
                    let since = now.duration_since(replaced);
                    if since > settings.grace {
                        if found.answered_at.is_some() || since > settings.lost_answer {
                            sessions::end(tx, session.id, now, sessions::EndReason::TokenReplayed)?;
                            return Ok(Verdict::Replayed(session));
                        }
                        sessions::withdraw_successors(tx, session.id, &digest, now)?;
                    }
                } else {
                    sessions::replace_token(tx, &digest, now)?;
                }
                sessions::record_arrival(tx, &digest, now)?;
                let until = if attended {
                    sessions::touch(tx, session.id, now)?;
                    (now + settings.idle).min(session.expires_at)
                } else {
                    sessions::ends_at(tx, session.id)?
                };
                sessions::add_token(tx, &next_digest, Some(&digest), session.id, now, until)?;
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
            Verdict::Dead => Err(expired()),
            Verdict::Replayed(session) => {
                tracing::warn!(notary.id = %session.notary_id, session.id = %session.id, "A used refresh token came again: the session was ended");
                Err(expired())
            }
        }
    }
}
