//! Browsers that have signed a notary in.

use jiff::Timestamp;

use crate::{Browser, DeviceId, NotaryId};

/// A browser that has signed a notary in. It carries a cookie with a random token, whose hash is stored with the notary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// The id.
    pub id: DeviceId,
    /// The notary.
    pub notary_id: NotaryId,
    /// Hash of the cookie's token.
    pub token_hash: [u8; 32],
    /// Its name, as it was told at the last entry.
    pub browser: Option<Browser>,
    /// When it first signed this notary in.
    pub first_entered_at: Timestamp,
    /// When it last signed this notary in.
    pub last_entered_at: Timestamp,
}
