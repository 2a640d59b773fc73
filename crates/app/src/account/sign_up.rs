//! Sign-up: an account, and verifying its phone.

use cabinet_domain::{
    Actor, CodeBudget, EndReason, Key, Locale, LoginPurpose, LoginStep, NewNotary, NotaryId,
    Origin, PersonName, SessionId,
};
use cabinet_storage::account::{devices, login_operations, notaries, register, sessions};
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::Accounts;
use super::account_confirmation::{confirm_by_rule, entry_refused};
use tracing::Instrument as _;

use super::code_check::{CodeCheck, check_code, unknown_operation};
use super::fields::{read_code, read_operation, read_phone, read_registry_identifier};
use super::one_time_codes::{Issued, LoginStart};
use super::security_events::signed_up;
use super::sessions::{Entered, NewSession, OpenedSession};
use super::visitor::Visitor;
use crate::kernel::refusal::{AppError, FieldErrors, Refusal, RefusalKind, Result};
use crate::kernel::texts;

/// The request of `POST /auth/sign-up`.
#[derive(Default)]
pub struct SignUpRequest {
    /// Surname, name, patronymic.
    pub full_name: Option<String>,
    /// The phone as it was typed.
    pub phone: Option<String>,
    /// Identifier in the register.
    pub registry_identifier: Option<String>,
    /// Whether the terms were ticked.
    pub is_agreed: bool,
}

/// An account that waits for its phone to be verified.
#[derive(Debug)]
pub struct SignUpStart {
    /// A session that may only verify the phone until it has.
    pub session: OpenedSession,
    /// The operation of the code.
    pub code: LoginStart,
}

enum Written {
    PhoneInUse,
    CodeTaken,
    Account(Box<(NotaryId, Entered, LoginStart, String)>),
}

impl Accounts {
    /// Creates an account and sends the code that verifies its phone.
    ///
    /// # Errors
    /// The keys of the fields, `phone_in_use`, `otp_too_soon`, `too_many_codes`, `too_many_codes_from_address`, `otp_not_sent`.
    pub async fn sign_up(
        &self,
        request: SignUpRequest,
        errors: FieldErrors,
        visitor: &Visitor,
        locale: Locale,
    ) -> Result<SignUpStart> {
        let account = self.new_account(request, errors)?;
        self.codes.check_mobile(&account.phone)?;
        let hides_accounts = self.codes.settings.hide_account_existence;
        let session = self.new_session(visitor);
        let written = match self.write_sign_up(&account, &session).await {
            Ok(None) | Err(AppError::Refused(_)) if hides_accounts => {
                return self.pretended_sign_up(&account, session).await;
            }
            written => written?,
        };
        let Some((notary, entered, start, code)) = written else {
            let in_use = Refusal::conflict(Key::PhoneInUse).on("phone");
            let visitor = session.visitor();
            return Err(self.codes.refuse_attempt(in_use, visitor).await);
        };
        let (codes, phone) = (self.codes.clone(), account.phone);
        let text = texts::code_message(locale, &code);
        let operation = start.operation;
        let sending = async move { codes.send(operation, &phone, &text).await };
        // Where accounts are hidden, the answer takes as long as for a phone that is in use.
        if hides_accounts {
            tokio::spawn(sending.in_current_span());
        } else {
            sending.await?;
        }
        Ok(SignUpStart {
            session: session.opened(notary, entered),
            code: start,
        })
    }

