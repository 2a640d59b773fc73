//! Signatures of requests and callbacks: base64(hash(private key ‖ data ‖ private key)), where `data` is the base64 text as it is sent.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{Context, Digest, SHA1_FOR_LEGACY_USE_ONLY, SHA3_256};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretString};

/// The hash of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureHash {
    /// SHA-1, of version 3 of the protocol. The key before and after the data keeps it from being forged by known attacks on SHA-1.
    Sha1,
    /// SHA3-256, of version 7.
    Sha3,
}

impl SignatureHash {
    /// Returns the other one.
    const fn other(self) -> Self {
        match self {
            Self::Sha1 => Self::Sha3,
            Self::Sha3 => Self::Sha1,
        }
    }

    /// Returns its word in settings.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha3 => "sha3-256",
        }
    }

    /// Reads a word of the settings.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Sha1, Self::Sha3]
            .into_iter()
            .find(|hash| hash.as_str() == text)
    }
}

/// Returns the signature of data.
pub(super) fn sign(private_key: &SecretString, data: &str, hash: SignatureHash) -> String {
    STANDARD.encode(digest(private_key, data, hash))
}

/// Returns whether a signature is that of the data, compared in constant time. A signature made with the other hash does not fit and is
/// logged: then the settings are wrong.
pub(super) fn fits(
    private_key: &SecretString,
    data: &str,
    signature: &str,
    hash: SignatureHash,
) -> bool {
    let Ok(signature) = STANDARD.decode(signature) else {
        return false;
    };
    let is_by = |hash| {
        verify_slices_are_equal(digest(private_key, data, hash).as_ref(), &signature).is_ok()
    };
    let fits = is_by(hash);
    if !fits && is_by(hash.other()) {
        tracing::error!(
            "LiqPay signs its callbacks with {}, and CABINET_LIQPAY_CALLBACK_HASH names {}: they are refused",
            hash.other().as_str(),
            hash.as_str()
        );
    }
    fits
}

fn digest(private_key: &SecretString, data: &str, hash: SignatureHash) -> Digest {
    let mut context = Context::new(match hash {
        SignatureHash::Sha1 => &SHA1_FOR_LEGACY_USE_ONLY,
        SignatureHash::Sha3 => &SHA3_256,
    });
    context.update(private_key.expose_secret().as_bytes());
    context.update(data.as_bytes());
    context.update(private_key.expose_secret().as_bytes());
    context.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "a4825234f4bae72a0be04eafe9e8e2bada209255";
    /// Data and signature of published examples.
    const VECTORS: [(SignatureHash, &str, &str); 2] = [
        (
            SignatureHash::Sha1,
            "eyJwdWJsaWNfa2V5IjoiaTAwMDAwMDAwIiwidmVyc2lvbiI6IjMiLCJhY3Rpb24iOiJwYXkiLCJhbW91bnQiOiIzIiwiY3VycmVuY3kiOiJVQUgiLCJkZXNjcmlwdGlvbiI6InRlc3QiLCJvcmRlcl9pZCI6IjAwMDAwMSJ9",
            "wR+UZDC4jjeL/qUOvIsofIWpZh8=",
        ),
        (
            SignatureHash::Sha3,
            "eyJwdWJsaWNfa2V5IjoiaTAwMDAwMDAwIiwidmVyc2lvbiI6NywiYWN0aW9uIjoicGF5IiwiYW1vdW50IjoiMyIsImN1cnJlbmN5IjoiVUFIIiwiZGVzY3JpcHRpb24iOiJ0ZXN0Iiwib3JkZXJfaWQiOiIwMDAwMDEifQ==",
            "0adgJ8F2Ds5HCVkcz4AlmdLMRoIJf7IxsL3QmeFRz/s=",
        ),
    ];

    #[test]
    fn published_examples_are_signed_as_published() {
        let key = SecretString::from(KEY);
        for (hash, data, signature) in VECTORS {
            assert_eq!(sign(&key, data, hash), signature);
            assert!(fits(&key, data, signature, hash));
        }
    }

    #[test]
    fn another_key_hash_or_text_does_not_fit() {
        let key = SecretString::from(KEY);
        for (hash, data, signature) in VECTORS {
            assert!(!fits(&SecretString::from("another"), data, signature, hash));
            assert!(!fits(&key, data, signature, hash.other()));
            assert!(!fits(&key, &data.replacen('e', "f", 1), signature, hash));
            assert!(!fits(&key, data, &signature[1..], hash));
            assert!(!fits(&key, data, "", hash));
        }
    }
}
