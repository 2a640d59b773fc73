//! Short messages, mostly one-time codes.

use async_trait::async_trait;
use cabinet_domain::Phone;

/// Why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmsError {
    /// A definite refusal of the number, the text or our account.
    #[error("the message service refused: {code}")]
    Refused {
        /// The service's own code.
        code: String,
    },
    /// The request was not sent. It may be repeated.
    #[error("the message service cannot be reached")]
    Unavailable,
    /// The message may have been sent. A repeat under the same sequence id does not send it twice.
    #[error("the message service's answer is unknown")]
    Unknown,
}

/// A service that sends short messages.
#[async_trait]
pub trait Sms: Send + Sync {
    /// Sends a message. The service sends only one message for a `sequence_id`.
    async fn send(&self, phone: &Phone, text: &str, sequence_id: &str) -> Result<(), SmsError>;
}
