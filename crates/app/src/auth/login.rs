//! `POST /auth/login`: starts a login by the step of the account.

use std::net::IpAddr;
use std::time::Duration;

use cabinet_domain::{Key, Locale, NotaryId, OperationId, Phone, TransactionId};
use cabinet_gateways::sms::SmsError;
use cabinet_storage::login_operations::{self, NewOperation, Purpose};
use cabinet_storage::notaries::{self, LoginStep, Notary};
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};

use crate::keys::Digest;
use crate::refusal::{AppError, FieldErrors, Outcome, Refusal, Sort};
use crate::settings::CodeSettings;
use crate::{App, codes, texts};

/// A code differs from those of the same phone within so long. The message services refuse a text that the same phone got a
/// moment ago (TurboSMS: 90 seconds), and a person with two messages must not take one for the other.
const DIFFERENT_WITHIN: SignedDuration = SignedDuration::from_mins(10);

const HOUR: SignedDuration = SignedDuration::from_hours(1);
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// What `POST /auth/login` says.
#[derive(Default)]
pub struct LoginWish {
    /// The phone as it was typed.
    pub phone: Option<String>,
    /// The terms were ticked.
    pub is_agree_with_terms: bool,
}

/// A login that waits for its code or call.
#[derive(Clone, Debug)]
pub struct LoginStart {
    /// Names this login.
    pub operation: OperationId,
    /// How it goes on.
    pub step: LoginStep,
    /// The realtime channel of the phone-call step.
    pub transaction: Option<TransactionId>,
    /// When the code or the call stops being good.
    pub expires_at: Timestamp,
    /// When another may be asked for.
    pub resend_at: Timestamp,
}

/// An operation that is about to be written down, with all that was drawn for it: a unit of work may run twice.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) start: LoginStart,
    pub(super) purpose: Purpose,
    pub(super) phone: Phone,
    /// Where it is asked from.
    pub(super) address: Digest,
    /// Empty where the step has none.
    pub(super) code: String,
}

/// Whether an operation may be written down.
pub(super) enum Leave {
    Granted,
    /// The phone got the same code a moment ago: another must be drawn.
    CodeTaken,
}

impl App {
    /// Starts a login.
    ///
    /// # Errors
    /// `phone_required`, `phone_incorrect`, `phone_not_exist`, `user_not_agreed_with_new_terms`, `otp_too_soon`,
    /// `too_many_codes`, `too_many_codes_from_address`, `otp_not_sent`, `call_not_placed`.
    pub async fn start_login(
        &self,
        wish: LoginWish,
        mut errors: FieldErrors,
        address: IpAddr,
        locale: Locale,
    ) -> Outcome<LoginStart> {
        let phone = read_phone(wish.phone.as_deref(), &mut errors);
        errors.check()?;
        let Some(phone) = phone else {
            return Err(Refusal::field("phone", Key::PhoneRequired).into());
        };
        let wanted = phone.clone();
        let notary = self
            .inner
            .store
            .read(move |tx| notaries::by_phone(tx, &wanted))
            .await?;
        // Then not even a limit or a broken message service may tell a known phone from an unknown one.
        let alike = self.settings().codes.alike_answers;
        let Some(notary) = notary.filter(|notary| notary.phone_verified_at.is_some()) else {
            if alike {
                return Ok(self.pretended_login());
            }
            let unknown = Refusal::not_found(Key::PhoneNotExist).on("phone");
            return Err(self.refuse_entry(unknown, address).await);
        };
        if notary.agreed_terms_at.is_none() && !wish.is_agree_with_terms {
            let unticked = Refusal::field("is_agree_with_terms", Key::UserNotAgreedWithNewTerms);
            return Err(self.refuse_entry(unticked, address).await);
        }
        let step = notary.login_step;
        let transaction =
            (step == LoginStep::PhoneCall).then(|| TransactionId::new(self.randomness().uuid_v4()));
        let start = self.login_start(step, transaction);
        let operation = start.operation;
        let code = match self.write_login(&notary, &start, address).await {
            Err(AppError::Refused(_)) if alike => return Ok(self.pretended_login()),
            code => code?,
        };
        match step {
            LoginStep::Otp => match self.send_code(operation, &phone, &code, locale).await {
                Err(AppError::Refused(_)) if alike => return Ok(self.pretended_login()),
                sent => sent?,
            },
            LoginStep::Custom => {}
            LoginStep::PhoneCall => {
                if let Some(transaction) = transaction {
                    self.place_call(operation, transaction, &notary, locale)
                        .await?;
                }
            }
        }
        Ok(start)
    }

