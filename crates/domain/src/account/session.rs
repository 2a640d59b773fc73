//! Sessions and their refresh tokens. A session is one family of tokens: each use replaces the token by the next.

use jiff::Timestamp;

use crate::kernel::words::words;
use crate::{Browser, DeviceId, Network, NotaryId, SessionId};

words! {
    /// Why a session ended before its time.
    EndReason {
        /// The notary logged out.
        LoggedOut = "logged_out",
        /// A replaced token was used again: somebody else has it.
        TokenReplayed = "token_replayed",
        /// The sign-up was begun anew or finished in another session.
        SignedUpAnew = "signed_up_anew",
        /// The operator ended it.
        EndedByOperator = "ended_by_operator",
        /// The notary ended it from another session.
        EndedByNotary = "ended_by_notary",
        /// The same browser signed in anew.
        ReplacedByLogin = "replaced_by_login",
    }
}

/// A session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The id.
    pub id: SessionId,
    /// The notary.
    pub notary_id: NotaryId,
    /// The browser, as a device that has signed this notary in. `None` where it was forgotten, and in sessions of earlier versions.
    pub device_id: Option<DeviceId>,
    /// The name of the browser at the login.
    pub browser: Option<Browser>,
    /// The network of the login.
    pub network: Option<Network>,
    /// When it began.
    pub created_at: Timestamp,
    /// When a person last used it; refreshing in the background does not count.
    pub last_used_at: Timestamp,
    /// When it ends in any case.
    pub expires_at: Timestamp,
    /// When it ended before its time.
    pub ended_at: Option<Timestamp>,
    /// Why it ended before its time.
    pub end_reason: Option<EndReason>,
}

/// A refresh token with its session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundToken {
    /// The session.
    pub session: Session,
    /// When the token expires.
    pub expires_at: Timestamp,
    /// When it was replaced by another.
    pub replaced_at: Option<Timestamp>,
    /// When a token that replaced it was first used, which proves that the answer with it has arrived.
    pub answered_at: Option<Timestamp>,
}
