//! Sign-up: an account, and the proof that its phone is its owner's.

use std::net::IpAddr;

use cabinet_domain::{Key, Locale, NotaryId, PersonName, SessionId};
use cabinet_storage::login_operations::{self, Purpose};
use cabinet_storage::notaries::{self, LoginStep, NewNotary};
use cabinet_storage::{StorageError, Tx, sessions};
use jiff::Timestamp;

use super::check_code::{Verdict, judge, read_code, read_operation, unknown};
use super::login::{Draft, Leave, LoginStart, read_phone};
use super::profile::read_registry_identifier;
use super::sessions::{NewSession, OpenedSession};
use crate::App;
use crate::refusal::{AppError, FieldErrors, Outcome, Refusal, Sort};

/// What `POST /auth/sign-up` says.
#[derive(Default)]
pub struct SignUpWish {
    /// Surname, name, patronymic.
    pub full_name: Option<String>,
    /// The phone as it was typed.
    pub phone: Option<String>,
    /// Identifier in the register.
    pub registry_identifier: Option<String>,
    /// The terms were ticked.
    pub is_agreed: bool,
}

/// An account that waits for its phone to be verified.
#[derive(Debug)]
pub struct SignUpStart {
    /// A session that may verify the phone and nothing else until then.
    pub session: OpenedSession,
    /// The code's operation.
    pub code: LoginStart,
}

enum Written {
    PhoneInUse,
    CodeTaken,
    Account(NotaryId),
}

impl App {
    /// Makes an account and sends the code that verifies its phone.
    ///
    /// # Errors
    /// The keys of the fields, `phone_in_use`, `otp_too_soon`, `too_many_codes`, `too_many_codes_from_address`, `otp_not_sent`.
    pub async fn sign_up(
        &self,
        wish: SignUpWish,
        mut errors: FieldErrors,
        address: IpAddr,
        locale: Locale,
    ) -> Outcome<SignUpStart> {
        errors.refuse_card("full_name", wish.full_name.as_deref());
        let name = PersonName::parse(wish.full_name.as_deref().unwrap_or_default());
        let full_name = errors.take(
            "full_name",
            name.map_err(|error| error.key(Key::FullNameRequired)),
        );
        let phone = read_phone(wish.phone.as_deref(), &mut errors);
        let registry_identifier =
            read_registry_identifier(wish.registry_identifier.as_deref(), &mut errors);
        if !wish.is_agreed && !errors.has("is_agreed") {
            errors.add("is_agreed", Key::IsAgreeChecked);
        }
        errors.check()?;
        let (Some(full_name), Some(phone), Some(registry_identifier)) =
            (full_name, phone, registry_identifier)
        else {
            return Err(Refusal::new(Sort::Invalid, Key::FieldRequired).into());
        };
        let alike = self.settings().codes.alike_answers;
        let now = self.now();
        let account = NewNotary {
            id: NotaryId::new(self.new_id()),
            phone: phone.clone(),
            full_name,
            registry_identifier,
            login_step: LoginStep::Otp,
            new_flow_enabled: true,
            agreed_terms_at: Some(now),
            phone_verified_at: None,
            created_at: now,
        };
        let session = NewSession::draw(self);
        let start = self.login_start(LoginStep::Otp, None);
        let written = self
            .write_sign_up(&account, &session, &start, address)
            .await;
        let (notary, code) = match written {
            Ok(Some(written)) => written,
            Ok(None) | Err(AppError::Refused(_)) if alike => return Ok(self.pretended_sign_up()),
            Ok(None) => {
                let in_use = Refusal::conflict(Key::PhoneInUse).on("phone");
                return Err(self.refuse_entry(in_use, address).await);
            }
            Err(error) => return Err(error),
        };
        match self.send_code(start.operation, &phone, &code, locale).await {
            Err(AppError::Refused(_)) if alike => return Ok(self.pretended_sign_up()),
            sent => sent?,
        }
        Ok(SignUpStart {
            session: session.opened(notary),
            code: start,
        })
    }

