//! Confirmation: a code inside a session, for a charge or an act that it names, and for nothing else
//! (docs/specification.md, "Readings: codes and devices").

use std::sync::Arc;

use cabinet_domain::{
    CodeBudget, Key, Locale, LoginOperation, LoginPurpose, LoginStep, Origin, ProofKind, SessionId,
};
use cabinet_storage::account::{
    login_operations, passkey_proofs, register, register_proofs, sessions,
};
use cabinet_storage::payment::payment_proofs;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::Accounts;
use super::account_confirmation::confirm_by_contact;
use super::code_check::{CodeCheck, check_code, unknown_operation};
use super::fields::{read_code, read_operation};
use super::one_time_codes::{Issued, LoginStart};
use super::passkey_to_prove::PasskeyToProve;
use super::security_events;
use super::visitor::Visitor;
use crate::audit::PROVED;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};
use crate::kernel::texts;
use crate::order::own_order::not_found;
use crate::payment::approval::{PROVED_FOR, Signer, charge_of};
use crate::payment::asked_proof::{AskedProof, ProofSubject};

/// A code that was sent to the notary's own phone, or to her contact in the register.
pub struct ConfirmationStart {
    /// The operation.
    pub start: LoginStart,
    /// The phone or the address, masked.
    pub sent_to: String,
    /// The payment or the act that the code proves.
    pub proof: Option<AskedProof>,
    /// What the code proves about passkeys.
    pub passkey: Option<PasskeyToProve>,
    /// Whether it went to the contact of the register, and confirms the account.
    pub confirms_account: bool,
}

impl Accounts {
    /// `POST /auth/confirmation` for a payment or an act: sends a code whose message names what is paid or done. It proves this alone. It is
    /// never a call: whoever is called does not see what she presses 1 for.
    ///
    /// # Errors
    /// `cart_group_empty`, `order_not_found`, `device_too_new`, `device_too_new_for_part`, `otp_too_soon`, `too_many_codes`, `otp_not_sent`.
    pub async fn start_proof(
        &self,
        signer: Signer,
        subject: ProofSubject,
        visitor: &Visitor,
        locale: Locale,
    ) -> Result<ConfirmationStart> {
        let account = self.profile(signer.notary).await?;
        let visitor = visitor.traces(&self.codes.keys);
        let reference = self.reference.current()?;
        let (start, code, asked) = loop {
            let subject = subject.clone();
            let purpose = LoginPurpose::Confirmation;
            let mut request = self.codes.request(purpose, &account.phone, &visitor);
            request.session = Some(signer.session);
            request.by_code_alone = true;
            let now = request.moment();
            let (codes, approvals, reference) =
                (self.codes.clone(), self.approvals, Arc::clone(&reference));
            let write = move |tx: &mut Tx| -> Result<(Issued, AskedProof)> {
                let charge = charge_of(tx, signer.notary, &subject)?;
                let charge = charge.ok_or_else(|| nothing_to_pay(&subject))?;
                let wanted = (subject.clone(), &charge, ProofKind::Code);
                let asked = approvals.ask(tx, signer, wanted, &reference, now)??;
                let terms = codes.terms(tx, &request, CodeBudget::Confirmation, LoginStep::Otp)?;
                let issued = codes.issue(tx, &request, signer.notary, terms)?;
                if let Issued::Code(start, _) = &issued {
                    let proof = payment_proofs::AskedProof {
                        id: start.operation,
                        notary: signer.notary,
                        session: signer.session,
                        kind: ProofKind::Code,
                        digest: approvals.digest(&charge),
                        asked_at: now,
                    };
                    payment_proofs::ask(tx, &proof)?;
                }
                Ok((issued, asked))
            };
            if let (Issued::Code(start, code), asked) = self.store.write(write).await? {
                break (start, code, asked);
            }
        };
        let text = texts::proof_message(locale, &code, &asked);
        self.codes
            .send(start.operation, &account.phone, &text)
            .await?;
        Ok(ConfirmationStart {
            start,
            sent_to: account.phone.masked(),
            proof: Some(asked),
            passkey: None,
            confirms_account: false,
        })
    }

