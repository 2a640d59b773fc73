//! What a notary is asked to prove about passkeys.

use cabinet_domain::{PasskeyAct, PasskeyId};

/// What is to be proved about passkeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasskeyToProve {
    /// That one is to be added.
    Add,
    /// That this one is to be removed.
    Remove(PasskeyId),
}

impl PasskeyToProve {
    /// Returns what is done.
    #[must_use]
    pub const fn act(self) -> PasskeyAct {
        match self {
            PasskeyToProve::Add => PasskeyAct::Add,
            PasskeyToProve::Remove(_) => PasskeyAct::Remove,
        }
    }

    /// Returns the passkey that is to be removed.
    #[must_use]
    pub const fn passkey(self) -> Option<PasskeyId> {
        match self {
            PasskeyToProve::Add => None,
            PasskeyToProve::Remove(passkey) => Some(passkey),
        }
    }
}
