//! Idempotency keys: a request that is sent again with the same key does nothing a second time.

use std::ops::RangeInclusive;

use cabinet_domain::Key;

/// Length of a key in characters. A UUID fits.
const CHARS: RangeInclusive<usize> = 8..=100;

/// Reads a key and returns its hash. Only the hash is stored.
///
/// # Errors
/// `idempotency_key_invalid`.
pub(crate) fn read_key(text: &str) -> Result<blake3::Hash, Key> {
    if CHARS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(blake3::hash(text.as_bytes()))
    } else {
        Err(Key::IdempotencyKeyInvalid)
    }
}