    /// Writes down an account that waits for its phone to be verified, its session and its code, and returns the account and the
    /// code. `None` where the phone is verified already.
    async fn write_sign_up(
        &self,
        account: &NewNotary,
        session: &NewSession,
        start: &LoginStart,
        address: IpAddr,
    ) -> Outcome<Option<(NotaryId, String)>> {
        let now = account.created_at;
        loop {
            let draft = Draft {
                start: start.clone(),
                purpose: Purpose::SignUp,
                phone: account.phone.clone(),
                address: self.keys().address_digest(address),
                code: self.draw_code(),
            };
            let code = draft.code.clone();
            let (app, account, session) = (self.clone(), account.clone(), session.clone());
            let write = move |tx: &mut Tx| -> Outcome<Written> {
                let known = notaries::by_phone(tx, &account.phone)?;
                if known
                    .as_ref()
                    .is_some_and(|known| known.phone_verified_at.is_some())
                {
                    return Ok(Written::PhoneInUse);
                }
                if matches!(app.leave_for(tx, &draft, now)?, Leave::CodeTaken) {
                    return Ok(Written::CodeTaken);
                }
                let id = match known {
                    // Nobody proved to own the phone yet, so the newest sign-up counts, and it alone.
                    Some(known) => {
                        notaries::restart_sign_up(tx, known.id, &account)?;
                        sessions::end_all(tx, known.id, now, sessions::EndReason::SignedUpAnew)?;
                        known.id
                    }
                    None if notaries::insert(tx, &account)? => account.id,
                    None => return Ok(Written::PhoneInUse),
                };
                session.insert(tx, id, now)?;
                app.insert_operation(tx, &draft, id, now)?;
                Ok(Written::Account(id))
            };
            match self.inner.store.write(write).await? {
                Written::PhoneInUse => return Ok(None),
                Written::CodeTaken => {}
                Written::Account(id) => return Ok(Some((id, code))),
            }
        }
    }

    /// The answer for a phone that is verified already, where the answers must be alike: its session is none, and no code will ever
    /// fit.
    fn pretended_sign_up(&self) -> SignUpStart {
        SignUpStart {
            session: NewSession::draw(self).opened(NotaryId::new(self.new_id())),
            code: self.pretended_login(),
        }
    }

    /// Whether the caller may try to verify a phone: the session is alive, be the phone verified or not. Where the answers must be
    /// alike, whoever holds a token may try, for a session that is none must not be told from one that is.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn session_alive_at_sign_up(
        &self,
        notary: NotaryId,
        session: SessionId,
    ) -> Outcome<bool> {
        let now = self.now();
        Ok(self.settings().codes.alike_answers
            || self
                .inner
                .store
                .read(move |tx| sessions::alive_unverified(tx, session, notary, now))
                .await?)
    }

    /// Verifies the phone of the account whose session calls. The session is good for every call from then on; any other of the
    /// account is ended. Answers when the session ends unless it is refreshed before.
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
    ) -> Outcome<Timestamp> {
        let code = read_code(
            LoginStep::Otp,
            code.as_deref(),
            self.settings().codes.digits,
            &mut errors,
        );
        let operation = read_operation(operation.as_deref(), &mut errors);
        errors.check()?;
        let (Some(code), Some(operation)) = (code, operation) else {
            return Err(Refusal::new(Sort::Invalid, Key::FieldRequired).into());
        };
        let (now, most) = (self.now(), self.settings().codes.tries_max);
        let app = self.clone();
        let verdict = self
            .inner
            .store
            .write(move |tx| {
                if !sessions::alive_unverified(tx, session, notary, now)? {
                    let dead = Refusal::new(Sort::Unauthorized, Key::Unauthorized);
                    return Ok(Verdict::Refused(dead));
                }
                let found = login_operations::by_id(tx, operation)?;
                let known = found
                    .filter(|found| found.purpose == Purpose::SignUp && found.notary_id == notary);
                let Some(known) = known else {
                    return Ok(Verdict::Refused(unknown()));
                };
                let digest = app.keys().code_digest(operation, &known.phone, &code);
                match judge(tx, &known, &digest, most, now)? {
                    Verdict::Refused(refusal) => Ok(Verdict::Refused(refusal)),
                    Verdict::Right(_) => {
                        notaries::verify_phone(tx, notary, now)?;
                        sessions::end_others(
                            tx,
                            notary,
                            session,
                            now,
                            sessions::EndReason::SignedUpAnew,
                        )?;
                        Ok::<_, StorageError>(Verdict::Right(sessions::ends_at(tx, session)?))
                    }
                }
            })
            .await?;
        match verdict {
            Verdict::Refused(_) if self.settings().codes.alike_answers => {
                Err(Refusal::field("otp_code", Key::WrongOtp).into())
            }
            Verdict::Refused(refusal) => Err(refusal.into()),
            Verdict::Right(ends_at) => {
                tracing::info!(notary.id = %notary, "A notary signed up");
                Ok(ends_at)
            }
        }
    }
}
