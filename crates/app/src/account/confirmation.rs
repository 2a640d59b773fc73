//! Confirmation: a fresh code inside a session, before a change that could cost money
//! (docs/specification.md, "Readings: codes and devices").

use std::sync::Arc;

use cabinet_domain::{
    CodeBudget, Key, Locale, LoginOperation, LoginPurpose, LoginStep, NotaryId, Origin, ProofKind,
    SessionId,
};
use cabinet_storage::account::{login_operations, passkey_proofs, sessions};
use cabinet_storage::payment::payment_proofs;
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};

use super::Accounts;
use super::code_check::{CodeCheck, check_code, unknown_operation};
use super::fields::{read_code, read_operation};
use super::login_by_phone_call::{unknown_call, use_call};
use super::one_time_codes::{Issued, LoginStart};
use super::passkey_to_prove::PasskeyToProve;
use super::security_events;
use super::sessions::dead_session;
use super::visitor::Visitor;
use crate::kernel::refusal::{FieldErrors, Refusal, RefusalKind, Result};
use crate::kernel::texts;
use crate::order::own_order::not_found;
use crate::payment::approval::{Signer, charge_of};
use crate::payment::asked_proof::{AskedProof, ProofSubject};

/// A session counts as confirmed for so long after a code in it.
pub const CONFIRMED_FOR: SignedDuration = SignedDuration::from_mins(10);

/// Refuses a change in a session in which the phone was not proved lately.
///
/// # Errors
/// `confirmation_required`.
pub(crate) fn require_confirmation(tx: &mut Tx, session: SessionId, now: Timestamp) -> Result<()> {
    let confirmed = sessions::confirmed_at(tx, session)?;
    if confirmed.is_some_and(|at| now.duration_since(at) < CONFIRMED_FOR) {
        return Ok(());
    }
    Err(Refusal::new(RefusalKind::Forbidden, Key::ConfirmationRequired).into())
}

/// A code or call that was sent to the notary's own phone.
pub struct ConfirmationStart {
    /// The operation.
    pub start: LoginStart,
    /// The phone, masked.
    pub sent_to: String,
    /// The payment that the code proves; `None`: it confirms the session.
    pub proof: Option<AskedProof>,
    /// What the code proves about passkeys.
    pub passkey: Option<PasskeyToProve>,
}

impl Accounts {
    /// `POST /auth/confirmation`: sends a code to the notary's phone, or calls where she signs in by calls.
    ///
    /// # Errors
    /// `otp_too_soon`, `too_many_codes`, `otp_not_sent`, `call_not_placed`.
    pub async fn start_confirmation(
        &self,
        notary: NotaryId,
        session: SessionId,
        visitor: &Visitor,
        locale: Locale,
    ) -> Result<ConfirmationStart> {
        let account = self.profile(notary).await?;
        let visitor = visitor.traces(&self.codes.keys);
        // The registry identifier is public, so it confirms nothing.
        let step = match account.login_step {
            LoginStep::PhoneCall => LoginStep::PhoneCall,
            LoginStep::Otp | LoginStep::Custom => LoginStep::Otp,
        };
        let (start, code) = loop {
            let purpose = LoginPurpose::Confirmation;
            let mut request = self.codes.request(purpose, &account.phone, &visitor);
            request.session = Some(session);
            let codes = self.codes.clone();
            let write = move |tx: &mut Tx| -> Result<Issued> {
                let terms = codes.terms(tx, &request, CodeBudget::Confirmation, step)?;
                Ok(codes.issue(tx, &request, notary, terms)?)
            };
            if let Issued::Code(start, code) = self.store.write(write).await? {
                break (start, code);
            }
        };
        if start.step == LoginStep::PhoneCall {
            let purpose = LoginPurpose::Confirmation;
            self.place_phone_call(&start, purpose, &account.phone, locale)
                .await?;
        } else {
            let text = texts::confirmation_message(locale, &code);
            self.codes
                .send(start.operation, &account.phone, &text)
                .await?;
        }
        Ok(ConfirmationStart {
            start,
            sent_to: account.phone.masked(),
            proof: None,
            passkey: None,
        })
    }

