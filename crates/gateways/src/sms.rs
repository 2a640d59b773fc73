//! Short messages, chiefly one-time codes.

use async_trait::async_trait;
use cabinet_domain::Phone;

/// Why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmsError {
    /// A definite no: the number or the text is not taken, or the account cannot send.
    #[error("the message service refused: {code}")]
    Refused {
        /// The service's own code.
        code: String,
    },
    /// The request never left. It may be repeated.
    #[error("the message service cannot be reached")]
    Unavailable,
    /// The message may have been sent. A repeat under the same sequence id does not send it twice.
    #[error("the message service's answer is unknown")]
    Unknown,
}

/// A service that sends short messages.
#[async_trait]
pub trait Sms: Send + Sync {
    /// Hands a message over for sending. The service sends no second message for the same `sequence_id`.
    async fn send(&self, phone: &Phone, text: &str, sequence_id: &str) -> Result<(), SmsError>;
}
