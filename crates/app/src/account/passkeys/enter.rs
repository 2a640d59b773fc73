//! Signing in by a passkey. Whoever asks needs no telephone number: the passkey names the account. So no limit of codes, messages or calls
//! stands in the way of its owner, and nothing that a stranger does uses it up (decision 68).

use cabinet_domain::{Actor, AuditAction, AuditObject, AuditValue, Key, NotaryId};
use cabinet_storage::account::{notaries, passkeys};
use cabinet_storage::{StorageError, Tx};
use jiff::SignedDuration;

use super::super::Accounts;
use super::super::account_confirmation::blocked;
use super::super::entrance::By;
use super::super::sessions::{Entered, OpenedSession};
use super::super::visitor::Visitor;
use super::add::user_handle;
use super::challenge::{CHALLENGE_LIFETIME, ChallengeUse, ValidChallenge, new_challenge};
use crate::audit::AuditEntry;
use crate::kernel::refusal::{Refusal, RefusalKind, Result};
use crate::kernel::webauthn::{Assertion, WebAuthnError, challenge_of, check_counter};

/// The word of this way in the audit trail. It is no step of an account: every notary has it beside her own.
pub(super) const PASSKEY_STEP: &str = "passkey";

/// What the browser is asked for, to sign in.
#[derive(Debug)]
pub struct PasskeyLoginOptions {
    /// What the authenticator signs.
    pub challenge: Vec<u8>,
    /// The host to which the passkeys belong.
    pub party_id: String,
    /// How long the browser waits.
    pub timeout: SignedDuration,
}

/// The browser's answer, decoded.
pub struct PasskeyLogin {
    /// The id that the authenticator gave the passkey.
    pub credential_id: Vec<u8>,
    /// `clientDataJSON`.
    pub client_data: Vec<u8>,
    /// `authenticatorData`.
    pub authenticator_data: Vec<u8>,
    /// The signature.
    pub signature: Vec<u8>,
    /// Whose passkey it is.
    pub user_handle: Vec<u8>,
}

impl Accounts {
    /// `POST /auth/login/passkey/options`: returns what the browser is asked for, to sign in. Stores nothing.
    #[must_use]
    pub fn passkey_login_options(&self) -> PasskeyLoginOptions {
        let (keys, randomness) = (&self.codes.keys, self.ids.randomness.as_ref());
        let now = self.clock.now();
        PasskeyLoginOptions {
            challenge: new_challenge(keys, randomness, ChallengeUse::Login, now),
            party_id: self.relying_party().id,
            timeout: CHALLENGE_LIFETIME,
        }
    }

    /// `POST /auth/login/passkey`: signs in by a passkey. A device that she has not used before is told to the notary, as with a code. The
    /// session is confirmed for nothing.
    ///
    /// # Errors
    /// `passkey_refused`, `user_not_agreed_with_new_terms`, `account_blocked`.
    pub async fn enter_by_passkey(
        &self,
        answer: Option<PasskeyLogin>,
        visitor: &Visitor,
    ) -> Result<OpenedSession> {
        let answer = answer.ok_or_else(|| refused(WebAuthnError::Malformed))?;
        let challenge = challenge_of(&answer.client_data).map_err(refused)?;
        let (keys, now) = (&self.codes.keys, self.clock.now());
        let valid = ValidChallenge::read(keys, &challenge, ChallengeUse::Login, now)
            .ok_or_else(|| refused(WebAuthnError::Challenge))?;
        let credential = answer.credential_id.clone();
        // The signature is verified before anything is locked or written, so strangers cause neither.
        let read = move |tx: &mut Tx| passkeys::by_credential(tx, &credential);
        let found = self.store.read(read).await?;
        let passkey = found.ok_or_else(|| refused(WebAuthnError::Credential))?;
        if answer.user_handle != user_handle(passkey.notary_id) {
            return Err(refused(WebAuthnError::Credential).into());
        }
        let assertion = Assertion {
            client_data: answer.client_data,
            authenticator_data: answer.authenticator_data,
            signature: answer.signature,
        };
        let asserted = assertion
            .verify(&self.relying_party(), &challenge, &passkey.public_key)
            .map_err(refused)?;
        let session = self.new_session(visitor);
        let (opened, entrance, unit) = (session.clone(), self.entrance(), self.ids.unit());
        let credential = answer.credential_id;
        let write =
            move |tx: &mut Tx| -> Result<Result<(NotaryId, Entered), Refusal>, StorageError> {
                if !valid.use_once(tx)? {
                    return Ok(Err(refused(WebAuthnError::Challenge)));
                }
                // It may have been removed or used meanwhile.
                let Some(known) = passkeys::by_credential(tx, &credential)? else {
                    return Ok(Err(refused(WebAuthnError::Credential)));
                };
                let notary = known.notary_id;
                if let Err(error) = check_counter(known.sign_count, asserted.sign_count) {
                    let origin = session.visitor().origin(Actor::Stranger);
                    AuditEntry::new(AuditAction::EntryFailed)
                        .of_notary(notary)
                        .on(AuditObject::Passkey(known.id))
                        .with("login_step", AuditValue::word(PASSKEY_STEP))
                        .record(tx, &mut unit.clone(), &origin)?;
                    return Ok(Err(refused(error)));
                }
                if let Some(refusal) = not_admitted(tx, notary)? {
                    return Ok(Err(refusal));
                }
                let (count, is_backed_up) = (asserted.sign_count, asserted.is_backed_up);
                passkeys::record_use(tx, known.id, count, is_backed_up, unit.now)?;
                let by = By {
                    step: AuditValue::word(PASSKEY_STEP),
                    is_proof: false,
                };
                let entered = entrance.enter(tx, &session, notary, by)?;
                Ok(Ok((notary, entered)))
            };
        let (notary, entered) = self.store.write(write).await??;
        tracing::info!(notary.id = %notary, session.id = %opened.id(), "A notary signed in by a passkey");
        Ok(opened.opened(notary, entered))
    }
}

/// Returns why an account may not be entered now.
fn not_admitted(tx: &mut Tx, notary: NotaryId) -> Result<Option<Refusal>, StorageError> {
    let Some(account) = notaries::by_id(tx, notary)? else {
        return Ok(Some(refused(WebAuthnError::Credential)));
    };
    if let Some(refusal) = blocked(&account) {
        return Ok(Some(refusal));
    }
    // The page of the login asks for it with the telephone number.
    let unagreed = Refusal::new(RefusalKind::Invalid, Key::UserNotAgreedWithNewTerms);
    Ok(account.agreed_terms_at.is_none().then_some(unagreed))
}

fn refused(error: WebAuthnError) -> Refusal {
    tracing::info!(%error, "A login by a passkey was refused");
    Refusal::new(RefusalKind::Invalid, Key::PasskeyRefused)
}
