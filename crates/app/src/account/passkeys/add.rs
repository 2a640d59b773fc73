//! Adding a passkey in a session: what the browser is asked for, and its answer.

use cabinet_domain::{
    AuditAction, AuditObject, Key, Line, Notary, NotaryId, Origin, Passkey, PasskeyId, SessionId,
};
use cabinet_storage::account::{notaries, passkeys, sessions};
use cabinet_storage::{Tx, lock_notary};
use jiff::SignedDuration;

use super::super::Accounts;
use super::super::passkey_to_prove::PasskeyToProve;
use super::challenge::{ChallengeUse, ValidChallenge, new_challenge};
use super::common::{read_label, tell_all, user_handle};
use super::proof::{check_possible, proof_of, use_proof};
use crate::audit::AuditEntry;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};
use crate::kernel::texts::PasskeyChange;
use crate::kernel::webauthn::{ALGORITHMS, Registration, WebAuthnError, challenge_of};

/// What the browser is asked for, to make a passkey.
#[derive(Debug)]
pub struct NewPasskeyOptions {
    /// What the authenticator answers.
    pub challenge: Vec<u8>,
    /// The host to which the passkey will belong.
    pub party_id: String,
    /// Whose passkey it is, in a form that tells nothing: it comes back with each login.
    pub user_handle: Vec<u8>,
    /// What authenticators show of the account: the phone, masked.
    pub user_name: String,
    /// The notary's name.
    pub user_display_name: String,
    /// The kinds of keys, the preferred first.
    pub algorithms: [i64; 3],
    /// The passkeys that the notary has: an authenticator makes no second one.
    pub known: Vec<Vec<u8>>,
    /// How long the browser waits.
    pub timeout: SignedDuration,
}

/// The browser's answer, decoded.
#[derive(Clone)]
pub struct NewPasskey {
    /// The id that the authenticator gave it.
    pub credential_id: Vec<u8>,
    /// `clientDataJSON`.
    pub client_data: Vec<u8>,
    /// `authenticatorData`.
    pub authenticator_data: Vec<u8>,
}

impl Accounts {
    /// `POST /me/passkeys/options`: returns what the browser is asked for, to make a passkey.
    ///
    /// # Errors
    /// `confirmation_required`, `too_many_passkeys`.
    pub async fn new_passkey_options(
        &self,
        notary: NotaryId,
        session: SessionId,
    ) -> Result<NewPasskeyOptions> {
        let now = self.clock.now();
        let read = move |tx: &mut Tx| -> Result<(Option<Notary>, Vec<Passkey>)> {
            check_possible(tx, notary, PasskeyToProve::Add)?;
            proof_of(tx, session, PasskeyToProve::Add, now)??;
            Ok((
                notaries::by_id(tx, notary)?,
                passkeys::of_notary(tx, notary)?,
            ))
        };
        let (found, known) = self.store.read(read).await?;
        let account = found.ok_or_else(|| Refusal::not_found(Key::UserNotFound))?;
        let of = ChallengeUse::Add(session);
        Ok(NewPasskeyOptions {
            challenge: new_challenge(&self.codes.keys, self.ids.randomness.as_ref(), of, now),
            party_id: self.relying_party().id,
            user_handle: user_handle(notary),
            user_name: account.phone.masked(),
            user_display_name: account.profile.full_name.as_str().to_owned(),
            algorithms: ALGORITHMS,
            known: known.into_iter().map(|known| known.credential_id).collect(),
            timeout: of.lifetime(),
        })
    }

    /// `POST /me/passkeys/add`: adds the passkey that the browser has made. The notary is told.
    ///
    /// # Errors
    /// `field_required`, `text_too_long`, `text_invalid`, `card_number_not_accepted`, `passkey_not_added`, `passkey_exists`,
    /// `too_many_passkeys`, `confirmation_required`.
    pub async fn add_passkey(
        &self,
        (notary, session): (NotaryId, SessionId),
        label: Option<String>,
        answer: Option<NewPasskey>,
        mut errors: FieldErrors,
        origin: Origin,
    ) -> Result<Passkey> {
        let label = read_label(label.as_deref(), &mut errors);
        errors.check()?;
        let (Some(label), Some(answer)) = (label, answer) else {
            return Err(not_added(WebAuthnError::Malformed).into());
        };
        let unit = self.ids.unit();
        let (passkey, challenge) = self
            .read_answer((notary, session), &label, answer)
            .map_err(not_added)?;
        let added = passkey.clone();
        let notifier = self.notifier.clone();
        let write = move |tx: &mut Tx| -> Result<()> {
            let mut unit = unit.clone();
            let now = unit.now;
            let locked = lock_notary(tx, notary)?;
            if !sessions::alive(tx, session, notary, now)? {
                return Err(Refusal::unauthorized().into());
            }
            check_possible(tx, notary, PasskeyToProve::Add)?;
            use_proof(tx, session, PasskeyToProve::Add, now)?;
            if !challenge.use_once(tx)? {
                return Err(not_added(WebAuthnError::Challenge).into());
            }
            if !passkeys::insert(tx, &locked, &passkey)? {
                return Err(Refusal::conflict(Key::PasskeyExists).into());
            }
            AuditEntry::new(AuditAction::PasskeyAdded)
                .of_notary(notary)
                .on(AuditObject::Passkey(passkey.id))
                .record(tx, &mut unit, &origin)?;
            let change = PasskeyChange::Added;
            tell_all(tx, &mut unit, notary, change, &notifier)
        };
        self.store.write(write).await?;
        tracing::info!(notary.id = %notary, passkey.id = %added.id, "A notary added a passkey");
        Ok(added)
    }

    fn read_answer(
        &self,
        (notary, session): (NotaryId, SessionId),
        label: &Line,
        answer: NewPasskey,
    ) -> Result<(Passkey, ValidChallenge), WebAuthnError> {
        let now = self.clock.now();
        let challenge = challenge_of(&answer.client_data)?;
        let of = ChallengeUse::Add(session);
        let valid = ValidChallenge::read(&self.codes.keys, &challenge, of, now)
            .ok_or(WebAuthnError::Challenge)?;
        let registration = Registration {
            credential_id: answer.credential_id,
            client_data: answer.client_data,
            authenticator_data: answer.authenticator_data,
        };
        let registered = registration.verify(&self.relying_party(), &challenge)?;
        let passkey = Passkey {
            id: PasskeyId::new(self.ids.new_id()),
            notary_id: notary,
            label: label.clone(),
            credential_id: registration.credential_id,
            public_key: registered.public_key,
            sign_count: registered.sign_count,
            is_backup_eligible: registered.is_backup_eligible,
            is_backed_up: registered.is_backed_up,
            created_at: now,
            last_used_at: None,
        };
        Ok((passkey, valid))
    }
}

fn not_added(error: WebAuthnError) -> Refusal {
    tracing::info!(%error, "A passkey was not added");
    Refusal::new(RefusalKind::Invalid, Key::PasskeyNotAdded)
}
