//! `POST /auth/login`: starts a login by the step of the account. `POST /auth/login/otp` and `/auth/login/otp/custom`: finish it
//! with a code.

use cabinet_domain::{Actor, Key, Locale, LoginPurpose, LoginStep, Notary, NotaryId, Phone};
use cabinet_metrics::{CodeVerdict, LOGIN_CODES};
use cabinet_storage::account::{login_operations, notaries};
use cabinet_storage::{StorageError, Tx};
use jiff::SignedDuration;
use tracing::Instrument as _;

use super::Accounts;
use super::code_check::{CodeCheck, unknown_operation};
use super::entrance::Passed;
use super::fields::{identifier_as_code, read_code, read_operation, read_phone};
use super::limits::budget_of;
use super::one_time_codes::{Issued, LoginStart};
use super::sessions::OpenedSession;
use super::visitor::{Visitor, VisitorTraces};
use crate::kernel::refusal::{AppError, FieldErrors, Refusal, RefusalKind, Result};
use crate::kernel::texts;

/// A call may take the place of a code that was not sent for so long after it was asked for.
const CALL_OFFERED_FOR: SignedDuration = SignedDuration::from_mins(15);

/// The request of `POST /auth/login`.
#[derive(Default)]
pub struct LoginRequest {
    /// The phone as it was typed.
    pub phone: Option<String>,
    /// Whether the terms were ticked.
    pub is_agree_with_terms: bool,
    /// Whether a call is wanted in the place of a code that was not sent.
    pub by_call: bool,
}

/// What a login is finished with, as it was typed.
#[derive(Default)]
pub struct LoginCodeFields {
    /// The phone.
    pub phone: Option<String>,
    /// The code, or the registry identifier in the custom step.
    pub otp_code: Option<String>,
    /// The operation.
    pub operation_id: Option<String>,
}

/// What a right code of a login has led to.
pub enum LoginFinish {
    /// A session.
    Opened(OpenedSession),
    /// A code that must follow the registry identifier on a new device.
    CodeSent(LoginStart),
}

impl Accounts {
    /// Starts a login.
    ///
    /// # Errors
    /// `phone_required`, `phone_incorrect`, `phone_not_mobile`, `phone_not_exist`, `user_not_agreed_with_new_terms`, `otp_too_soon`,
    /// `too_many_codes`, `too_many_codes_from_address`, `otp_not_sent`, `call_not_placed`.
    pub async fn start_login(
        &self,
        request: LoginRequest,
        mut errors: FieldErrors,
        visitor: &Visitor,
        locale: Locale,
    ) -> Result<LoginStart> {
        let phone = read_phone(request.phone.as_deref(), &mut errors);
        errors.check()?;
        let Some(phone) = phone else {
            return Err(Refusal::field("phone", Key::PhoneRequired).into());
        };
        self.codes.check_mobile(&phone)?;
        let visitor = visitor.traces(&self.codes.keys);
        let hides_accounts = self.codes.settings.hide_account_existence;
        let Some(notary) = self.verified_account(&phone).await? else {
            if hides_accounts {
                return self.pretended_login(&phone, &visitor).await;
            }
            let unknown = Refusal::not_found(Key::PhoneNotExist).on("phone");
            return Err(self.codes.refuse_attempt(unknown, &visitor).await);
        };
        // Where the existence of accounts is hidden, the box is not asked for: to send the code is to have agreed.
        if notary.agreed_terms_at.is_none() && !request.is_agree_with_terms {
            let unticked = Refusal::field("is_agree_with_terms", Key::UserNotAgreedWithNewTerms);
            return Err(self.codes.refuse_attempt(unticked, &visitor).await);
        }
        // And not even a limit may tell a known phone from an unknown one.
        let issued = self.issue_login_code(&notary, (notary.login_step, request.by_call), &visitor);
        let (start, code) = match issued.await {
            Err(AppError::Refused(_)) if hides_accounts => {
                return self.pretended_login(&phone, &visitor).await;
            }
            issued => issued?,
        };
        // The code that follows a registry identifier has no such offer: a call is asked for where the login starts.
        let reached = self.reach(&notary, &start, &code, locale).await;
        reached.map_err(|error| self.codes.offer_call(error))?;
        Ok(start)
    }

    async fn pretended_login(&self, phone: &Phone, visitor: &VisitorTraces) -> Result<LoginStart> {
        let purpose = LoginPurpose::Login;
        self.codes.pretended(purpose, phone, visitor).await
    }

