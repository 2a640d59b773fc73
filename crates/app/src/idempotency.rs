//! Keys that name an intent, so that a request that is sent again does nothing a second time.

use std::ops::RangeInclusive;

use cabinet_domain::Key;

/// Keys are the client's own text; long enough for a UUID.
const CHARS: RangeInclusive<usize> = 8..=100;

/// Reads the key of a request and returns its hash. The key itself is never stored, so it does not matter what stands in it.
///
/// # Errors
/// `idempotency_key_invalid` where it is none.
pub(crate) fn read_key(text: &str) -> Result<blake3::Hash, Key> {
    if CHARS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(blake3::hash(text.as_bytes()))
    } else {
        Err(Key::IdempotencyKeyInvalid)
    }
}
