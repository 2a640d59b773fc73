//! The two answers of an authenticator, and what is verified of them.

use super::authenticator_data::AuthenticatorData;
use super::client_data::check_client_data;
use super::error::WebAuthnError;
use super::parts::sha256;
use super::public_key::PublicKey;
use super::relying_party::RelyingParty;

/// The answer to a request for a new passkey.
#[derive(Clone, Debug)]
pub(crate) struct Registration {
    /// The id of the passkey, as the browser tells it.
    pub(crate) credential_id: Vec<u8>,
    /// What the browser vouches for, as it hashed it.
    pub(crate) client_data: Vec<u8>,
    /// What the authenticator vouches for.
    pub(crate) authenticator_data: Vec<u8>,
}

/// A passkey that was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Registered {
    /// Its public key, in the authenticator's own form (COSE).
    pub(crate) public_key: Vec<u8>,
    /// Its counter, which is 0 where it has none.
    pub(crate) sign_count: u32,
    /// Whether it may be copied to other devices of its owner.
    pub(crate) is_backup_eligible: bool,
    /// Whether it was.
    pub(crate) is_backed_up: bool,
}

impl Registration {
    /// Verifies it. The key is taken from what the authenticator vouches for, never from what the browser tells beside it.
    ///
    /// # Errors
    /// Everything but `Signature` and `Counter`.
    pub(crate) fn verify(
        &self,
        party: &RelyingParty,
        challenge: &[u8],
    ) -> Result<Registered, WebAuthnError> {
        check_client_data(&self.client_data, "webauthn.create", party, challenge)?;
        let data = AuthenticatorData::read(&self.authenticator_data)?;
        data.check(party)?;
        let attested = data.attested.ok_or(WebAuthnError::Malformed)?;
        if attested.credential_id != self.credential_id {
            return Err(WebAuthnError::Credential);
        }
        PublicKey::read(attested.public_key)?;
        Ok(Registered {
            public_key: attested.public_key.to_vec(),
            sign_count: data.sign_count,
            is_backup_eligible: data.is_backup_eligible,
            is_backed_up: data.is_backed_up,
        })
    }
}

/// The answer to a request to sign by a passkey.
#[derive(Clone, Debug)]
pub(crate) struct Assertion {
    /// What the browser vouches for, as it hashed it.
    pub(crate) client_data: Vec<u8>,
    /// What the authenticator vouches for.
    pub(crate) authenticator_data: Vec<u8>,
    /// The signature over both.
    pub(crate) signature: Vec<u8>,
}

/// What an assertion tells of its passkey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asserted {
    /// Its counter after it, which is 0 where it has none.
    pub(crate) sign_count: u32,
    /// Whether it was copied to other devices of its owner.
    pub(crate) is_backed_up: bool,
}

impl Assertion {
    /// Verifies it by the key of its passkey. The caller compares the counter with [`check_counter`] where it stores it.
    ///
    /// # Errors
    /// Everything but `Credential` and `Counter`.
    pub(crate) fn verify(
        &self,
        party: &RelyingParty,
        challenge: &[u8],
        public_key: &[u8],
    ) -> Result<Asserted, WebAuthnError> {
        check_client_data(&self.client_data, "webauthn.get", party, challenge)?;
        let data = AuthenticatorData::read(&self.authenticator_data)?;
        data.check(party)?;
        let key = PublicKey::read(public_key)?;
        let mut signed = self.authenticator_data.clone();
        signed.extend_from_slice(&sha256(&self.client_data));
        key.verify(&signed, &self.signature)?;
        Ok(Asserted {
            sign_count: data.sign_count,
            is_backed_up: data.is_backed_up,
        })
    }
}

/// Compares the counter of an assertion with the one before it. Passkeys that are kept on several devices have none: it stays 0.
///
/// # Errors
/// `Counter`: it did not grow.
pub(crate) fn check_counter(before: u32, now: u32) -> Result<(), WebAuthnError> {
    if now > before || (before == 0 && now == 0) {
        Ok(())
    } else {
        Err(WebAuthnError::Counter)
    }
}

/// Returns the id and the key of the passkey that an authenticator vouches for; `None`: it vouches for none. Whose it is is not checked.
#[must_use]
pub fn attested_passkey(authenticator_data: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let data = AuthenticatorData::read(authenticator_data).ok()?;
    let attested = data.attested?;
    PublicKey::read(attested.public_key).ok()?;
    Some((
        attested.credential_id.to_vec(),
        attested.public_key.to_vec(),
    ))
}
