//! Whose things are asked for.

use cabinet_domain::{Key, Notary, NotaryId, SessionId};
use cabinet_storage::account::notaries::{self, OwnCodes};
use cabinet_storage::account::sessions;
use cabinet_storage::{LockedNotary, Tx, lock_notary};
use jiff::Timestamp;

use crate::kernel::refusal::{Refusal, Result};

/// A notary who is known to be signed in, or whoever shows an access token. Only a unit of work tells who it is: a session that has ended is
/// found there, and needs no unit of its own.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    notary: NotaryId,
    /// The session of the token that was shown. `None`: it was found alive already.
    session: Option<SessionId>,
}

impl From<NotaryId> for Asker {
    fn from(notary: NotaryId) -> Asker {
        Asker {
            notary,
            session: None,
        }
    }
}

impl Asker {
    /// Whoever shows the access token of a session.
    #[must_use]
    pub const fn with_token(notary: NotaryId, session: SessionId) -> Asker {
        Asker {
            notary,
            session: Some(session),
        }
    }

    /// Returns the notary.
    ///
    /// # Errors
    /// `unauthorized`: the session has ended, or the phone is not verified.
    pub(crate) fn notary(self, tx: &mut Tx, now: Timestamp) -> Result<NotaryId> {
        match self.session {
            Some(session) if !sessions::alive(tx, session, self.notary, now)? => {
                Err(Refusal::unauthorized().into())
            }
            _ => Ok(self.notary),
        }
    }

    /// Returns the notary with what her profile says of her as a recipient, if there is such a notary.
    ///
    /// # Errors
    /// `unauthorized`: the session has ended, or the phone is not verified.
    pub(crate) fn own_codes(
        self,
        tx: &mut Tx,
        now: Timestamp,
    ) -> Result<(NotaryId, Option<OwnCodes>)> {
        let found = match self.session {
            Some(session) => {
                let found = notaries::own_codes_of_session(tx, self.notary, session, now)?;
                Some(found.ok_or_else(Refusal::unauthorized)?)
            }
            None => notaries::own_codes_of(tx, self.notary)?,
        };
        Ok((self.notary, found))
    }

    /// Locks the notary, and returns the same.
    ///
    /// # Errors
    /// As [`Self::own_codes`].
    pub(crate) fn lock(
        self,
        tx: &mut Tx,
        now: Timestamp,
    ) -> Result<(LockedNotary, Option<OwnCodes>)> {
        let Some(session) = self.session else {
            let notary = lock_notary(tx, self.notary)?;
            return Ok((notary, notaries::own_codes_of(tx, self.notary)?));
        };
        let found = notaries::lock_with_own_codes(tx, self.notary, session, now)?;
        let (notary, codes) = found.ok_or_else(Refusal::unauthorized)?;
        Ok((notary, Some(codes)))
    }
}

/// Who decides something under the lock of a notary: she, or who does it in her place.
#[derive(Clone, Copy, Debug)]
pub struct Decider {
    pub(crate) notary: NotaryId,
    /// Her session. `None`: her client by a link, the operator or the worker decides.
    session: Option<SessionId>,
}

impl From<NotaryId> for Decider {
    fn from(notary: NotaryId) -> Decider {
        Decider {
            notary,
            session: None,
        }
    }
}

impl Decider {
    /// The notary, in a session that was found alive.
    pub(crate) const fn in_session(notary: NotaryId, session: SessionId) -> Decider {
        Decider {
            notary,
            session: Some(session),
        }
    }

    /// Locks the notary, and returns her account. Who was signed out while the lock was waited for decides nothing.
    ///
    /// # Errors
    /// `unauthorized`; `user_not_found`.
    pub(crate) fn lock(self, tx: &mut Tx, now: Timestamp) -> Result<(LockedNotary, Notary)> {
        let found = match self.session {
            Some(session) => notaries::lock_of_session(tx, self.notary, session, now)?
                .ok_or_else(Refusal::unauthorized)?,
            None => notaries::lock(tx, self.notary)?
                .ok_or_else(|| Refusal::not_found(Key::UserNotFound))?,
        };
        Ok(found)
    }
}
