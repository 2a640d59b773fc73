//! Keys that name an intent, so that a request that is sent again does nothing a second time.

use std::ops::RangeInclusive;

use cabinet_domain::Key;

/// Keys are the client's own text; long enough for a UUID, short enough for an index.
const CHARS: RangeInclusive<usize> = 8..=100;

/// The key of a request.
///
/// # Errors
/// `idempotency_key_invalid` where it is none.
pub fn read_key(text: &str) -> Result<&str, Key> {
    if CHARS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(text)
    } else {
        Err(Key::IdempotencyKeyInvalid)
    }
}