    /// Returns the account that a request asks for, not stored yet.
    fn new_account(
        &self,
        request: SignUpRequest,
        mut errors: FieldErrors,
    ) -> Result<NewNotary, Refusal> {
        errors.refuse_card("full_name", request.full_name.as_deref());
        let full_name = if errors.has("full_name") {
            None
        } else {
            let name = PersonName::parse(request.full_name.as_deref().unwrap_or_default());
            errors.take(
                "full_name",
                name.map_err(|error| error.key(Key::FullNameRequired)),
            )
        };
        let phone = read_phone(request.phone.as_deref(), &mut errors);
        let registry_identifier =
            read_registry_identifier(request.registry_identifier.as_deref(), &mut errors);
        if !request.is_agreed && !errors.has("is_agreed") {
            errors.add("is_agreed", Key::IsAgreeChecked);
        }
        errors.check()?;
        let (Some(full_name), Some(phone), Some(registry_identifier)) =
            (full_name, phone, registry_identifier)
        else {
            return Err(Refusal::new(RefusalKind::Invalid, Key::FieldRequired));
        };
        let now = self.clock.now();
        Ok(NewNotary {
            id: NotaryId::new(self.ids.new_id()),
            phone,
            full_name,
            registry_identifier,
            login_step: LoginStep::Otp,
            chooses_payment_method: true,
            agreed_terms_at: Some(now),
            phone_verified_at: None,
            created_at: now,
            confirmation: None,
        })
    }

    /// Stores an unverified account, its session and its code. `None`: the phone belongs to a verified account.
    async fn write_sign_up(
        &self,
        account: &NewNotary,
        session: &NewSession,
    ) -> Result<Option<(NotaryId, Entered, LoginStart, String)>> {
        let now = account.created_at;
        loop {
            let (purpose, visitor) = (LoginPurpose::SignUp, session.visitor());
            let request = self.codes.request(purpose, &account.phone, visitor);
            let (codes, account, session) = (self.codes.clone(), account.clone(), session.clone());
            let unit = self.ids.unit_at(now);
            let write = move |tx: &mut Tx| -> Result<Written> {
                // A verification of the same phone comes before this or after it.
                login_operations::lock_phone(tx, &account.phone)?;
                let known = notaries::lock_by_phone(tx, &account.phone)?;
                if known
                    .as_ref()
                    .is_some_and(|(_, known)| known.phone_verified_at.is_some())
                {
                    return Ok(Written::PhoneInUse);
                }
                let terms = codes.terms(tx, &request, CodeBudget::Unknown, LoginStep::Otp)?;
                let id = match known {
                    // Nobody has verified the phone yet, so only the newest sign-up counts.
                    Some((_locked, known)) => {
                        notaries::restart_sign_up(tx, known.id, &account)?;
                        sessions::end_all(tx, known.id, now, EndReason::SignedUpAnew)?;
                        known.id
                    }
                    None if notaries::insert(tx, &account)? => account.id,
                    None => return Ok(Written::PhoneInUse),
                };
                match codes.issue(tx, &request, id, terms)? {
                    // The restarted account is the same at the next try.
                    Issued::RecentlyUsed => Ok(Written::CodeTaken),
                    Issued::Code(start, code) => {
                        // Until its phone is verified, an account is nobody's.
                        let by = Actor::Stranger;
                        let entered = session.insert(tx, &mut unit.clone(), id, by)?;
                        Ok(Written::Account(Box::new((id, entered, start, code))))
                    }
                }
            };
            match self.store.write(write).await? {
                Written::PhoneInUse => return Ok(None),
                Written::CodeTaken => {}
                Written::Account(written) => return Ok(Some(*written)),
            }
        }
    }

    /// Returns the answer for a phone of a verified account where the existence of accounts is hidden. Its session does not exist,
    /// and no code is right.
    async fn pretended_sign_up(
        &self,
        account: &NewNotary,
        session: NewSession,
    ) -> Result<SignUpStart> {
        let (purpose, visitor) = (LoginPurpose::SignUp, session.visitor());
        let code = self
            .codes
            .pretended(purpose, &account.phone, visitor)
            .await?;
        let nobody = NotaryId::new(self.ids.new_id());
        Ok(SignUpStart {
            session: session.pretended(nobody),
            code,
        })
    }

