//! What all acts on passkeys share.

use cabinet_domain::{Key, Line, NotaryId, Passkey, kyiv_time};
use cabinet_storage::account::passkeys;
use cabinet_storage::{StorageError, Tx};

use super::super::Accounts;
use super::challenge::{ChallengeUse, ValidChallenge};
use crate::kernel::ids::UnitContext;
use crate::kernel::notifier::Notifier;
use crate::kernel::refusal::{FieldErrors, Refusal, Result};
use crate::kernel::texts::{self, PasskeyChange};
use crate::kernel::webauthn::{Asserted, Assertion, RelyingParty, WebAuthnError, challenge_of};

/// The word of passkeys in the audit trail. It is no step of an account: every notary has it beside her own.
pub(super) const PASSKEY_STEP: &str = "passkey";

/// The user handle of a notary.
pub(super) fn user_handle(notary: NotaryId) -> Vec<u8> {
    notary.uuid().as_bytes().to_vec()
}

/// The browser's answer to the request to sign by a passkey, decoded.
pub struct PasskeyAnswer {
    /// The id that the authenticator gave the passkey.
    pub credential_id: Vec<u8>,
    /// `clientDataJSON`.
    pub client_data: Vec<u8>,
    /// `authenticatorData`.
    pub authenticator_data: Vec<u8>,
    /// The signature.
    pub signature: Vec<u8>,
    /// Whose passkey it is. Empty where the authenticator does not tell: it need not if it was asked for this passkey.
    pub user_handle: Vec<u8>,
}

/// An answer whose signature is right.
pub(super) struct Signed {
    /// The passkey, as it was before.
    pub(super) passkey: Passkey,
    /// What was signed.
    pub(super) challenge: ValidChallenge,
    /// What the authenticator tells.
    pub(super) asserted: Asserted,
}

impl Signed {
    /// Uses the answer up. Returns the passkey as it is now, locked.
    pub(super) fn use_up(
        &self,
        tx: &mut Tx,
    ) -> Result<Result<Passkey, WebAuthnError>, StorageError> {
        if !self.challenge.use_once(tx)? {
            return Ok(Err(WebAuthnError::Challenge));
        }
        // It may have been removed or used meanwhile.
        let known = passkeys::by_credential(tx, &self.passkey.credential_id)?;
        let known = known.filter(|known| known.id == self.passkey.id);
        Ok(known.ok_or(WebAuthnError::Credential))
    }
}

impl Accounts {
    /// Returns for whom authenticators answer.
    pub(super) fn relying_party(&self) -> RelyingParty {
        RelyingParty::of(&self.public_url)
    }

    /// Verifies an answer before anything is locked or written, so strangers cause neither. `owner`: whose passkey it must be; `None`: the
    /// answer says whose it is.
    pub(super) async fn verified(
        &self,
        answer: Option<PasskeyAnswer>,
        of: ChallengeUse,
        owner: Option<NotaryId>,
    ) -> Result<Result<Signed, WebAuthnError>, StorageError> {
        let Some(answer) = answer else {
            return Ok(Err(WebAuthnError::Malformed));
        };
        let credential = answer.credential_id.clone();
        let read = move |tx: &mut Tx| passkeys::by_credential(tx, &credential);
        let found = self.store.read(read).await?;
        Ok(self.verify(answer, of, (found, owner)))
    }

    fn verify(
        &self,
        answer: PasskeyAnswer,
        of: ChallengeUse,
        (found, owner): (Option<Passkey>, Option<NotaryId>),
    ) -> Result<Signed, WebAuthnError> {
        let challenge = challenge_of(&answer.client_data)?;
        let valid = ValidChallenge::read(&self.codes.keys, &challenge, of, self.clock.now())
            .ok_or(WebAuthnError::Challenge)?;
        let passkey = found.ok_or(WebAuthnError::Credential)?;
        let is_told = answer.user_handle == user_handle(passkey.notary_id);
        let is_owners = match owner {
            None => is_told,
            Some(owner) => passkey.notary_id == owner && (is_told || answer.user_handle.is_empty()),
        };
        if !is_owners {
            return Err(WebAuthnError::Credential);
        }
        let assertion = Assertion {
            client_data: answer.client_data,
            authenticator_data: answer.authenticator_data,
            signature: answer.signature,
        };
        let asserted = assertion.verify(&self.relying_party(), &challenge, &passkey.public_key)?;
        Ok(Signed {
            passkey,
            challenge: valid,
            asserted,
        })
    }
}

/// Tells the notary what became of her passkeys, at every contact.
pub(super) fn tell_all(
    tx: &mut Tx,
    unit: &mut UnitContext,
    notary: NotaryId,
    change: PasskeyChange,
    notifier: &Notifier,
) -> Result<()> {
    let notice = texts::changed_passkeys(change, &kyiv_time(unit.now), notifier.support_phone());
    Ok(notifier.tell_everywhere(tx, unit, notary, &notice)?)
}

pub(super) fn read_label(text: Option<&str>, errors: &mut FieldErrors) -> Option<Line> {
    errors.refuse_card("label", text);
    if errors.has("label") {
        return None;
    }
    let label = Line::parse(text.unwrap_or_default(), Passkey::LABEL_CHARS_MAX);
    errors.take(
        "label",
        label.map_err(|error| error.key(Key::FieldRequired)),
    )
}

pub(super) fn unknown_passkey() -> Refusal {
    Refusal::not_found(Key::PasskeyUnknown)
}
