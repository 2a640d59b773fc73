//! The proof before a passkey is added or removed: a code by SMS whose message says which of both. A session alone does neither, and a code
//! that was sent for something else is no proof.

use cabinet_domain::{
    CodeBudget, Key, Locale, LoginPurpose, LoginStep, NotaryId, OperationId, Passkey, SessionId,
};
use cabinet_storage::account::{passkey_proofs, passkeys};
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::super::Accounts;
use super::super::confirmation::ConfirmationStart;
use super::super::one_time_codes::Issued;
use super::super::passkey_to_prove::PasskeyToProve;
use super::super::visitor::Visitor;
use super::common::unknown_passkey;
use crate::kernel::refusal::{AppError, Detail, Refusal, RefusalKind, Result};
use crate::kernel::texts;
use crate::payment::approval::PROVED_FOR;

impl Accounts {
    /// `POST /auth/confirmation` for a passkey: sends a code whose message says what it is for. It proves this alone, and confirms no
    /// session. It is never a call: whoever is called does not see what she presses 1 for.
    ///
    /// # Errors
    /// `passkey_unknown`, `too_many_passkeys`, `otp_too_soon`, `too_many_codes`, `otp_not_sent`.
    pub async fn start_passkey_proof(
        &self,
        (notary, session): (NotaryId, SessionId),
        wanted: PasskeyToProve,
        visitor: &Visitor,
        locale: Locale,
    ) -> Result<ConfirmationStart> {
        let account = self.profile(notary).await?;
        let visitor = visitor.traces(&self.codes.keys);
        let (start, code) = loop {
            let purpose = LoginPurpose::Confirmation;
            let mut request = self.codes.request(purpose, &account.phone, &visitor);
            request.session = Some(session);
            request.by_code_alone = true;
            let codes = self.codes.clone();
            let write = move |tx: &mut Tx| -> Result<Issued> {
                check_possible(tx, notary, wanted)?;
                let terms = codes.terms(tx, &request, CodeBudget::Confirmation, LoginStep::Otp)?;
                let issued = codes.issue(tx, &request, notary, terms)?;
                if let Issued::Code(start, _) = &issued {
                    passkey_proofs::ask(tx, start.operation, wanted.act(), wanted.passkey())?;
                }
                Ok(issued)
            };
            if let Issued::Code(start, code) = self.store.write(write).await? {
                break (start, code);
            }
        };
        let text = texts::passkey_message(locale, &code, wanted.act());
        self.codes
            .send(start.operation, &account.phone, &text)
            .await?;
        Ok(ConfirmationStart {
            start,
            sent_to: account.phone.masked(),
            proof: None,
            passkey: Some(wanted),
            confirms_account: false,
        })
    }
}

/// Refuses what a proof would not help: removing a passkey that is not there, adding one too many.
pub(super) fn check_possible(
    tx: &mut Tx,
    notary: NotaryId,
    wanted: PasskeyToProve,
) -> Result<(), AppError> {
    match wanted {
        PasskeyToProve::Add => {
            if passkeys::of_notary(tx, notary)?.len() >= Passkey::OF_NOTARY_MAX {
                return Err(Refusal::conflict(Key::TooManyPasskeys).into());
            }
        }
        PasskeyToProve::Remove(passkey) => {
            if passkeys::by_id(tx, notary, passkey)?.is_none() {
                return Err(unknown_passkey().into());
            }
        }
    }
    Ok(())
}

/// Returns the proof of a session, which was given lately and not used.
///
/// The refusal is `confirmation_required` with what is to be proved.
pub(super) fn proof_of(
    tx: &mut Tx,
    session: SessionId,
    wanted: PasskeyToProve,
    now: Timestamp,
) -> Result<Result<OperationId, Refusal>, StorageError> {
    let act = (wanted.act(), wanted.passkey());
    let proof = passkey_proofs::unused(tx, session, act, now - PROVED_FOR)?;
    Ok(proof.ok_or_else(|| {
        Refusal::new(RefusalKind::Forbidden, Key::ConfirmationRequired)
            .with(Detail::Passkey(wanted))
    }))
}

/// Uses the proof of a session up.
///
/// # Errors
/// `confirmation_required` with what is to be proved.
pub(super) fn use_proof(
    tx: &mut Tx,
    session: SessionId,
    wanted: PasskeyToProve,
    now: Timestamp,
) -> Result<()> {
    let proof = proof_of(tx, session, wanted, now)??;
    if passkey_proofs::use_once(tx, proof, now)? {
        return Ok(());
    }
    Err(
        Refusal::new(RefusalKind::Forbidden, Key::ConfirmationRequired)
            .with(Detail::Passkey(wanted))
            .into(),
    )
}
