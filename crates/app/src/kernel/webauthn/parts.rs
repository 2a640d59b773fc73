//! What the parts of an answer have in common.

use super::error::WebAuthnError;

/// The longest part of an answer that is read, in bytes. Answers have some hundreds; a key of RSA makes up most.
pub(super) const PART_BYTES_MAX: usize = 8 * 1024;

/// Returns the digest that authenticators use.
pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes);
    let mut array = [0; 32];
    array
        .iter_mut()
        .zip(digest.as_ref())
        .for_each(|(to, from)| *to = *from);
    array
}

/// Refuses a part of an answer that is longer than any authenticator makes it.
pub(super) fn check_length(part: &[u8]) -> Result<(), WebAuthnError> {
    if part.len() > PART_BYTES_MAX {
        return Err(WebAuthnError::Malformed);
    }
    Ok(())
}
