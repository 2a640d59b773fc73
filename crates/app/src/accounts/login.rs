//! `POST /auth/login`: starts a login by the step of the account. `POST /auth/login/otp` and `/auth/login/otp/custom`: finish it
//! with a code.

use std::net::IpAddr;

use cabinet_domain::{
    Key, Locale, LoginPurpose, LoginStep, Notary, NotaryId, Phone, TransactionId,
};
use cabinet_storage::{StorageError, Tx, login_operations, notaries};

use super::Accounts;
use super::code_check::{CodeCheck, check_code, unknown_operation};
use super::fields::{identifier_as_code, read_code, read_operation, read_phone};
use super::one_time_codes::{CodeChoice, LoginStart, NewCode};
use super::sessions::OpenedSession;
use crate::refusal::{AppError, FieldErrors, Refusal, RefusalKind, Result};

/// The request of `POST /auth/login`.
#[derive(Default)]
pub struct LoginRequest {
    /// The phone as it was typed.
    pub phone: Option<String>,
    /// Whether the terms were ticked.
    pub is_agree_with_terms: bool,
}

impl Accounts {
    /// Starts a login.
    ///
    /// # Errors
    /// `phone_required`, `phone_incorrect`, `phone_not_exist`, `user_not_agreed_with_new_terms`, `otp_too_soon`,
    /// `too_many_codes`, `too_many_codes_from_address`, `otp_not_sent`, `call_not_placed`.
    pub async fn start_login(
        &self,
        request: LoginRequest,
        mut errors: FieldErrors,
        address: IpAddr,
        locale: Locale,
    ) -> Result<LoginStart> {
        let phone = read_phone(request.phone.as_deref(), &mut errors);
        errors.check()?;
        let Some(phone) = phone else {
            return Err(Refusal::field("phone", Key::PhoneRequired).into());
        };
        let hides_accounts = self.codes.settings.hide_account_existence;
        let Some(notary) = self.verified_account(&phone).await? else {
            if hides_accounts {
                return Ok(self.codes.pretended_login());
            }
            let unknown = Refusal::not_found(Key::PhoneNotExist).on("phone");
            return Err(self.codes.refuse_attempt(unknown, address).await);
        };
        if notary.agreed_terms_at.is_none() && !request.is_agree_with_terms {
            let unticked = Refusal::field("is_agree_with_terms", Key::UserNotAgreedWithNewTerms);
            return Err(self.codes.refuse_attempt(unticked, address).await);
        }
        // Where accounts are hidden, not even a limit or a broken message service may tell a known phone from an unknown one.
        let (start, code) = match self.issue_code(&notary, address).await {
            Err(AppError::Refused(_)) if hides_accounts => {
                return Ok(self.codes.pretended_login());
            }
            issued => issued?,
        };
        match start.step {
            LoginStep::Otp => match self
                .codes
                .send(start.operation, &phone, &code, locale)
                .await
            {
                Err(AppError::Refused(_)) if hides_accounts => {
                    return Ok(self.codes.pretended_login());
                }
                sent => sent?,
            },
            LoginStep::Custom => {}
            LoginStep::PhoneCall => self.place_phone_call(&start, &notary, locale).await?,
        }
        Ok(start)
    }

    async fn verified_account(&self, phone: &Phone) -> Result<Option<Notary>> {
        let phone = phone.clone();
        let found = self
            .store
            .read(move |tx| notaries::by_phone(tx, &phone))
            .await?;
        Ok(found.filter(|notary| notary.phone_verified_at.is_some()))
    }

    /// Checks the limits, generates a code and stores the operation of a login. Returns the login and its code, which is empty
    /// in the step without one.
    async fn issue_code(&self, notary: &Notary, address: IpAddr) -> Result<(LoginStart, String)> {
        let step = notary.login_step;
        let transaction =
            (step == LoginStep::PhoneCall).then(|| TransactionId::new(self.ids.random_id()));
        let start = self.codes.login_start(step, transaction);
        loop {
            let new = NewCode {
                start: start.clone(),
                purpose: LoginPurpose::Login,
                phone: notary.phone.clone(),
                address: self.codes.keys.address_digest(address),
                code: match step {
                    LoginStep::Otp => self.codes.generate(),
                    LoginStep::Custom => {
                        identifier_as_code(notary.profile.registry_identifier.as_str())
                    }
                    LoginStep::PhoneCall => String::new(),
                },
            };
            let (codes, id, now) = (self.codes.clone(), notary.id, self.clock.now());
            let code = new.code.clone();
            let write = move |tx: &mut Tx| -> Result<CodeChoice> {
                let choice = codes.check(tx, &new, now)?;
                if matches!(choice, CodeChoice::Usable) {
                    codes.insert(tx, &new, id, now)?;
                }
                Ok(choice)
            };
            if matches!(self.store.write(write).await?, CodeChoice::Usable) {
                return Ok((start, code));
            }
        }
    }

    /// Finishes a login with its code.
    ///
    /// # Errors
    /// `otp_code_required`, `otp_incorrect`, `operation_unknown`, `login_step_wrong`, `wrong_otp`, `otp_expired`,
    /// `otp_tries_exhausted`.
    pub async fn finish_login(
        &self,
        step: LoginStep,
        phone: Option<String>,
        code: Option<String>,
        operation: Option<String>,
        mut errors: FieldErrors,
    ) -> Result<OpenedSession> {
        let phone = read_phone(phone.as_deref(), &mut errors);
        let digits = self.codes.settings.digits;
        let code = read_code(step, code.as_deref(), digits, &mut errors);
        let operation = read_operation(operation.as_deref(), &mut errors);
        errors.check()?;
        let (Some(phone), Some(code), Some(operation)) = (phone, code, operation) else {
            return Err(Refusal::new(RefusalKind::Invalid, Key::FieldRequired).into());
        };
        let digest = self.codes.keys.code_digest(operation, &phone, &code);
        let (now, tries_max) = (self.clock.now(), self.codes.settings.tries_max);
        let session = self.new_session();
        let opened = session.clone();
        let write = move |tx: &mut Tx| -> Result<CodeCheck<NotaryId>, StorageError> {
            let found = login_operations::by_id(tx, operation)?;
            let known =
                found.filter(|found| found.purpose == LoginPurpose::Login && found.phone == phone);
            let Some(known) = known else {
                return Ok(CodeCheck::Refused(unknown_operation()));
            };
            if known.step != step {
                return Ok(CodeCheck::Refused(Refusal::conflict(Key::LoginStepWrong)));
            }
            let check = check_code(tx, &known, &digest, tries_max, now)?;
            if let CodeCheck::Accepted(notary) = check {
                // A notary who had to agree to the terms has done so, or the login would not have started.
                notaries::agree_to_terms(tx, notary, now)?;
                session.insert(tx, notary, now)?;
            }
            Ok(check)
        };
        match self.store.write(write).await? {
            CodeCheck::Refused(refusal) => {
                metrics::counter!("login_codes_total", "verdict" => "refused").increment(1);
                Err(self.codes.hidden(refusal).into())
            }
            CodeCheck::Accepted(notary) => {
                metrics::counter!("login_codes_total", "verdict" => "right").increment(1);
                tracing::info!(notary.id = %notary, session.id = %opened.id(), "A notary signed in");
                Ok(opened.opened(notary))
            }
        }
    }
}