    /// `POST /auth/confirmation/otp`: proves the payment or the act for which the code was sent, or confirms the account. Returns until when.
    ///
    /// # Errors
    /// `otp_code_required`, `otp_incorrect`, `operation_unknown`, `login_step_wrong`, `wrong_otp`, `otp_expired`,
    /// `otp_tries_exhausted`.
    pub async fn confirm_by_code(
        &self,
        Signer { notary, session }: Signer,
        code: Option<String>,
        operation: Option<String>,
        mut errors: FieldErrors,
        origin: Origin,
    ) -> Result<Timestamp> {
        let lengths = self.codes.settings.lengths();
        let code = read_code(LoginStep::Otp, code.as_deref(), lengths, &mut errors);
        let operation = read_operation(operation.as_deref(), &mut errors);
        errors.check()?;
        let (Some(code), Some(operation)) = (code, operation) else {
            return Err(Refusal::new(RefusalKind::Invalid, Key::FieldRequired).into());
        };
        let (unit, codes) = (self.ids.unit(), self.codes.clone());
        let now = unit.now;
        let write = move |tx: &mut Tx| -> Result<CodeCheck<Timestamp>, StorageError> {
            let register_key = register_proofs::row_of(tx, operation)?;
            if register_key.is_some() {
                register::lock(tx)?;
            }
            if !sessions::alive(tx, session, notary, now)? {
                return Ok(CodeCheck::Refused(Refusal::unauthorized()));
            }
            let found = login_operations::by_id(tx, operation)?;
            let Some(known) = found.filter(|found| belongs_to(found, session)) else {
                return Ok(CodeCheck::Refused(unknown_operation()));
            };
            if known.step != LoginStep::Otp {
                return Ok(CodeCheck::Refused(Refusal::conflict(Key::LoginStepWrong)));
            }
            let mut unit = unit.clone();
            Ok(match check_code(tx, &known, &code, &codes, now)? {
                CodeCheck::Accepted(_) => {
                    let mut entry = security_events::confirmation(&known);
                    if let Some(digest) = payment_proofs::prove(tx, operation, now)? {
                        entry = entry.with(PROVED, &digest);
                    } else if register_key.is_none() && !passkey_proofs::prove(tx, operation, now)?
                    {
                        // Another code for the same was entered and used up meanwhile.
                        return Ok(CodeCheck::Refused(unknown_operation()));
                    }
                    entry.record(tx, &mut unit, &origin)?;
                    if let Some(key) = register_key
                        && !confirm_by_contact(tx, notary, &key, &mut unit, &origin)?
                    {
                        // Another name is in the profile by now, or the row is somebody's.
                        let over = Refusal::field("otp_code", Key::OtpExpired);
                        return Ok(CodeCheck::Refused(over));
                    }
                    CodeCheck::Accepted(known.created_at + PROVED_FOR)
                }
                CodeCheck::Wrong(refusal) => {
                    let entry = security_events::failed_confirmation(&known);
                    entry.record(tx, &mut unit, &origin)?;
                    CodeCheck::Wrong(refusal)
                }
                CodeCheck::Refused(refusal) => CodeCheck::Refused(refusal),
            })
        };
        match self.store.write(write).await? {
            CodeCheck::Wrong(refusal) | CodeCheck::Refused(refusal) => Err(refusal.into()),
            CodeCheck::Accepted(until) => {
                tracing::info!(notary.id = %notary, session.id = %session, "A notary proved an act by a code");
                Ok(until)
            }
        }
    }
}

/// Returns the refusal of a payment that is not there.
pub(super) fn nothing_to_pay(subject: &ProofSubject) -> Refusal {
    match subject {
        ProofSubject::Group(_) => Refusal::not_found(Key::CartGroupEmpty).on("client_id"),
        ProofSubject::Order(_)
        | ProofSubject::Part(_)
        | ProofSubject::CardFigures(_)
        | ProofSubject::Act(_) => not_found(),
    }
}

fn belongs_to(operation: &LoginOperation, session: SessionId) -> bool {
    operation.purpose == LoginPurpose::Confirmation && operation.session_id == Some(session)
}
