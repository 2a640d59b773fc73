//! Letters, chiefly to the support.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;

/// A letter of plain text. Whom it goes to and what it says are not shown by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Letter {
    /// Names the letter, and is the same at each try: it becomes the `Message-ID`, by which mailboxes know a letter that comes
    /// a second time. Letters, digits and hyphens only.
    pub id: String,
    /// The receiver's address, without a name.
    pub to: String,
    /// The subject, one line.
    pub subject: String,
    /// The text, with line feeds.
    pub text: String,
    /// When it was written, for its `Date`; it may leave later.
    pub written_at: Timestamp,
}

impl fmt::Debug for Letter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Letter({})", self.id)
    }
}

/// Why a letter was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// A definite no: the address, the letter or our account is not taken. A repeat helps only after somebody changed something.
    #[error("the mail server refused: {code}")]
    Refused {
        /// The server's reply code, or a word of our own where the letter did not get as far.
        code: String,
    },
    /// The letter was certainly not taken. It may be repeated.
    #[error("the mail server cannot be reached or takes no letters now")]
    Unavailable,
    /// The letter may have been taken. A repeat may arrive as a second copy with the same `Message-ID`.
    #[error("the mail server's answer is unknown")]
    Unknown,
}

/// A service that sends letters.
#[async_trait]
pub trait Mail: Send + Sync {
    /// Hands a letter over for sending. That it was taken does not mean that it arrived.
    async fn send(&self, letter: &Letter) -> Result<(), MailError>;
}
