//! E-mail, mostly to the support.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;

/// An e-mail of plain text. `Debug` shows neither its recipient nor its content.
#[derive(Clone, PartialEq, Eq)]
pub struct Letter {
    /// The id of the e-mail, the same at each attempt: letters, digits and hyphens. It becomes the `Message-ID`, by which mailboxes
    /// recognise duplicates.
    pub id: String,
    /// The recipient's address, without a name.
    pub to: String,
    /// The subject, one line.
    pub subject: String,
    /// The text, with line feeds.
    pub text: String,
    /// When it was written, for the `Date` header. It may be sent later.
    pub written_at: Timestamp,
}

impl fmt::Debug for Letter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Letter({})", self.id)
    }
}

/// Why an e-mail was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// A definite refusal of the address, the content or our account. A retry fails again until something is changed.
    #[error("the mail server refused: {code}")]
    Refused {
        /// The server's reply code, or our own code if the server was not asked.
        code: String,
    },
    /// The e-mail was certainly not accepted. It may be repeated.
    #[error("the mail server cannot be reached or takes no letters now")]
    Unavailable,
    /// The e-mail may have been accepted. A repeat may arrive as a second copy with the same `Message-ID`.
    #[error("the mail server's answer is unknown")]
    Unknown,
}

/// A service that sends e-mail.
#[async_trait]
pub trait Mail: Send + Sync {
    /// Hands an e-mail over for sending. Success does not mean that it arrives.
    async fn send(&self, letter: &Letter) -> Result<(), MailError>;
}