    /// Writes down the operation of a login and returns its code.
    async fn write_login(
        &self,
        notary: &Notary,
        start: &LoginStart,
        address: IpAddr,
    ) -> Outcome<String> {
        loop {
            let draft = Draft {
                start: start.clone(),
                purpose: Purpose::Login,
                phone: notary.phone.clone(),
                address: self.keys().address_digest(address),
                code: match start.step {
                    LoginStep::Otp => self.draw_code(),
                    LoginStep::Custom => {
                        identifier_as_code(notary.profile.registry_identifier.as_str())
                    }
                    LoginStep::PhoneCall => String::new(),
                },
            };
            let (app, id, code, now) = (self.clone(), notary.id, draft.code.clone(), self.now());
            let write = move |tx: &mut Tx| -> Outcome<Leave> {
                let leave = app.leave_for(tx, &draft, now)?;
                if matches!(leave, Leave::Granted) {
                    app.insert_operation(tx, &draft, id, now)?;
                }
                Ok(leave)
            };
            if matches!(self.inner.store.write(write).await?, Leave::Granted) {
                return Ok(code);
            }
        }
    }

    /// A code of the length that is set.
    pub(super) fn draw_code(&self) -> String {
        codes::draw(self.randomness(), self.settings().codes.digits)
    }

    /// The answer for an unknown phone where the answers must be alike: nothing was sent and no code will ever fit.
    pub(super) fn pretended_login(&self) -> LoginStart {
        self.login_start(LoginStep::Otp, None)
    }

    /// A login that begins now.
    pub(super) fn login_start(
        &self,
        step: LoginStep,
        transaction: Option<TransactionId>,
    ) -> LoginStart {
        let (now, codes) = (self.now(), &self.settings().codes);
        LoginStart {
            operation: OperationId::new(self.randomness().uuid_v4()),
            step,
            transaction,
            expires_at: now + codes.lifetime,
            resend_at: now + codes.resend_after,
        }
    }

    /// Counts a try that is refused for what is on file of the phone, and answers the refusal. Whoever goes through the numbers
    /// meets the limit of the address, and from then on hears nothing of any phone.
    pub(super) async fn refuse_entry(&self, refusal: Refusal, address: IpAddr) -> AppError {
        let (now, codes) = (self.now(), self.settings().codes.clone());
        let address = self.keys().address_digest(address);
        let write = move |tx: &mut Tx| -> Result<Option<Refusal>, StorageError> {
            for (count, most, window) in limits_of_address(&address, &codes) {
                if let Some(wait) = wait_for(tx, count, most, window, now)? {
                    return Ok(Some(count.refusal(wait)));
                }
            }
            login_operations::record_refused_entry(tx, &address, now)?;
            Ok(None)
        };
        match self.inner.store.write(write).await {
            Ok(beyond_limit) => beyond_limit.unwrap_or(refusal).into(),
            Err(error) => error.into(),
        }
    }

    /// Asks the limits, and whether the code is another than those just sent. Only reads.
    ///
    /// # Errors
    /// `too_many_codes`, `too_many_codes_from_address`, `otp_too_soon`.
    pub(super) fn leave_for(&self, tx: &mut Tx, draft: &Draft, now: Timestamp) -> Outcome<Leave> {
        let codes = &self.settings().codes;
        let Draft {
            start,
            phone,
            address,
            code,
            ..
        } = draft;
        // Those of the address come first: it is the caller's own, and once they are reached nothing is told of the phone.
        let of_phone = [
            (Count::Codes(phone), codes.hourly_max, HOUR),
            (Count::Codes(phone), codes.daily_max, DAY),
        ];
        for (count, most, window) in limits_of_address(address, codes)
            .into_iter()
            .chain(of_phone)
        {
            if let Some(wait) = wait_for(tx, count, most, window, now)? {
                return Err(count.refusal(wait).into());
            }
        }
        // Nothing is sent or called in the custom step.
        if start.step != LoginStep::Custom {
            let since = now - codes.resend_after;
            let last =
                login_operations::last_sent_to_phone(tx, phone, since, codes.tries_max, now)?;
            if let Some(last) = last {
                let wait = whole_seconds((last + codes.resend_after).duration_since(now));
                return Err(Refusal::new(Sort::TooMany(wait), Key::OtpTooSoon)
                    .on("phone")
                    .into());
            }
        }
        if start.step == LoginStep::Otp {
            let recent = login_operations::codes_of_phone(tx, phone, now - DIFFERENT_WITHIN)?;
            let is_taken = recent.iter().any(|(operation, digest)| {
                *digest == self.keys().code_digest(*operation, phone, code)
            });
            if is_taken {
                return Ok(Leave::CodeTaken);
            }
        }
        Ok(Leave::Granted)
    }