    /// `POST /auth/confirmation` for a payment: sends a code whose message names what is paid. It proves this payment alone, and confirms
    /// no session. It is never a call: whoever is called does not see what she presses 1 for.
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
                        digest: charge.digest(),
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
        })
    }

    /// `POST /auth/confirmation/otp`: confirms the session with the code, or proves the payment or the act on passkeys for which it was sent. Returns until when.
    ///
    /// # Errors
    /// `otp_code_required`, `otp_incorrect`, `operation_unknown`, `login_step_wrong`, `wrong_otp`, `otp_expired`,
    /// `otp_tries_exhausted`.
    pub async fn confirm_by_code(
        &self,
        (notary, session): (NotaryId, SessionId),
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
        let write = move |tx: &mut Tx| -> Result<CodeCheck<NotaryId>, StorageError> {
            if !sessions::alive(tx, session, notary, now)? {
                return Ok(CodeCheck::Refused(dead_session()));
            }
            let found = login_operations::by_id(tx, operation)?;
            let Some(known) = found.filter(|found| belongs_to(found, session)) else {
                return Ok(CodeCheck::Refused(unknown_operation()));
            };
            if known.step != LoginStep::Otp {
                return Ok(CodeCheck::Refused(Refusal::conflict(Key::LoginStepWrong)));
            }
            let check = check_code(tx, &known, &code, &codes, now)?;
            match check {
                CodeCheck::Accepted(_) => {
                    // A code that was sent for a payment or a passkey is good for nothing else.
                    if !payment_proofs::prove(tx, operation, now)?
                        && !passkey_proofs::prove(tx, operation, now)?
                    {
                        sessions::confirm(tx, session, now)?;
                    }
                    security_events::confirmation(&known).record(tx, &mut unit.clone(), &origin)?;
                }
                CodeCheck::Wrong(_) => security_events::failed_confirmation(&known).record(
                    tx,
                    &mut unit.clone(),
                    &origin,
                )?,
                CodeCheck::Refused(_) => {}
            }
            Ok(check)
        };
        match self.store.write(write).await? {
            CodeCheck::Wrong(refusal) | CodeCheck::Refused(refusal) => Err(refusal.into()),
            CodeCheck::Accepted(_) => Ok(self.confirmed(notary, session, now)),
        }
    }

    /// `POST /auth/confirmation/phone-call`: confirms the session with a call in which the key was pressed. Returns until when it
    /// is confirmed.
    ///
    /// # Errors
    /// `operation_unknown`, `login_step_wrong`, `call_not_confirmed`, `otp_expired`, `call_already_used`.
    pub async fn confirm_by_phone_call(
        &self,
        (notary, session): (NotaryId, SessionId),
        transaction: Option<String>,
        mut errors: FieldErrors,
        origin: Origin,
    ) -> Result<Timestamp> {
        let read = transaction
            .as_deref()
            .and_then(cabinet_domain::TransactionId::parse);
        let transaction = errors.take("transaction_id", read.ok_or(Key::OperationUnknown));
        errors.check()?;
        let Some(transaction) = transaction else {
            return Err(unknown_call().into());
        };
        let unit = self.ids.unit();
        let now = unit.now;
        let write = move |tx: &mut Tx| -> Result<Option<Refusal>, StorageError> {
            if !sessions::alive(tx, session, notary, now)? {
                return Ok(Some(dead_session()));
            }
            let found = login_operations::by_transaction(tx, transaction)?;
            let Some(known) = found.filter(|found| belongs_to(found, session)) else {
                return Ok(Some(unknown_call()));
            };
            if let Some(refusal) = use_call(tx, &known, now)? {
                return Ok(Some(refusal));
            }
            sessions::confirm(tx, session, now)?;
            security_events::confirmation(&known).record(tx, &mut unit.clone(), &origin)?;
            Ok(None)
        };
        match self.store.write(write).await? {
            Some(refusal) => Err(refusal.into()),
            None => Ok(self.confirmed(notary, session, now)),
        }
    }

    fn confirmed(&self, notary: NotaryId, session: SessionId, now: Timestamp) -> Timestamp {
        tracing::info!(notary.id = %notary, session.id = %session, "A notary confirmed a session");
        now + CONFIRMED_FOR
    }
}

/// Returns the refusal of a payment that is not there.
pub(super) fn nothing_to_pay(subject: &ProofSubject) -> Refusal {
    match subject {
        ProofSubject::Group(_) => Refusal::not_found(Key::CartGroupEmpty).on("client_id"),
        ProofSubject::Order(_) | ProofSubject::Part(_) | ProofSubject::CardFigures(_) => {
            not_found()
        }
    }
}

fn belongs_to(operation: &LoginOperation, session: SessionId) -> bool {
    operation.purpose == LoginPurpose::Confirmation && operation.session_id == Some(session)
}
