//! Passkeys: keys by which a notary enters, and proves payments, without a code.

use std::fmt;

use jiff::Timestamp;

use crate::kernel::words::words;
use crate::{Line, NotaryId, PasskeyId};

words! {
    /// What is done with a passkey and needs a proof: a session alone does neither.
    PasskeyAct {
        /// Adding one.
        Add = "add",
        /// Removing one.
        Remove = "remove",
    }
}

/// A passkey of a notary.
#[derive(Clone, PartialEq, Eq)]
pub struct Passkey {
    /// The id.
    pub id: PasskeyId,
    /// The notary.
    pub notary_id: NotaryId,
    /// What the notary calls it.
    pub label: Line,
    /// The id that the authenticator gave it.
    pub credential_id: Vec<u8>,
    /// Its public key (COSE).
    pub public_key: Vec<u8>,
    /// Its counter at the last use; 0 where it has none.
    pub sign_count: u32,
    /// Whether it may be copied to other devices of its owner.
    pub is_backup_eligible: bool,
    /// Whether it was, at the last use.
    pub is_backed_up: bool,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it last signed its notary in, or proved what she wants.
    pub last_used_at: Option<Timestamp>,
}

impl Passkey {
    /// The most characters of a label.
    pub const LABEL_CHARS_MAX: usize = 60;
    /// The most passkeys of a notary.
    pub const OF_NOTARY_MAX: usize = 10;
}

/// Shows neither label nor key.
impl fmt::Debug for Passkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passkey")
            .field("id", &self.id)
            .field("notary_id", &self.notary_id)
            .finish_non_exhaustive()
    }
}
