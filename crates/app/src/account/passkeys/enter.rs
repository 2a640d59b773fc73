//! Signing in by a passkey. Whoever asks needs no telephone number: the passkey names the account. So no limit of codes, messages or calls
//! stands in the way of its owner, and nothing that a stranger does uses it up (decision 68).

use cabinet_domain::{Actor, AuditAction, AuditObject, AuditValue, Key, Notary, NotaryId};
use cabinet_storage::account::{notaries, passkeys};
use cabinet_storage::{StorageError, Tx};
use jiff::SignedDuration;

use super::super::Accounts;
use super::super::account_confirmation::blocked;
use super::super::sessions::{Entered, OpenedSession};
use super::super::visitor::Visitor;
use super::challenge::{ChallengeUse, new_challenge};
use super::common::{PASSKEY_STEP, PasskeyAnswer};
use crate::audit::AuditEntry;
use crate::kernel::refusal::{Refusal, RefusalKind, Result};
use crate::kernel::webauthn::{WebAuthnError, check_counter};

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

impl Accounts {
    /// `POST /auth/login/passkey/options`: returns what the browser is asked for, to sign in. Stores nothing.
    #[must_use]
    pub fn passkey_login_options(&self) -> PasskeyLoginOptions {
        let (keys, randomness) = (&self.codes.keys, self.ids.randomness.as_ref());
        let (of, now) = (ChallengeUse::Login, self.clock.now());
        PasskeyLoginOptions {
            challenge: new_challenge(keys, randomness, of, now),
            party_id: self.relying_party().id,
            timeout: of.lifetime(),
        }
    }

    /// `POST /auth/login/passkey`: signs in by a passkey. A device that she has not used before is told to the notary, as with a code. The
    /// session is confirmed for nothing.
    ///
    /// # Errors
    /// `passkey_refused`, `user_not_agreed_with_new_terms`, `account_blocked`.
    pub async fn enter_by_passkey(
        &self,
        answer: Option<PasskeyAnswer>,
        visitor: &Visitor,
    ) -> Result<OpenedSession> {
        let verified = self.verified(answer, ChallengeUse::Login, None).await?;
        let signed = verified.map_err(refused)?;
        let session = self.new_session(visitor);
        let (opened, entrance, unit) = (session.clone(), self.entrance(), self.ids.unit());
        let write =
            move |tx: &mut Tx| -> Result<Result<(NotaryId, Entered), Refusal>, StorageError> {
                let notary = signed.passkey.notary_id;
                // Before her passkey, as whoever removes one.
                let Some((_locked, account)) = notaries::lock(tx, notary)? else {
                    return Ok(Err(refused(WebAuthnError::Credential)));
                };
                let known = match signed.use_up(tx)? {
                    Ok(known) => known,
                    Err(error) => return Ok(Err(refused(error))),
                };
                let asserted = signed.asserted;
                if let Err(error) = check_counter(known.sign_count, asserted.sign_count) {
                    let origin = session.visitor().origin(Actor::Stranger);
                    AuditEntry::new(AuditAction::EntryFailed)
                        .of_notary(notary)
                        .on(AuditObject::Passkey(known.id))
                        .with("login_step", AuditValue::word(PASSKEY_STEP))
                        .record(tx, &mut unit.clone(), &origin)?;
                    return Ok(Err(refused(error)));
                }
                if let Some(refusal) = not_admitted(&account) {
                    return Ok(Err(refusal));
                }
                let (count, is_backed_up) = (asserted.sign_count, asserted.is_backed_up);
                passkeys::record_use(tx, known.id, count, is_backed_up, unit.now)?;
                let step = AuditValue::word(PASSKEY_STEP);
                let entered = entrance.enter(tx, &session, notary, step)?;
                Ok(Ok((notary, entered)))
            };
        let (notary, entered) = self.store.write(write).await??;
        tracing::info!(notary.id = %notary, session.id = %opened.id(), "A notary signed in by a passkey");
        Ok(opened.opened(notary, entered))
    }
}

/// Returns why an account may not be entered now.
fn not_admitted(account: &Notary) -> Option<Refusal> {
    blocked(account).or_else(|| {
        // The page of the login asks for it with the telephone number.
        let unagreed = Refusal::new(RefusalKind::Invalid, Key::UserNotAgreedWithNewTerms);
        account.agreed_terms_at.is_none().then_some(unagreed)
    })
}

fn refused(error: WebAuthnError) -> Refusal {
    tracing::info!(%error, "A login by a passkey was refused");
    Refusal::new(RefusalKind::Invalid, Key::PasskeyRefused)
}
