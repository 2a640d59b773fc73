//! Idempotency keys: a request that is sent again with the same key does nothing a second time.

use std::ops::RangeInclusive;

use cabinet_domain::{Key, Money};

use crate::kernel::keys::Digest;
use crate::kernel::refusal::FieldErrors;

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

/// What a request asks for, as a digest: a key that comes with another request is refused.
#[derive(Default)]
pub(crate) struct Fingerprint(blake3::Hasher);

impl Fingerprint {
    /// Adds a text, with its length, so that no two requests run together.
    pub(crate) fn text(&mut self, text: Option<&str>) {
        self.bytes(text.map(str::as_bytes));
    }

    /// Adds a sum.
    pub(crate) fn sum(&mut self, sum: Option<Money>) {
        let bytes = sum.map(|sum| sum.kopiykas().to_le_bytes());
        self.bytes(bytes.as_ref().map(<[u8; 8]>::as_slice));
    }

    /// Adds the names of the fields whose type was wrong.
    pub(crate) fn errors(&mut self, errors: &FieldErrors) {
        for (field, _) in errors.iter() {
            self.text(Some(field));
        }
    }

    /// Returns the digest.
    pub(crate) fn digest(&self) -> Digest {
        *self.0.finalize().as_bytes()
    }

    fn bytes(&mut self, value: Option<&[u8]>) {
        let length = value.map_or(-1, |bytes| bytes.len() as i64);
        self.0.update(&length.to_le_bytes());
        self.0.update(value.unwrap_or_default());
    }
}
