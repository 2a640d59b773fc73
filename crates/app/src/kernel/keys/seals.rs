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
    /// With what names the secret before.
    pub(super) previous: Option<(KeyId, Digest)>,
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
        is_sealed(&self.current, facts, stored) || self.is_of_previous(facts, stored)
    }

    /// Returns whether a stored seal is that of these facts by the secret before the last rotation.
    pub(crate) fn is_of_previous(&self, facts: &SealedFacts<'_>, stored: &Digest) -> bool {
        let previous = self.previous.as_ref();
        previous.is_some_and(|(_, key)| is_sealed(key, facts, stored))
    }

    /// Whether there is a secret from before a rotation, under which transfers may be sealed.
    pub(crate) const fn has_previous(&self) -> bool {
        self.previous.is_some()
    }

    /// Whether one of the secrets has this name.
    pub(crate) fn has(&self, id: &str) -> bool {
        let previous = self.previous.as_ref().map(|(id, _)| id);
        [Some(&self.id), previous]
            .into_iter()
            .flatten()
            .any(|known| known.as_str() == id)
    }
}

/// Compares in constant time.
fn is_sealed(key: &Digest, facts: &SealedFacts<'_>, stored: &Digest) -> bool {
    sealed(key, facts) == blake3::Hash::from_bytes(*stored)
}

fn sealed(key: &Digest, facts: &SealedFacts<'_>) -> blake3::Hash {
    blake3::keyed_hash(key, &facts.bytes())
}