    /// Sends the code of a login, or calls. Where the existence of accounts is hidden, this happens after the answer, which then
    /// takes as long as for an unknown phone, and tells nothing of a broken message service.
    async fn reach(
        &self,
        notary: &Notary,
        start: &LoginStart,
        code: &str,
        locale: Locale,
    ) -> Result<()> {
        let accounts = self.clone();
        let (notary, start, code) = (notary.clone(), start.clone(), code.to_owned());
        let reaching = async move {
            match start.step {
                LoginStep::Otp => {
                    let text = texts::code_message(locale, &code);
                    let (operation, phone) = (start.operation, &notary.phone);
                    accounts.codes.send(operation, phone, &text).await
                }
                LoginStep::Custom => Ok(()),
                LoginStep::PhoneCall => {
                    accounts
                        .place_phone_call(&start, LoginPurpose::Login, &notary.phone, locale)
                        .await
                }
            }
        };
        if self.codes.settings.hide_account_existence {
            // A failure is logged where it happens.
            tokio::spawn(reaching.in_current_span());
            return Ok(());
        }
        reaching.await
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
    async fn issue_login_code(
        &self,
        notary: &Notary,
        (step, by_call): (LoginStep, bool),
        visitor: &VisitorTraces,
    ) -> Result<(LoginStart, String)> {
        loop {
            let mut request = self
                .codes
                .request(LoginPurpose::Login, &notary.phone, visitor);
            request.by_call = by_call;
            request.identifier = Some(identifier_as_code(
                notary.profile.registry_identifier.as_str(),
            ));
            let (codes, id) = (self.codes.clone(), notary.id);
            let write = move |tx: &mut Tx| -> Result<Issued> {
                let mut request = request.clone();
                let (address, since) = (
                    &request.visitor.address,
                    request.moment() - CALL_OFFERED_FOR,
                );
                // Only whoever asked for a code that did not arrive may have its owner called.
                request.by_call &= login_operations::was_unsent(tx, id, address, since)?;
                let who = (id, &request.phone);
                let by = (step, &codes.settings);
                let budget = budget_of(tx, who, &request.visitor, by, request.moment())?;
                let terms = codes.terms(tx, &request, budget, step)?;
                Ok(codes.issue(tx, &request, id, terms)?)
            };
            if let Issued::Code(start, code) = self.store.write(write).await? {
                return Ok((start, code));
            }
        }
    }

    /// Finishes a login with its code. A registry identifier may have to be followed by a code.
    ///
    /// # Errors
    /// `otp_code_required`, `otp_incorrect`, `operation_unknown`, `login_step_wrong`, `wrong_otp`, `otp_expired`,
    /// `otp_tries_exhausted`, `account_blocked`. Where a code follows, those of its sending: `otp_too_soon`, `too_many_codes`,
    /// `too_many_codes_from_address`, `otp_not_sent`, `call_not_placed`.
    pub async fn finish_login(
        &self,
        step: LoginStep,
        fields: LoginCodeFields,
        mut errors: FieldErrors,
        visitor: &Visitor,
        locale: Locale,
    ) -> Result<LoginFinish> {
        let phone = read_phone(fields.phone.as_deref(), &mut errors);
        let code = read_code(
            step,
            fields.otp_code.as_deref(),
            self.codes.settings.lengths(),
            &mut errors,
        );
        let operation = read_operation(fields.operation_id.as_deref(), &mut errors);
        errors.check()?;
        let (Some(phone), Some(code), Some(operation)) = (phone, code, operation) else {
            return Err(Refusal::new(RefusalKind::Invalid, Key::FieldRequired).into());
        };
        let session = self.new_session(visitor);
        let (opened, codes, entrance) = (session.clone(), self.codes.clone(), self.entrance());
        let write = move |tx: &mut Tx| -> Result<CodeCheck<Passed>, StorageError> {
            let found = login_operations::by_id(tx, operation)?;
            let known =
                found.filter(|found| found.purpose == LoginPurpose::Login && found.phone == phone);
            let Some(known) = known else {
                return Ok(CodeCheck::Refused(unknown_operation()));
            };
            if known.step != step {
                return Ok(CodeCheck::Refused(Refusal::conflict(Key::LoginStepWrong)));
            }
            entrance.check(tx, &session, &known, &code, &codes)
        };
        let checked = self.store.write(write).await?;
        if matches!(checked, CodeCheck::Wrong(_)) && self.codes.settings.hide_account_existence {
            let origin = opened.visitor().origin(Actor::Stranger);
            self.record_failed_entry_later(operation, origin);
        }
        match checked {
            CodeCheck::Wrong(refusal) | CodeCheck::Refused(refusal) => {
                LOGIN_CODES.count(CodeVerdict::Refused);
                Err(self.codes.hidden(refusal).into())
            }
            CodeCheck::Accepted(Passed::CodeNeeded(notary)) => {
                let sent = self.send_code_after_identifier(notary, visitor, locale);
                match sent.await {
                    Ok(start) => Ok(LoginFinish::CodeSent(start)),
                    Err(error) => {
                        // The identifier may be sent again, after the pause or once messages get through.
                        let give_back =
                            move |tx: &mut Tx| login_operations::give_back(tx, operation);
                        self.store.write(give_back).await?;
                        Err(error)
                    }
                }
            }
            CodeCheck::Accepted(Passed::Entered(notary, entered)) => {
                LOGIN_CODES.count(CodeVerdict::Right);
                tracing::info!(notary.id = %notary, session.id = %opened.id(), "A notary signed in");
                Ok(LoginFinish::Opened(opened.opened(notary, entered)))
            }
        }
    }

    /// Sends the code that follows the registry identifier, or calls where the codes are used up.
    async fn send_code_after_identifier(
        &self,
        notary: NotaryId,
        visitor: &Visitor,
        locale: Locale,
    ) -> Result<LoginStart> {
        let notary = self.profile(notary).await?;
        let visitor = visitor.traces(&self.codes.keys);
        let issued = self.issue_login_code(&notary, (LoginStep::Otp, false), &visitor);
        let (start, code) = issued.await?;
        self.reach(&notary, &start, &code, locale).await?;
        Ok(start)
    }
}