    /// Whether the caller may try to verify a phone: the session is alive, even if the phone is not verified. Where the existence of
    /// accounts is hidden, every caller with a token may try, because a pretended session must look like a real one.
    pub async fn is_sign_up_session_alive(
        &self,
        notary: NotaryId,
        session: SessionId,
    ) -> Result<bool> {
        let now = self.clock.now();
        Ok(self.codes.settings.hide_account_existence
            || self
                .store
                .read(move |tx| sessions::alive_unverified(tx, session, notary, now))
                .await?)
    }

    /// Verifies the phone of the session's account. The session is then good for every call, and all others of the account end.
    /// Returns when the session ends unless it is refreshed before.
    ///
    /// # Errors
    /// `otp_code_required`, `otp_incorrect`, `operation_unknown`, `wrong_otp`, `otp_expired`, `otp_tries_exhausted`,
    /// `account_blocked`.
    pub async fn verify_sign_up(
        &self,
        (notary, session): (NotaryId, SessionId),
        code: Option<String>,
        operation: Option<String>,
        mut errors: FieldErrors,
        origin: Origin,
    ) -> Result<Timestamp> {
        let code = read_code(
            LoginStep::Otp,
            code.as_deref(),
            self.codes.settings.lengths(),
            &mut errors,
        );
        let operation = read_operation(operation.as_deref(), &mut errors);
        errors.check()?;
        let (Some(code), Some(operation)) = (code, operation) else {
            return Err(Refusal::new(RefusalKind::Invalid, Key::FieldRequired).into());
        };
        let (unit, codes, rule) = (
            self.ids.unit(),
            self.codes.clone(),
            self.sign_up_confirmation,
        );
        let now = unit.now;
        let write = move |tx: &mut Tx| -> Result<CodeCheck<Timestamp>, StorageError> {
            let mut unit = unit.clone();
            register::lock(tx)?;
            let found = login_operations::by_id(tx, operation)?;
            if let Some(found) = &found {
                // A sign-up that begins anew with the phone comes before this or after it.
                login_operations::lock_phone(tx, &found.phone)?;
            }
            if !sessions::alive_unverified(tx, session, notary, now)? {
                return Ok(CodeCheck::Refused(Refusal::unauthorized()));
            }
            let known = found
                .filter(|found| found.purpose == LoginPurpose::SignUp && found.notary_id == notary);
            let Some(known) = known else {
                return Ok(CodeCheck::Refused(unknown_operation()));
            };
            // A wrong code is not recorded: until its phone is verified, an account is nobody's.
            if let CodeCheck::Wrong(refusal) | CodeCheck::Refused(refusal) =
                check_code(tx, &known, &code, &codes, now)?
            {
                return Ok(CodeCheck::Refused(refusal));
            }
            if let Some(refusal) = entry_refused(tx, &known)? {
                return Ok(CodeCheck::Refused(refusal));
            }
            notaries::verify_phone(tx, notary, now)?;
            confirm_by_rule(tx, notary, rule, &mut unit, &Origin::worker())?;
            let reason = EndReason::SignedUpAnew;
            sessions::end_others(tx, notary, session, now, reason)?;
            // Whoever else began a sign-up with this phone has proved nothing.
            let own = sessions::of_notary(tx, session, notary)?.and_then(|own| own.device_id);
            devices::delete_others(tx, notary, own)?;
            sessions::forget_networks_of_others(tx, notary, session)?;
            signed_up(notary, session).record(tx, &mut unit, &origin)?;
            Ok(CodeCheck::Accepted(sessions::ends_at(tx, session)?))
        };
        match self.store.write(write).await? {
            CodeCheck::Wrong(refusal) | CodeCheck::Refused(refusal) => {
                Err(self.codes.hidden(refusal).into())
            }
            CodeCheck::Accepted(ends_at) => {
                tracing::info!(notary.id = %notary, "A notary signed up");
                Ok(ends_at)
            }
        }
    }
}
