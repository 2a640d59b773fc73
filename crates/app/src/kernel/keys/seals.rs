//! The keys that seal transfers.

use std::fmt;

use cabinet_domain::SealedFacts;

use super::{Digest, KeyId};

/// The keys that seal transfers: that of the present secret, and of the one before. An earlier one may have leaked, so it seals nothing.
#[derive(Clone)]
pub struct SealKeys {
    /// Names the present secret.
    pub(crate) id: KeyId,
    pub(super) current: Digest,
    pub(super) previous: Option<Digest>,
}

impl fmt::Debug for SealKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SealKeys")
    }
}

impl SealKeys {
    /// Returns the seal of these facts.
    pub(crate) fn seal(&self, facts: &SealedFacts<'_>) -> Digest {
        *sealed(&self.current, facts).as_bytes()
    }

    /// Returns whether a stored seal is that of these facts, also by the secret before the last rotation.
    pub(crate) fn fits(&self, facts: &SealedFacts<'_>, stored: &Digest) -> bool {
        let keys = [Some(&self.current), self.previous.as_ref()];
        // Hashes are compared in constant time.
        let stored = blake3::Hash::from_bytes(*stored);
        keys.into_iter()
            .flatten()
            .any(|key| sealed(key, facts) == stored)
    }

    /// Whether there is a secret from before a rotation, under which transfers may be sealed.
    pub(crate) const fn has_previous(&self) -> bool {
        self.previous.is_some()
    }
}

fn sealed(key: &Digest, facts: &SealedFacts<'_>) -> blake3::Hash {
    blake3::keyed_hash(key, &facts.bytes())
}
