//! Confirmation by telephone: the cabinet calls, a voice names what is to be confirmed, and the person presses 1.

use std::fmt;

use async_trait::async_trait;
use cabinet_domain::{Locale, Phone};

/// The key that confirms.
pub const CONFIRMING_DIGITS: &str = "1";

/// The service's id of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(String);

impl CallId {
    /// Takes 1 to 64 ASCII letters and digits; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        let fits =
            (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        fits.then(|| Self(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A call to be made.
#[derive(Clone, Debug)]
pub struct CallRequest {
    /// The number on file; never one from a request.
    pub phone: Phone,
    /// The language of the voice.
    pub locale: Locale,
    /// Where the pressed key is told. It carries the id of the attempt, which nobody can guess.
    pub key_url: String,
    /// Where the progress of the call is told.
    pub progress_url: String,
}

/// Where a call stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallStatus {
    /// Waits for its turn.
    Queued,
    /// The telephone rings.
    Ringing,
    /// Somebody has answered.
    InProgress,
    /// Over, after an answer.
    Completed,
    /// Engaged.
    Busy,
    /// Nobody answered.
    NoAnswer,
    /// The number cannot be called.
    Failed,
    /// Called off.
    Canceled,
    /// A word the adapter does not know.
    Other(String),
}

impl CallStatus {
    /// Whether nothing more will come of this call.
    pub fn is_over(&self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Busy | Self::NoAnswer | Self::Failed | Self::Canceled
        )
    }
}

/// What a callback of the service tells, after its signature was found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEvent {
    /// The call.
    pub call: CallId,
    /// Where it stands.
    pub status: CallStatus,
    /// The keys that were pressed: absent in news of progress, empty after silence.
    pub digits: Option<String>,
    /// Position among the news of progress of this call, from 0: they can come in any order.
    pub sequence: Option<u32>,
}

impl CallEvent {
    /// Whether the person pressed 1. Every other key, and silence, is a no.
    pub fn confirms(&self) -> bool {
        self.digits.as_deref() == Some(CONFIRMING_DIGITS)
    }
}

/// Why a call was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// A definite no: there is no call.
    #[error("the voice service refused: {code}")]
    Refused {
        /// The service's own code.
        code: String,
    },
    /// The request never left. It may be repeated.
    #[error("the voice service cannot be reached")]
    Unavailable,
    /// The telephone may be ringing.
    #[error("the voice service's answer is unknown")]
    Unknown,
}

/// Why a callback is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallbackError {
    /// The signature is missing or does not fit address and body.
    #[error("the callback's signature is missing or wrong")]
    BadSignature,
    /// Signed, but no call is named in it.
    #[error("the callback is signed but cannot be read")]
    Unreadable,
}

/// What the person on the telephone hears after pressing a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpokenReply {
    /// Content type of the answer to the callback.
    pub content_type: &'static str,
    /// Its body.
    pub body: String,
}

/// A service that calls people.
#[async_trait]
pub trait Calls: Send + Sync {
    /// Makes a call, which then rings by itself; its progress and the pressed key come as callbacks.
    async fn start_call(&self, request: &CallRequest) -> Result<CallId, CallError>;

    /// Where a call stands; for when no callback comes.
    async fn call_status(&self, call: &CallId) -> Result<CallStatus, CallError>;

    /// Checks a callback's signature and reads it. `address` is the public address the service was given, query
    /// included, not what the request claims; `body` is the raw form.
    fn verify_callback(
        &self,
        address: &str,
        signature: Option<&str>,
        body: &[u8],
    ) -> Result<CallEvent, CallbackError>;

    /// The answer to the callback about a pressed key.
    fn reply(&self, locale: Locale, confirmed: bool) -> SpokenReply;
}
