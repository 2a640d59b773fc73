//! The key that signs reports.

use std::sync::{Mutex, PoisonError};

use aws_lc_rs::digest;
use aws_lc_rs::encoding::AsDer as _;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::errors::SandboxError;

/// The hash of LiqPay's signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LiqPayHash {
    /// Version 3.
    Sha1,
    /// Version 7.
    Sha3,
}

/// Returns LiqPay's signature of `data`: base64(hash(key ‖ data ‖ key)).
pub(crate) fn liqpay_signature(private_key: &str, data: &str, hash: LiqPayHash) -> String {
    let algorithm = match hash {
        LiqPayHash::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
        LiqPayHash::Sha3 => &digest::SHA3_256,
    };
    let signed = [private_key, data, private_key].concat();
    STANDARD.encode(digest::digest(algorithm, signed.as_bytes()))
}

/// A P-256 key that can be replaced while the sandbox runs.
#[derive(Debug)]
pub(crate) struct SigningKey {
    pair: Mutex<EcdsaKeyPair>,
}

impl SigningKey {
    /// Makes a new key.
    pub(crate) fn generate() -> Result<Self, SandboxError> {
        Ok(Self {
            pair: Mutex::new(new_pair()?),
        })
    }

    /// Reads a key from its PKCS #8 form in base64.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text).ok()?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &bytes).ok()?;
        Some(Self {
            pair: Mutex::new(pair),
        })
    }

    /// Returns the key in PKCS #8 form, in base64.
    pub(crate) fn to_text(&self) -> Result<String, SandboxError> {
        let document = self
            .with(EcdsaKeyPair::to_pkcs8v1)
            .map_err(|_| SandboxError::Key)?;
        Ok(STANDARD.encode(document.as_ref()))
    }

    /// Replaces the key with a new one.
    pub(crate) fn rotate(&self) -> Result<(), SandboxError> {
        let pair = new_pair()?;
        *self.pair.lock().unwrap_or_else(PoisonError::into_inner) = pair;
        Ok(())
    }

    /// Returns the public key as the acquirer publishes it: PEM, in base64.
    pub(crate) fn public_text(&self) -> Result<String, SandboxError> {
        let der = self.with(|pair| pair.public_key().as_der().map(|der| der.as_ref().to_vec()));
        let body = STANDARD.encode(der.map_err(|_| SandboxError::Key)?);
        let mut pem = String::from("-----BEGIN PUBLIC KEY-----\n");
        for line in body.as_bytes().chunks(64) {
            pem.push_str(&String::from_utf8_lossy(line));
            pem.push('\n');
        }
        pem.push_str("-----END PUBLIC KEY-----\n");
        Ok(STANDARD.encode(pem))
    }

    /// Returns the signature of a body: ASN.1 DER in base64.
    pub(crate) fn sign(&self, body: &[u8]) -> Result<String, SandboxError> {
        let signature = self
            .with(|pair| pair.sign(&SystemRandom::new(), body))
            .map_err(|_| SandboxError::Key)?;
        Ok(STANDARD.encode(signature.as_ref()))
    }

    fn with<T>(&self, work: impl FnOnce(&EcdsaKeyPair) -> T) -> T {
        work(&self.pair.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn new_pair() -> Result<EcdsaKeyPair, SandboxError> {
    EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).map_err(|_| SandboxError::Key)
}