    /// Writes the operation down.
    ///
    /// # Errors
    /// When the database can't be written.
    pub(super) fn insert_operation(
        &self,
        tx: &mut Tx,
        draft: &Draft,
        notary: NotaryId,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let Draft {
            start, phone, code, ..
        } = draft;
        let code_hash =
            (!code.is_empty()).then(|| self.keys().code_digest(start.operation, phone, code));
        login_operations::insert(
            tx,
            &NewOperation {
                id: start.operation,
                notary_id: notary,
                phone: phone.clone(),
                purpose: draft.purpose,
                step: start.step,
                code_hash,
                address_hash: draft.address,
                transaction_id: start.transaction,
                created_at: now,
                expires_at: start.expires_at,
            },
        )
    }

    /// Sends the code. Where it certainly did not go out, the operation is taken back, so that a broken message service locks nobody
    /// out. A message that may have gone out counts.
    pub(super) async fn send_code(
        &self,
        operation: OperationId,
        phone: &Phone,
        code: &str,
        locale: Locale,
    ) -> Outcome<()> {
        let text = texts::code_message(locale, code);
        let sent = self.sms().send(phone, &text, &operation.to_string()).await;
        match sent {
            Ok(()) => Ok(()),
            Err(error) => {
                tracing::warn!(operation.id = %operation, %error, "A code was not sent");
                if error != SmsError::Unknown {
                    self.take_back(operation).await?;
                }
                Err(Refusal::new(Sort::Outside, Key::OtpNotSent)
                    .on("phone")
                    .into())
            }
        }
    }

    /// Takes back an operation whose message or call certainly did not go out: it counts for no limit.
    pub(super) async fn take_back(&self, operation: OperationId) -> Outcome<()> {
        Ok(self
            .inner
            .store
            .write(move |tx| login_operations::delete(tx, operation))
            .await?)
    }
}

/// A wait that a person or a program is told, in seconds: never shorter than it is.
fn whole_seconds(wait: SignedDuration) -> Duration {
    let wait = wait.unsigned_abs();
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    Duration::from_secs(seconds.max(1))
}

/// A phone from a request, or its key noted.
pub(super) fn read_phone(text: Option<&str>, errors: &mut FieldErrors) -> Option<Phone> {
    if errors.has("phone") {
        return None;
    }
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    errors.take(
        "phone",
        text.ok_or(Key::PhoneRequired).and_then(Phone::parse),
    )
}

/// The registry identifier as the code of the custom step: people type it in either case.
pub(super) fn identifier_as_code(identifier: &str) -> String {
    identifier.trim().to_uppercase()
}

/// What is counted against a limit.
#[derive(Clone, Copy)]
enum Count<'a> {
    Codes(&'a Phone),
    Entries(&'a Digest),
    /// Codes of a few digits can be guessed by trying a few at each of many phones.
    WrongCodes(&'a Digest),
}

impl Count<'_> {
    /// What is said where the limit is reached.
    fn refusal(self, wait: Duration) -> Refusal {
        let key = match self {
            Count::Codes(_) => Key::TooManyCodes,
            Count::Entries(_) | Count::WrongCodes(_) => Key::TooManyCodesFromAddress,
        };
        Refusal::new(Sort::TooMany(wait), key).on("phone")
    }
}

/// The limits of an address: what is counted, how many, in which time.
fn limits_of_address<'a>(
    address: &'a Digest,
    codes: &CodeSettings,
) -> [(Count<'a>, i64, SignedDuration); 2] {
    [
        (Count::Entries(address), codes.address_hourly_max, HOUR),
        (
            Count::WrongCodes(address),
            codes.address_wrong_daily_max,
            DAY,
        ),
    ]
}

/// How long to wait until the limit allows one more; `None` where it does now.
fn wait_for(
    tx: &mut Tx,
    count: Count<'_>,
    most: i64,
    window: SignedDuration,
    now: Timestamp,
) -> Result<Option<Duration>, StorageError> {
    let since = now - window;
    let (asked, oldest) = match count {
        Count::Codes(phone) => login_operations::count_of_phone(tx, phone, since)?,
        Count::Entries(address) => login_operations::count_of_address(tx, address, since)?,
        Count::WrongCodes(address) => login_operations::wrong_codes_of_address(tx, address, since)?,
    };
    if asked < most {
        return Ok(None);
    }
    let until = oldest.map_or(now, |oldest| oldest + window);
    Ok(Some(whole_seconds(until.duration_since(now))))
}
