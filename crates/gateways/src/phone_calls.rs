//! Confirmation by telephone: the cabinet calls, a voice names what is to be confirmed, and the person presses 1, or 1 and the digits
//! that a page shows.

use std::fmt;

use async_trait::async_trait;
use cabinet_domain::{Locale, LoginPurpose, Phone};

/// The key that confirms. Where a call asks for the digits of a page, they follow it.
pub const CONFIRMING_DIGITS: &str = "1";
/// How many digits a page shows for a call that asks for them.
pub const SHOWN_DIGITS: u8 = 2;

/// The service's id of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhoneCallId(String);

impl PhoneCallId {
    /// Reads 1 to 64 ASCII letters and digits. Returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let fits =
            (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        fits.then(|| Self(text.to_owned()))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PhoneCallId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A call to be made.
#[derive(Clone, Debug)]
pub struct PhoneCallRequest {
    /// The number on file; never one from a request.
    pub phone: Phone,
    /// What is to be confirmed.
    pub purpose: LoginPurpose,
    /// Whether the digits that the page shows are asked for after the 1.
    pub asks_for_shown_digits: bool,
    /// The language of the voice.
    pub locale: Locale,
    /// The callback for the pressed key. It contains the unguessable id of the attempt.
    pub key_url: String,
    /// The callback for the progress of the call.
    pub progress_url: String,
}

/// The status of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhoneCallStatus {
    /// Not dialled yet.
    Queued,
    /// The telephone rings.
    Ringing,
    /// Somebody has answered.
    InProgress,
    /// Ended after an answer.
    Completed,
    /// The line is busy.
    Busy,
    /// Nobody answered.
    NoAnswer,
    /// The number cannot be called.
    Failed,
    /// Canceled.
    Canceled,
    /// A status that the adapter does not know.
    Other(String),
}

impl PhoneCallStatus {
    /// Returns whether the call has ended.
    pub fn is_over(&self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Busy | Self::NoAnswer | Self::Failed | Self::Canceled
        )
    }
}

/// A callback of the service whose signature is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneCallEvent {
    /// The call.
    pub call: PhoneCallId,
    /// Its status.
    pub status: PhoneCallStatus,
    /// The pressed keys: `None` in progress callbacks, empty after silence.
    pub digits: Option<String>,
    /// Number of the progress callback, from 0. They may arrive in any order.
    pub sequence: Option<u32>,
}

/// Why a call was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PhoneCallError {
    /// A definite refusal: no call was made.
    #[error("the voice service refused: {code}")]
    Refused {
        /// The service's own code.
        code: String,
    },
    /// The request was not sent. It may be repeated.
    #[error("the voice service cannot be reached")]
    Unavailable,
    /// The call may have been made.
    #[error("the voice service's answer is unknown")]
    Unknown,
}

/// Why a callback is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallbackError {
    /// The signature is missing or does not match address and body.
    #[error("the callback's signature is missing or wrong")]
    BadSignature,
    /// It is signed, but names no call.
    #[error("the callback is signed but cannot be read")]
    Unreadable,
}

/// The answer to a callback: what the person hears after pressing a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpokenReply {
    /// Content type of the answer to the callback.
    pub content_type: &'static str,
    /// Its body.
    pub body: String,
}

/// A service that calls people.
#[async_trait]
pub trait PhoneCalls: Send + Sync {
    /// Starts a call. Its progress and the pressed key arrive as callbacks.
    async fn start_phone_call(
        &self,
        request: &PhoneCallRequest,
    ) -> Result<PhoneCallId, PhoneCallError>;

    /// Asks for the status of a call, for the case that no callback comes.
    async fn phone_call_status(
        &self,
        call: &PhoneCallId,
    ) -> Result<PhoneCallStatus, PhoneCallError>;

    /// Checks a callback's signature and reads it. `address` is the public address that was given to the service, with its query,
    /// not the one that the request names. `body` is the raw form.
    fn verify_callback(
        &self,
        address: &str,
        signature: Option<&str>,
        body: &[u8],
    ) -> Result<PhoneCallEvent, CallbackError>;

    /// Returns the answer to the callback about a pressed key.
    fn reply(&self, purpose: LoginPurpose, locale: Locale, confirmed: bool) -> SpokenReply;
}
