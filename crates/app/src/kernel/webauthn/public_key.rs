//! Public keys in the authenticators' own form: COSE (RFC 9052, RFC 9053), which is a map in CBOR (RFC 8949) with small numbers as its keys.

use std::collections::BTreeMap;

use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};

use super::error::WebAuthnError;

const EDDSA: i64 = -8;
const ES256: i64 = -7;
const RS256: i64 = -257;
/// The kinds of keys that are asked for, the preferred first, by their numbers (IANA, "COSE Algorithms").
pub(crate) const ALGORITHMS: [i64; 3] = [EDDSA, ES256, RS256];

/// Labels of a key: its type, its algorithm, and what the type adds.
const TYPE: i64 = 1;
const ALGORITHM: i64 = 3;
const TYPE_OKP: i64 = 1;
const TYPE_EC2: i64 = 2;
const TYPE_RSA: i64 = 3;
const CURVE: i64 = -1;
const CURVE_P256: i64 = 1;
const CURVE_ED25519: i64 = 6;
const X: i64 = -2;
const Y: i64 = -3;
const RSA_N: i64 = -1;
const RSA_E: i64 = -2;

/// A key has five members at most.
const MEMBERS_MAX: u64 = 5;

/// The public key of a passkey.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PublicKey {
    /// A point of the curve P-256, uncompressed.
    Es256([u8; 65]),
    /// A point of the curve Ed25519.
    EdDsa([u8; 32]),
    /// Modulus and exponent.
    Rs256 {
        /// The modulus.
        n: Vec<u8>,
        /// The exponent.
        e: Vec<u8>,
    },
}

impl PublicKey {
    /// Reads a whole key.
    ///
    /// # Errors
    /// `Malformed`; `Key` where it is of another kind than [`ALGORITHMS`].
    pub(crate) fn read(bytes: &[u8]) -> Result<PublicKey, WebAuthnError> {
        let (members, rest) = read_map(bytes)?;
        if !rest.is_empty() {
            return Err(WebAuthnError::Malformed);
        }
        let number = |label: i64| match members.get(&label) {
            Some(Member::Number(number)) => Ok(*number),
            _ => Err(WebAuthnError::Key),
        };
        let text = |label: i64| match members.get(&label) {
            Some(Member::Bytes(bytes)) => Ok(*bytes),
            _ => Err(WebAuthnError::Key),
        };
        match (number(TYPE)?, number(ALGORITHM)?) {
            (TYPE_EC2, ES256) if number(CURVE)? == CURVE_P256 => {
                let (x, y): (&[u8; 32], &[u8; 32]) = (array(text(X)?)?, array(text(Y)?)?);
                let mut point = [4; 65];
                let coordinates = x.iter().chain(y);
                point
                    .iter_mut()
                    .skip(1)
                    .zip(coordinates)
                    .for_each(|(to, from)| *to = *from);
                Ok(PublicKey::Es256(point))
            }
            (TYPE_OKP, EDDSA) if number(CURVE)? == CURVE_ED25519 => {
                Ok(PublicKey::EdDsa(*array(text(X)?)?))
            }
            (TYPE_RSA, RS256) => Ok(PublicKey::Rs256 {
                n: text(RSA_N)?.to_vec(),
                e: text(RSA_E)?.to_vec(),
            }),
            _ => Err(WebAuthnError::Key),
        }
    }

    /// Verifies a signature of the key.
    ///
    /// # Errors
    /// `Signature`, also where the key is none: a point beside the curve, a modulus that is too short.
    pub(crate) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), WebAuthnError> {
        let verified = match self {
            PublicKey::Es256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature)
            }
            PublicKey::EdDsa(point) => {
                UnparsedPublicKey::new(&ED25519, point).verify(message, signature)
            }
            PublicKey::Rs256 { n, e } => RsaPublicKeyComponents { n, e }.verify(
                &RSA_PKCS1_2048_8192_SHA256,
                message,
                signature,
            ),
        };
        verified.map_err(|_| WebAuthnError::Signature)
    }
}

/// Returns the length of the key at the beginning of these bytes.
pub(super) fn key_length(bytes: &[u8]) -> Result<usize, WebAuthnError> {
    let (_, rest) = read_map(bytes)?;
    Ok(bytes.len() - rest.len())
}

/// A member of a key.
enum Member<'a> {
    Number(i64),
    Bytes(&'a [u8]),
}

type Members<'a> = BTreeMap<i64, Member<'a>>;

/// Reads a map of definite length from numbers to numbers and byte strings: no key has anything else. Returns what follows it.
fn read_map(bytes: &[u8]) -> Result<(Members<'_>, &[u8]), WebAuthnError> {
    let (Head::Map(count), mut rest) = read_head(bytes)? else {
        return Err(WebAuthnError::Malformed);
    };
    if count > MEMBERS_MAX {
        return Err(WebAuthnError::Key);
    }
    let mut members = Members::new();
    for _ in 0..count {
        let (Head::Number(label), after) = read_head(rest)? else {
            return Err(WebAuthnError::Malformed);
        };
        let (member, after) = match read_head(after)? {
            (Head::Number(number), after) => (Member::Number(number), after),
            (Head::Bytes(length), after) => {
                let length = usize::try_from(length).map_err(|_| WebAuthnError::Malformed)?;
                let (text, after) = after
                    .split_at_checked(length)
                    .ok_or(WebAuthnError::Malformed)?;
                (Member::Bytes(text), after)
            }
            (Head::Map(_), _) => return Err(WebAuthnError::Malformed),
        };
        if members.insert(label, member).is_some() {
            return Err(WebAuthnError::Malformed);
        }
        rest = after;
    }
    Ok((members, rest))
}

/// The head of a value: its kind, and its number or length.
enum Head {
    Number(i64),
    Bytes(u64),
    Map(u64),
}

fn read_head(bytes: &[u8]) -> Result<(Head, &[u8]), WebAuthnError> {
    let (first, rest) = bytes.split_first().ok_or(WebAuthnError::Malformed)?;
    let (argument, rest) = match first & 0b1_1111 {
        small @ 0..24 => (u64::from(small), rest),
        24 => {
            let (more, rest) = rest.split_first().ok_or(WebAuthnError::Malformed)?;
            (u64::from(*more), rest)
        }
        25 => {
            let (more, rest) = rest
                .split_first_chunk::<2>()
                .ok_or(WebAuthnError::Malformed)?;
            (u64::from(u16::from_be_bytes(*more)), rest)
        }
        // No label is so large, no member so long.
        _ => return Err(WebAuthnError::Malformed),
    };
    let number = i64::try_from(argument).map_err(|_| WebAuthnError::Malformed)?;
    let head = match first >> 5 {
        0 => Head::Number(number),
        1 => Head::Number(-1 - number),
        2 => Head::Bytes(argument),
        5 => Head::Map(argument),
        _ => return Err(WebAuthnError::Malformed),
    };
    Ok((head, rest))
}

fn array<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], WebAuthnError> {
    bytes.try_into().map_err(|_| WebAuthnError::Key)
}
