//! What the authenticator vouches for (W3C Web Authentication Level 3, section 6.1): a hash of the host, flags, a counter and, at a
//! registration, the passkey with its key.

use super::error::WebAuthnError;
use super::parts::{check_length, sha256};
use super::public_key::key_length;
use super::relying_party::RelyingParty;

const USER_PRESENT: u8 = 1;
const USER_VERIFIED: u8 = 1 << 2;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const BACKED_UP: u8 = 1 << 4;
const ATTESTED: u8 = 1 << 6;
const EXTENSIONS: u8 = 1 << 7;

/// The longest id of a passkey, in bytes (section 4, "Credential ID").
const CREDENTIAL_ID_BYTES_MAX: usize = 1023;

/// What the authenticator vouches for.
pub(super) struct AuthenticatorData<'a> {
    party_hash: [u8; 32],
    is_user_present: bool,
    is_user_verified: bool,
    pub(super) is_backup_eligible: bool,
    pub(super) is_backed_up: bool,
    pub(super) sign_count: u32,
    pub(super) attested: Option<Attested<'a>>,
}

/// A passkey that was just made.
pub(super) struct Attested<'a> {
    pub(super) credential_id: &'a [u8],
    /// COSE.
    pub(super) public_key: &'a [u8],
}

impl<'a> AuthenticatorData<'a> {
    /// Reads all of it. Extensions at its end are not asked for, and not read.
    pub(super) fn read(bytes: &'a [u8]) -> Result<AuthenticatorData<'a>, WebAuthnError> {
        check_length(bytes)?;
        let mut rest = bytes;
        let party_hash = *array::<32>(&mut rest)?;
        let [flags] = *array::<1>(&mut rest)?;
        let sign_count = u32::from_be_bytes(*array::<4>(&mut rest)?);
        let has = |flag: u8| flags & flag != 0;
        let attested = if has(ATTESTED) {
            Some(Attested::read(&mut rest)?)
        } else {
            None
        };
        if has(EXTENSIONS) == rest.is_empty() {
            return Err(WebAuthnError::Malformed);
        }
        // What can't be copied was not copied.
        if has(BACKED_UP) && !has(BACKUP_ELIGIBLE) {
            return Err(WebAuthnError::Malformed);
        }
        Ok(AuthenticatorData {
            party_hash,
            is_user_present: has(USER_PRESENT),
            is_user_verified: has(USER_VERIFIED),
            is_backup_eligible: has(BACKUP_ELIGIBLE),
            is_backed_up: has(BACKED_UP),
            sign_count,
            attested,
        })
    }

    /// Checks for whom it was made, and that the user was there and was verified.
    pub(super) fn check(&self, party: &RelyingParty) -> Result<(), WebAuthnError> {
        if self.party_hash != sha256(party.id.as_bytes()) {
            return Err(WebAuthnError::RelyingParty);
        }
        if !self.is_user_present {
            return Err(WebAuthnError::UserPresence);
        }
        if !self.is_user_verified {
            return Err(WebAuthnError::UserVerification);
        }
        Ok(())
    }
}

impl<'a> Attested<'a> {
    fn read(rest: &mut &'a [u8]) -> Result<Attested<'a>, WebAuthnError> {
        // The make of the authenticator, which nothing vouches for.
        array::<16>(rest)?;
        let length = usize::from(u16::from_be_bytes(*array::<2>(rest)?));
        if length == 0 || length > CREDENTIAL_ID_BYTES_MAX {
            return Err(WebAuthnError::Malformed);
        }
        let credential_id = take(rest, length)?;
        let length = key_length(rest)?;
        let public_key = take(rest, length)?;
        Ok(Attested {
            credential_id,
            public_key,
        })
    }
}

fn array<'a, const N: usize>(rest: &mut &'a [u8]) -> Result<&'a [u8; N], WebAuthnError> {
    let (first, after) = rest
        .split_first_chunk::<N>()
        .ok_or(WebAuthnError::Malformed)?;
    *rest = after;
    Ok(first)
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], WebAuthnError> {
    let (first, after) = rest
        .split_at_checked(length)
        .ok_or(WebAuthnError::Malformed)?;
    *rest = after;
    Ok(first)
}
