//! What authenticators vouch for.

use cabinet_app::attested_passkey;

/// Where the id of a passkey stands: after the hash of the host, flags, counter, make and its length.
const ID_AT: usize = 32 + 1 + 4 + 16 + 2;

/// Id and key are read where they stand, one after the other.
pub fn passkeys(bytes: &[u8]) {
    let Some((id, key)) = attested_passkey(bytes) else {
        return;
    };
    assert!((1..=1023).contains(&id.len()));
    let both = [id, key].concat();
    assert_eq!(bytes.get(ID_AT..ID_AT + both.len()), Some(&both[..]));
}
