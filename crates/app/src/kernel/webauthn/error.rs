//! Why an answer is refused.

use std::fmt;

/// Why an answer is refused. The words are for the log: they tell nothing of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WebAuthnError {
    /// It does not have the form of an answer.
    Malformed,
    /// It answers something else: an assertion in the place of a registration, or the other way round.
    Type,
    /// It answers another challenge.
    Challenge,
    /// It was given to a page of another origin.
    Origin,
    /// It was given to a frame in a page of another origin.
    CrossOrigin,
    /// The passkey belongs to another host.
    RelyingParty,
    /// Nobody was there.
    UserPresence,
    /// The authenticator has not verified who was there.
    UserVerification,
    /// The answer and the authenticator name different passkeys.
    Credential,
    /// The key is of another kind than those that are asked for.
    Key,
    /// The signature is not the key's.
    Signature,
    /// The counter did not grow: there may be a copy of the passkey.
    Counter,
}

impl WebAuthnError {
    const fn word(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Type => "type",
            Self::Challenge => "challenge",
            Self::Origin => "origin",
            Self::CrossOrigin => "cross-origin frame",
            Self::RelyingParty => "relying party",
            Self::UserPresence => "user presence",
            Self::UserVerification => "user verification",
            Self::Credential => "credential",
            Self::Key => "key",
            Self::Signature => "signature",
            Self::Counter => "counter",
        }
    }
}

impl fmt::Display for WebAuthnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
