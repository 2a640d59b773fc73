//! Proving a payment by a passkey: its authenticator signs the digest of what is paid (decision 63). A code by SMS proves the same; a passkey
//! does so on a device that has just become known, too, because whoever has taken the telephone over has no passkey of the notary.

use cabinet_domain::{AuditAction, AuditObject, AuditValue, Key, OperationId, Origin, ProofKind};
use cabinet_storage::account::{passkeys, sessions};
use cabinet_storage::payment::payment_proofs;
use cabinet_storage::{StorageError, Tx, audit};
use jiff::SignedDuration;

use super::super::Accounts;
use super::super::confirmation::nothing_to_pay;
use super::challenge::{ChallengeUse, new_proof_challenge};
use super::common::{PASSKEY_STEP, PasskeyAnswer};
use crate::audit::{AuditEntry, PROVED};
use crate::kernel::ids::UnitContext;
use crate::kernel::refusal::{Refusal, RefusalKind, Result};
use crate::kernel::webauthn::{WebAuthnError, check_counter};
use crate::payment::approval::{PROVED_FOR, Signer, charge_of, passkey_too_new};
use crate::payment::asked_proof::{AskedProof, ProofSubject};

/// Refused proofs of a session, and those of a passkey, leave one event within so long.
const REFUSED_ONCE_IN: SignedDuration = SignedDuration::from_mins(10);

/// What the browser is asked for, to prove a payment.
#[derive(Debug)]
pub struct PasskeyProofOptions {
    /// What is proved, as the page shows it.
    pub asked: AskedProof,
    /// What the authenticator signs.
    pub challenge: Vec<u8>,
    /// The host to which the passkeys belong.
    pub party_id: String,
    /// The passkeys that prove it, by the ids that their authenticators gave them.
    pub allowed: Vec<Vec<u8>>,
    /// How long the browser waits.
    pub timeout: SignedDuration,
}

impl Accounts {
    /// `POST /auth/confirmation/passkey/options`: returns what the browser is asked for, to prove a payment. Stores nothing.
    ///
    /// # Errors
    /// `cart_group_empty`, `order_not_found`, `passkey_too_new`.
    pub async fn payment_passkey_options(
        &self,
        signer: Signer,
        subject: ProofSubject,
    ) -> Result<PasskeyProofOptions> {
        let reference = self.reference.current()?;
        let (approvals, now) = (self.approvals, self.clock.now());
        let read = move |tx: &mut Tx| -> Result<_> {
            let charge = charge_of(tx, signer.notary, &subject)?;
            let charge = charge.ok_or_else(|| nothing_to_pay(&subject))?;
            let wanted = (subject.clone(), &charge, ProofKind::Passkey);
            let asked = approvals.ask(tx, signer, wanted, &reference, now)??;
            let own = passkeys::of_notary(tx, signer.notary)?;
            Ok((asked, approvals.digest(&charge), own))
        };
        let (asked, digest, own) = self.store.read(read).await?;
        let (keys, randomness) = (&self.codes.keys, self.ids.randomness.as_ref());
        Ok(PasskeyProofOptions {
            asked,
            challenge: new_proof_challenge(keys, randomness, signer.session, &digest, now),
            party_id: self.relying_party().id,
            allowed: own
                .into_iter()
                .filter(|passkey| approvals.proves(passkey, now))
                .map(|passkey| passkey.credential_id)
                .collect(),
            timeout: PROVED_FOR,
        })
    }

    /// `POST /auth/confirmation/passkey`: proves the payment whose digest the passkey has signed.
    ///
    /// # Errors
    /// `passkey_refused`, `passkey_too_new`.
    pub async fn prove_by_passkey(
        &self,
        signer: Signer,
        answer: Option<PasskeyAnswer>,
        origin: Origin,
    ) -> Result<()> {
        let of = ChallengeUse::Prove(signer.session);
        let refused = |error| {
            let object = AuditObject::Session(signer.session);
            self.refuse_proof(signer, object, not_proved(error), origin.clone())
        };
        let signed = match self.verified(answer, of, Some(signer.notary)).await? {
            Ok(signed) => signed,
            Err(error) => return refused(error).await,
        };
        let Some(digest) = signed.challenge.digest() else {
            return refused(WebAuthnError::Challenge).await;
        };
        let unit = self.ids.unit();
        let (approvals, now) = (self.approvals, unit.now);
        let object = AuditObject::Passkey(signed.passkey.id);
        if !approvals.proves(&signed.passkey, now) {
            return self
                .refuse_proof(signer, object, passkey_too_new(), origin)
                .await;
        }
        let write = move |tx: &mut Tx| -> Result<Result<(), Refusal>, StorageError> {
            let mut unit = unit.clone();
            if !sessions::alive(tx, signer.session, signer.notary, now)? {
                return Ok(Err(Refusal::unauthorized()));
            }
            let asserted = signed.asserted;
            let used = signed.use_up(tx)?.and_then(|known| {
                check_counter(known.sign_count, asserted.sign_count).map(|()| known)
            });
            let known = match used {
                Ok(known) => known,
                Err(error) => {
                    record_refused(tx, &mut unit, (signer, object), &origin)?;
                    return Ok(Err(not_proved(error)));
                }
            };
            let (count, is_backed_up) = (asserted.sign_count, asserted.is_backed_up);
            passkeys::record_use(tx, known.id, count, is_backed_up, now)?;
            let proof = payment_proofs::AskedProof {
                id: OperationId::new(unit.new_id()),
                notary: signer.notary,
                session: signer.session,
                kind: ProofKind::Passkey,
                digest,
                asked_at: signed.challenge.given_at(of),
            };
            payment_proofs::ask(tx, &proof)?;
            payment_proofs::prove(tx, proof.id, now)?;
            proof_entry(AuditAction::ChangeConfirmed, signer, object)
                .with(PROVED, &digest)
                .record(tx, &mut unit, &origin)?;
            Ok(Ok(()))
        };
        self.store.write(write).await??;
        let Signer { notary, session } = signer;
        tracing::info!(notary.id = %notary, session.id = %session, "A notary proved a payment or an act by a passkey");
        Ok(())
    }

    /// Refuses a proof, and leaves its trace: somebody may be trying.
    async fn refuse_proof(
        &self,
        signer: Signer,
        object: AuditObject,
        refusal: Refusal,
        origin: Origin,
    ) -> Result<()> {
        let unit = self.ids.unit();
        let write =
            move |tx: &mut Tx| record_refused(tx, &mut unit.clone(), (signer, object), &origin);
        self.store.write(write).await?;
        Err(refusal.into())
    }
}

/// Records a refused proof, once in a while: whoever has a session refuses as many as she likes, and none of them may hide others.
fn record_refused(
    tx: &mut Tx,
    unit: &mut UnitContext,
    (signer, object): (Signer, AuditObject),
    origin: &Origin,
) -> Result<(), StorageError> {
    let action = AuditAction::ConfirmationFailed;
    let since = unit.now - REFUSED_ONCE_IN;
    if audit::is_recorded(tx, signer.notary, (action, object), since)? {
        return Ok(());
    }
    proof_entry(action, signer, object).record(tx, unit, origin)
}

fn proof_entry(action: AuditAction, signer: Signer, object: AuditObject) -> AuditEntry {
    AuditEntry::new(action)
        .of_notary(signer.notary)
        .on(object)
        .with("login_step", AuditValue::word(PASSKEY_STEP))
}

fn not_proved(error: WebAuthnError) -> Refusal {
    tracing::info!(%error, "A passkey proved nothing");
    Refusal::new(RefusalKind::Invalid, Key::PasskeyRefused)
}
