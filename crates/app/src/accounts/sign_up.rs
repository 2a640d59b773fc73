//! Sign-up: an account, and verifying its phone.

use std::net::IpAddr;
use std::sync::Arc;

use cabinet_domain::{
    EndReason, Key, Locale, LoginPurpose, LoginStep, NewNotary, NotaryId, PersonName, SessionId,
};
use cabinet_storage::{StorageError, Tx, login_operations, notaries, sessions};
use jiff::Timestamp;

use super::Accounts;
use super::code_check::{CodeCheck, check_code, unknown_operation};
use super::fields::{read_code, read_operation, read_phone, read_registry_identifier};
use super::one_time_codes::{CodeChoice, LoginStart, NewCode};
use super::sessions::{NewSession, OpenedSession};
use crate::refusal::{AppError, FieldErrors, Refusal, RefusalKind, Result};

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
    Account(NotaryId),
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
        address: IpAddr,
        locale: Locale,
    ) -> Result<SignUpStart> {
        let account = self.new_account(request, errors)?;
        let hides_accounts = self.codes.settings.hide_account_existence;
        let session = self.new_session();
        let start = self.codes.login_start(LoginStep::Otp, None);
        let written = self
            .write_sign_up(&account, &session, &start, address)
            .await;
        let (notary, code) = match written {
            Ok(Some(written)) => written,
            Ok(None) | Err(AppError::Refused(_)) if hides_accounts => {
                return Ok(self.pretended_sign_up());
            }
            Ok(None) => {
                let in_use = Refusal::conflict(Key::PhoneInUse).on("phone");
                return Err(self.codes.refuse_attempt(in_use, address).await);
            }
            Err(error) => return Err(error),
        };
        match self
            .codes
            .send(start.operation, &account.phone, &code, locale)
            .await
        {
            Err(AppError::Refused(_)) if hides_accounts => return Ok(self.pretended_sign_up()),
            sent => sent?,
        }
        Ok(SignUpStart {
            session: session.opened(notary),
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
        let name = PersonName::parse(request.full_name.as_deref().unwrap_or_default());
        let full_name = errors.take(
            "full_name",
            name.map_err(|error| error.key(Key::FullNameRequired)),
        );
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
        })
    }

    /// Stores an unverified account, its session and its code, and returns the account and the code. `None`: the phone belongs to a
    /// verified account.
    async fn write_sign_up(
        &self,
        account: &NewNotary,
        session: &NewSession,
        start: &LoginStart,
        address: IpAddr,
    ) -> Result<Option<(NotaryId, String)>> {
        let now = account.created_at;
        loop {
            let new = NewCode {
                start: start.clone(),
                purpose: LoginPurpose::SignUp,
                phone: account.phone.clone(),
                address: self.codes.keys.address_digest(address),
                code: self.codes.generate(),
            };
            let code = new.code.clone();
            let (codes, account, session) = (self.codes.clone(), account.clone(), session.clone());
            let write = move |tx: &mut Tx| -> Result<Written> {
                let known = notaries::by_phone(tx, &account.phone)?;
                if known
                    .as_ref()
                    .is_some_and(|known| known.phone_verified_at.is_some())
                {
                    return Ok(Written::PhoneInUse);
                }
                if matches!(codes.check(tx, &new, now)?, CodeChoice::RecentlyUsed) {
                    return Ok(Written::CodeTaken);
                }
                let id = match known {
                    // Nobody has verified the phone yet, so only the newest sign-up counts.
                    Some(known) => {
                        notaries::restart_sign_up(tx, known.id, &account)?;
                        sessions::end_all(tx, known.id, now, EndReason::SignedUpAnew)?;
                        known.id
                    }
                    None if notaries::insert(tx, &account)? => account.id,
                    None => return Ok(Written::PhoneInUse),
                };
                session.insert(tx, id, now)?;
                codes.insert(tx, &new, id, now)?;
                Ok(Written::Account(id))
            };
            match self.store.write(write).await? {
                Written::PhoneInUse => return Ok(None),
                Written::CodeTaken => {}
                Written::Account(id) => return Ok(Some((id, code))),
            }
        }
    }

    /// Returns the answer for a phone of a verified account where the existence of accounts is hidden. Its session does not exist,
    /// and no code is right.
    fn pretended_sign_up(&self) -> SignUpStart {
        SignUpStart {
            session: self.new_session().opened(NotaryId::new(self.ids.new_id())),
            code: self.codes.pretended_login(),
        }
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
    /// `otp_code_required`, `otp_incorrect`, `operation_unknown`, `wrong_otp`, `otp_expired`, `otp_tries_exhausted`.
    pub async fn verify_sign_up(
        &self,
        notary: NotaryId,
        session: SessionId,
        code: Option<String>,
        operation: Option<String>,
        mut errors: FieldErrors,
    ) -> Result<Timestamp> {
        let code = read_code(
            LoginStep::Otp,
            code.as_deref(),
            self.codes.settings.digits,
            &mut errors,
        );
        let operation = read_operation(operation.as_deref(), &mut errors);
        errors.check()?;
        let (Some(code), Some(operation)) = (code, operation) else {
            return Err(Refusal::new(RefusalKind::Invalid, Key::FieldRequired).into());
        };
        let (now, tries_max) = (self.clock.now(), self.codes.settings.tries_max);
        let keys = Arc::clone(&self.codes.keys);
        let write = move |tx: &mut Tx| -> Result<CodeCheck<Timestamp>, StorageError> {
            if !sessions::alive_unverified(tx, session, notary, now)? {
                let dead = Refusal::new(RefusalKind::Unauthorized, Key::Unauthorized);
                return Ok(CodeCheck::Refused(dead));
            }
            let found = login_operations::by_id(tx, operation)?;
            let known = found
                .filter(|found| found.purpose == LoginPurpose::SignUp && found.notary_id == notary);
            let Some(known) = known else {
                return Ok(CodeCheck::Refused(unknown_operation()));
            };
            let digest = keys.code_digest(operation, &known.phone, &code);
            if let CodeCheck::Refused(refusal) = check_code(tx, &known, &digest, tries_max, now)? {
                return Ok(CodeCheck::Refused(refusal));
            }
            notaries::verify_phone(tx, notary, now)?;
            let reason = EndReason::SignedUpAnew;
            sessions::end_others(tx, notary, session, now, reason)?;
            Ok(CodeCheck::Accepted(sessions::ends_at(tx, session)?))
        };
        match self.store.write(write).await? {
            CodeCheck::Refused(refusal) => Err(self.codes.hidden(refusal).into()),
            CodeCheck::Accepted(ends_at) => {
                tracing::info!(notary.id = %notary, "A notary signed up");
                Ok(ends_at)
            }
        }
    }
}
