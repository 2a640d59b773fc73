//! `POST /auth/login`: starts a login by the step of the account.

use std::net::IpAddr;
use std::time::Duration;

use cabinet_domain::{Key, Locale, OperationId, Phone, TransactionId};
use cabinet_storage::login_operations::{self, NewOperation, Purpose};
use cabinet_storage::notaries::{self, LoginStep, Notary};
use cabinet_storage::{StorageError, Tx};
use jiff::{SignedDuration, Timestamp};

use crate::keys::Digest;
use crate::refusal::{AppError, FieldErrors, Outcome, Refusal, Sort};
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

/// An operation that is about to be written down.
pub(super) struct Draft {
    pub(super) start: LoginStart,
    pub(super) purpose: Purpose,
    /// Where it is asked from.
    pub(super) address: Digest,
}

impl App {
    /// Starts a login.
    ///
    /// # Errors
    /// `phone_required`, `phone_incorrect`, `phone_not_exist`, `user_not_agreed_with_new_terms`, `too_many_codes`,
    /// `too_many_codes_from_address`, `otp_not_sent`, `call_not_placed`.
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
        let draft = Draft {
            start: start.clone(),
            purpose: Purpose::Login,
            address: self.keys().address_digest(address),
        };
        let (app, noted) = (self.clone(), notary.clone());
        let code = self
            .inner
            .store
            .write(move |tx| app.note(tx, &draft, &noted))
            .await;
        let code = match code {
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

    /// The answer for an unknown phone where the answers must be alike: nothing was sent and no code will ever fit.
    fn pretended_login(&self) -> LoginStart {
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
        let (now, most) = (self.now(), self.settings().codes.address_hourly_max);
        let address = self.keys().address_digest(address);
        let write = move |tx: &mut Tx| -> Result<Option<Duration>, StorageError> {
            let wait = wait_for(tx, Count::Entries(&address), most, HOUR, now)?;
            if wait.is_none() {
                login_operations::note_refused_entry(tx, &address, now)?;
            }
            Ok(wait)
        };
        match self.inner.store.write(write).await {
            Ok(None) => refusal.into(),
            Ok(Some(wait)) => Count::Entries(&address).refusal(wait).into(),
            Err(error) => error.into(),
        }
    }

    /// Writes the operation down, and answers its code, which is empty where the step has none.
    ///
    /// # Errors
    /// `too_many_codes`, `too_many_codes_from_address`.
    pub(super) fn note(&self, tx: &mut Tx, draft: &Draft, notary: &Notary) -> Outcome<String> {
        let (now, codes) = (self.now(), &self.settings().codes);
        let Draft {
            start,
            purpose,
            address,
        } = draft;
        let phone = &notary.phone;
        // Those of the address come first: it is the caller's own, and once they are reached nothing is told of the phone.
        let limits = [
            (Count::Entries(address), codes.address_hourly_max, HOUR),
            (
                Count::WrongCodes(address),
                codes.address_wrong_daily_max,
                DAY,
            ),
            (Count::Codes(phone), codes.hourly_max, HOUR),
            (Count::Codes(phone), codes.daily_max, DAY),
        ];
        for (count, most, window) in limits {
            if let Some(wait) = wait_for(tx, count, most, window, now)? {
                return Err(count.refusal(wait).into());
            }
        }
        let operation = start.operation;
        let code = match start.step {
            LoginStep::Otp => {
                let recent = login_operations::codes_of_phone(tx, phone, now - DIFFERENT_WITHIN)?;
                codes::draw_other(self.randomness(), codes.digits, |code| {
                    recent.iter().any(|(operation, digest)| {
                        *digest == self.keys().code_digest(*operation, phone, code)
                    })
                })
            }
            LoginStep::Custom => identifier_as_code(&notary.registry_identifier),
            LoginStep::PhoneCall => String::new(),
        };
        let code_hash =
            (!code.is_empty()).then(|| self.keys().code_digest(operation, phone, &code));
        login_operations::insert(
            tx,
            &NewOperation {
                id: operation,
                notary_id: notary.id,
                phone: phone.clone(),
                purpose: *purpose,
                step: start.step,
                code_hash,
                address_hash: *address,
                transaction_id: start.transaction,
                created_at: now,
                expires_at: start.expires_at,
            },
        )?;
        Ok(code)
    }

    /// Sends the code. Where it is not known to have gone out, the operation is taken back, so that a broken message service
    /// locks nobody out.
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
            // It may arrive all the same, but nobody is told the operation that its code would be good for.
            Err(error) => {
                tracing::warn!(operation.id = %operation, %error, "A code was not sent");
                self.inner
                    .store
                    .write(move |tx| login_operations::delete(tx, operation))
                    .await?;
                Err(Refusal::new(Sort::Outside, Key::OtpNotSent)
                    .on("phone")
                    .into())
            }
        }
    }
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
    let wait = until.duration_since(now).unsigned_abs();
    Ok(Some(wait.max(Duration::from_secs(1))))
}
