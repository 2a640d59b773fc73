//! One-time codes: whether one may be issued, what is stored of it, and sending it.

use std::sync::Arc;

use cabinet_domain::{
    CodeBudget, Key, LoginOperation, LoginPurpose, LoginStep, NewLoginOperation, NotaryId,
    OperationId, Phone, Randomness, SessionId, TransactionId,
};
use cabinet_gateways::phone_calls::{CONFIRMING_DIGITS, SHOWN_DIGITS};
use cabinet_gateways::sms::{SmsError, SmsServices};
use cabinet_storage::account::login_operations;
use cabinet_storage::account::login_operations::RefusedEntry;
use cabinet_storage::{StorageError, Store, Tx};
use jiff::{SignedDuration, Timestamp};

use super::limits::{
    check_sign_up, check_source, is_under_attack, refusal_of_installation, refusal_of_phone,
    whole_seconds,
};
use super::visitor::VisitorTraces;
use crate::kernel::ids::Ids;
use crate::kernel::keys::Keys;
use crate::kernel::refusal::{AppError, Detail, Refusal, RefusalKind, Result};
use crate::settings::CodeSettings;

/// The most digits of a code.
const DIGITS_MAX: u8 = 8;
/// Within so long, the codes of one phone differ. Message services refuse a text that the phone has just received (TurboSMS: 90
/// seconds), and a person with two messages must be able to tell them apart.
const DIFFERENT_WITHIN: SignedDuration = SignedDuration::from_mins(10);

/// A login that waits for its code or call.
#[derive(Clone, Debug)]
pub struct LoginStart {
    /// Names this login.
    pub operation: OperationId,
    /// How it continues.
    pub step: LoginStep,
    /// The realtime channel of the phone-call step.
    pub transaction: Option<TransactionId>,
    /// The digits that the page shows and the call asks for; `None`: the call asks for the 1 alone, or there is none.
    pub shown_digits: Option<String>,
    /// Digits of the code.
    pub code_digits: u8,
    /// When the code or the call expires.
    pub expires_at: Timestamp,
    /// When another code may be requested.
    pub resend_at: Timestamp,
}

/// What a code is asked for. Its random values are fixed before the unit of work, which may run twice.
#[derive(Clone)]
pub(super) struct CodeRequest {
    pub(super) purpose: LoginPurpose,
    pub(super) phone: Phone,
    pub(super) visitor: VisitorTraces,
    /// The session that a confirmation is for.
    pub(super) session: Option<SessionId>,
    /// The registry identifier as the code, in the custom step.
    pub(super) identifier: Option<String>,
    /// A call is wanted in the place of a code that did not leave, or may not have arrived.
    pub(super) by_call: bool,
    /// A call may not take the place of the code.
    pub(super) by_code_alone: bool,
    operation: OperationId,
    transaction: TransactionId,
    /// A code of the most digits there are. One with fewer is its beginning.
    long_code: String,
    now: Timestamp,
}

impl CodeRequest {
    /// Returns when the code is asked for.
    pub(super) const fn moment(&self) -> Timestamp {
        self.now
    }

    /// Returns the digits that the page shows for the call of a new device.
    fn digits_to_show(&self, terms: CodeTerms) -> Option<String> {
        let asks = terms.step == LoginStep::PhoneCall && terms.budget.is_of_new_device();
        let digits = self.long_code.chars().take(usize::from(SHOWN_DIGITS));
        asks.then(|| digits.collect())
    }
}

/// How a code is issued.
#[derive(Clone, Copy)]
pub(super) struct CodeTerms {
    budget: CodeBudget,
    step: LoginStep,
    digits: u8,
    resend_after: SignedDuration,
}

impl CodeTerms {
    /// The same with as many digits as while codes are being guessed: anybody may ask for such a code.
    pub(super) fn long(mut self, settings: &CodeSettings) -> CodeTerms {
        self.digits = self.digits.max(settings.attack.digits);
        self
    }
}

/// A code that was stored, or none.
pub(super) enum Issued {
    /// The code is empty where none is sent.
    Code(LoginStart, String),
    /// The phone has just received the same code, so another must be generated.
    RecentlyUsed,
}

/// Issues one-time codes.
#[derive(Clone)]
pub(crate) struct OneTimeCodes {
    pub(crate) store: Store,
    pub(crate) ids: Ids,
    pub(crate) keys: Arc<Keys>,
    pub(crate) sms: SmsServices,
    /// Whether a voice service is set up.
    pub(crate) can_call: bool,
    pub(crate) settings: CodeSettings,
}

impl OneTimeCodes {
    /// Returns the request of a code, with its random values.
    pub(super) fn request(
        &self,
        purpose: LoginPurpose,
        phone: &Phone,
        visitor: &VisitorTraces,
    ) -> CodeRequest {
        CodeRequest {
            purpose,
            phone: phone.clone(),
            visitor: visitor.clone(),
            session: None,
            identifier: None,
            by_call: false,
            by_code_alone: false,
            operation: OperationId::new(self.ids.random_id()),
            transaction: TransactionId::new(self.ids.random_id()),
            long_code: generate(self.ids.randomness.as_ref(), DIGITS_MAX),
            now: self.ids.clock.now(),
        }
    }

    /// Returns how a login from a browser goes on.
    ///
    /// A new device whose codes are used up, or for which there is no message left, goes on by a call. Whoever answers must press the
    /// digits that this browser shows, so a call can't be guessed, and pressing 1 opens no session of a stranger's.
    ///
    /// # Errors
    /// `too_many_codes`, `too_many_codes_from_address`, `otp_too_soon`.
    pub(super) fn terms(
        &self,
        tx: &mut Tx,
        request: &CodeRequest,
        budget: CodeBudget,
        account_step: LoginStep,
    ) -> Result<CodeTerms> {
        let (settings, now) = (&self.settings, request.now);
        let account_step = match account_step {
            LoginStep::Otp if request.by_call && self.offers_call(request.purpose) => {
                LoginStep::PhoneCall
            }
            step => step,
        };
        let mut under_attack = false;
        if budget.is_of_new_device() {
            under_attack = is_under_attack(tx, settings, now)?;
            // The address is checked first. Once its limits are reached, the answer says nothing about the phone.
            check_source(tx, &request.visitor, settings, under_attack, now)?;
        }
        if request.purpose == LoginPurpose::SignUp {
            check_sign_up(tx, &request.visitor, settings, now)?;
        }
        let refused = self.refusal(tx, request, budget, account_step)?;
        let step = match refused {
            None => account_step,
            Some(refusal) => {
                let may_call = self.offers_call(request.purpose)
                    && !request.by_code_alone
                    && budget != CodeBudget::KnownDevice
                    && account_step != LoginStep::PhoneCall;
                if !may_call {
                    return Err(refusal.into());
                }
                if let Some(refusal) = self.refusal(tx, request, budget, LoginStep::PhoneCall)? {
                    return Err(refusal.into());
                }
                LoginStep::PhoneCall
            }
        };
        let terms = self.terms_of_step(budget, step, under_attack);
        self.check_resend_time(tx, request, terms)?;
        Ok(terms)
    }

    /// Adds the offer of a call to the refusal of a login whose code was not sent.
    pub(super) fn offer_call(&self, error: AppError) -> AppError {
        match error {
            AppError::Refused(refusal)
                if refusal.key == Key::OtpNotSent && self.offers_call(LoginPurpose::Login) =>
            {
                refusal.with(Detail::CallOffered).into()
            }
            other => other,
        }
    }

    /// Whether a call may take the place of a code. Where the existence of accounts is hidden, a call would tell of it.
    fn offers_call(&self, purpose: LoginPurpose) -> bool {
        self.can_call && !self.settings.hide_account_existence && purpose != LoginPurpose::SignUp
    }

    fn terms_of_step(&self, budget: CodeBudget, step: LoginStep, under_attack: bool) -> CodeTerms {
        let settings = &self.settings;
        CodeTerms {
            budget,
            step,
            digits: if under_attack {
                settings.digits.max(settings.attack.digits)
            } else {
                settings.digits
            },
            resend_after: match step {
                LoginStep::PhoneCall => settings.call_again_after,
                _ if under_attack => settings.resend_after.max(settings.attack.resend_after),
                LoginStep::Otp | LoginStep::Custom => settings.resend_after,
            },
        }
    }

    fn refusal(
        &self,
        tx: &mut Tx,
        request: &CodeRequest,
        budget: CodeBudget,
        step: LoginStep,
    ) -> Result<Option<Refusal>, StorageError> {
        let (settings, now) = (&self.settings, request.now);
        let asking = (&request.phone, request.session);
        if let Some(refusal) = refusal_of_phone(tx, asking, budget, step, settings, now)? {
            return Ok(Some(refusal));
        }
        refusal_of_installation(tx, budget, step, settings, now)
    }

    fn check_resend_time(
        &self,
        tx: &mut Tx,
        request: &CodeRequest,
        terms: CodeTerms,
    ) -> Result<()> {
        // The custom step sends no message and makes no call.
        if terms.step == LoginStep::Custom {
            return Ok(());
        }
        let (now, pause) = (request.now, terms.resend_after);
        // A code that may not have arrived does not delay the call that is wanted in its place.
        let last_sent = if request.by_call && terms.step == LoginStep::PhoneCall {
            login_operations::last_call_to_phone
        } else {
            login_operations::last_sent_to_phone
        };
        let last = last_sent(
            tx,
            &request.phone,
            terms.budget,
            now - pause,
            self.settings.tries_max,
            now,
        )?;
        let Some(last) = last else { return Ok(()) };
        let wait = whole_seconds((last + pause).duration_since(now));
        Err(Refusal::new(RefusalKind::TooMany(wait), Key::OtpTooSoon)
            .on("phone")
            .into())
    }

    /// Stores the operation of a code.
    pub(super) fn issue(
        &self,
        tx: &mut Tx,
        request: &CodeRequest,
        notary: NotaryId,
        terms: CodeTerms,
    ) -> Result<Issued, StorageError> {
        let (phone, now) = (&request.phone, request.now);
        let code = match terms.step {
            LoginStep::Otp => request
                .long_code
                .chars()
                .take(usize::from(terms.digits))
                .collect(),
            LoginStep::Custom => request.identifier.clone().unwrap_or_default(),
            LoginStep::PhoneCall => String::new(),
        };
        let shown_digits = request.digits_to_show(terms);
        if terms.step == LoginStep::Otp {
            let recent = login_operations::codes_of_phone(tx, phone, now - DIFFERENT_WITHIN)?;
            let is_taken = recent.iter().any(|(operation, digest)| {
                *digest == self.keys.code_digest(*operation, phone, &code)
            });
            if is_taken {
                return Ok(Issued::RecentlyUsed);
            }
        }
        let start = self.start(request, terms, shown_digits);
        let pressed = start.shown_digits.as_deref().map(keys_of_call);
        let secret = Some(pressed.unwrap_or_else(|| code.clone())).filter(|text| !text.is_empty());
        let code_hash = secret.map(|text| self.keys.code_digest(start.operation, phone, &text));
        let operation = NewLoginOperation {
            id: start.operation,
            notary_id: notary,
            phone: phone.clone(),
            purpose: request.purpose,
            step: terms.step,
            code_hash,
            budget: terms.budget,
            code_digits: terms.digits,
            session_id: request.session,
            address_hash: request.visitor.address,
            network_hash: request.visitor.network_hash,
            transaction_id: start.transaction,
            created_at: now,
            expires_at: start.expires_at,
        };
        login_operations::insert(tx, &operation)?;
        Ok(Issued::Code(start, code))
    }

    fn start(
        &self,
        request: &CodeRequest,
        terms: CodeTerms,
        shown_digits: Option<String>,
    ) -> LoginStart {
        LoginStart {
            operation: request.operation,
            step: terms.step,
            transaction: (terms.step == LoginStep::PhoneCall).then_some(request.transaction),
            shown_digits,
            code_digits: terms.digits,
            expires_at: request.now + self.settings.lifetime,
            resend_at: request.now + terms.resend_after,
        }
    }

    /// Returns the answer for an unknown phone where the existence of accounts is hidden. Nothing is sent, and no code is right.
    pub(super) async fn pretended(
        &self,
        purpose: LoginPurpose,
        phone: &Phone,
        visitor: &VisitorTraces,
    ) -> Result<LoginStart> {
        let request = self.request(purpose, phone, visitor);
        let (settings, now) = (self.settings.clone(), request.now);
        let entry = RefusedEntry {
            address_hash: visitor.address,
            network_hash: visitor.network_hash,
            created_at: now,
        };
        // It counts for the limits of the address, and takes a commit as a real one does.
        let write = move |tx: &mut Tx| -> Result<bool, StorageError> {
            login_operations::record_refused_entry(tx, &entry)?;
            is_under_attack(tx, &settings, now)
        };
        let under_attack = self.store.write(write).await?;
        let terms = self.terms_of_step(CodeBudget::Unknown, LoginStep::Otp, under_attack);
        Ok(self.start(&request, terms, None))
    }

    /// Counts an attempt that is refused because of the phone, and returns the refusal. Once the address has reached its limit, it
    /// returns that refusal instead, so that nobody can try out phone numbers.
    pub(super) async fn refuse_attempt(
        &self,
        refusal: Refusal,
        visitor: &VisitorTraces,
    ) -> AppError {
        let (now, settings, visitor) =
            (self.ids.clock.now(), self.settings.clone(), visitor.clone());
        let write = move |tx: &mut Tx| -> Result<()> {
            let under_attack = is_under_attack(tx, &settings, now)?;
            check_source(tx, &visitor, &settings, under_attack, now)?;
            login_operations::record_refused_entry(
                tx,
                &RefusedEntry {
                    address_hash: visitor.address,
                    network_hash: visitor.network_hash,
                    created_at: now,
                },
            )?;
            Ok(())
        };
        match self.store.write(write).await {
            Ok(()) => refusal.into(),
            Err(beyond_limit) => beyond_limit,
        }
    }

    /// Returns the refusal of a code as the caller may see it. Where the existence of accounts is hidden, all refusals are the same,
    /// so an unknown operation looks like a wrong code.
    pub(super) fn hidden(&self, refusal: Refusal) -> Refusal {
        if self.settings.hide_account_existence {
            Refusal::field("otp_code", Key::WrongOtp)
        } else {
            refusal
        }
    }

    /// Refuses a phone that receives no messages, such as one with a premium tariff.
    ///
    /// # Errors
    /// `phone_not_mobile`.
    pub(super) fn check_mobile(&self, phone: &Phone) -> Result<(), Refusal> {
        let subscriber = phone.digits().get(3..).unwrap_or_default();
        let prefixes = &self.settings.mobile_prefixes;
        let is_mobile = prefixes
            .iter()
            .any(|prefix| subscriber.starts_with(prefix.as_str()));
        if is_mobile {
            Ok(())
        } else {
            Err(Refusal::field("phone", Key::PhoneNotMobile))
        }
    }

    /// Sends the code. Where it certainly was not sent, the operation is withdrawn, so that a broken message service locks
    /// nobody out. A number that the service refuses is no such fault: its owner waits for nothing, but who goes through such numbers
    /// meets the limits of the address and the network. A message that may have been sent counts.
    ///
    /// # Errors
    /// `otp_not_sent`.
    pub(super) async fn send(
        &self,
        operation: OperationId,
        phone: &Phone,
        text: &str,
    ) -> Result<()> {
        let sent = self.sms.send(phone, text, &operation.to_string()).await;
        let Err(failure) = sent else {
            return Ok(());
        };
        tracing::warn!(operation.id = %operation, %failure, "A code was not sent");
        // Whoever asked for it may be called now.
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            login_operations::record_unsent(tx, operation)?;
            match failure.error {
                SmsError::Unknown => Ok(()),
                SmsError::Unavailable | SmsError::NotServed { .. } => {
                    login_operations::delete(tx, operation)
                }
                SmsError::Refused { .. } => login_operations::delete_refused(tx, operation),
            }
        };
        self.store.write(write).await?;
        Err(Refusal::new(RefusalKind::Outside, Key::OtpNotSent)
            .on("phone")
            .into())
    }

    /// Withdraws an operation whose call certainly was not made: it counts for no limit.
    pub(super) async fn withdraw(&self, operation: OperationId) -> Result<()> {
        Ok(self
            .store
            .write(move |tx| login_operations::delete(tx, operation))
            .await?)
    }
}

/// Returns the keys that a call asks for where the page shows digits.
fn keys_of_call(shown_digits: &str) -> String {
    format!("{CONFIRMING_DIGITS}{shown_digits}")
}

/// Whether the pressed keys confirm a call. The call of a new device is confirmed by the 1 and the digits of its page alone.
pub(super) fn are_right_keys(operation: &LoginOperation, pressed: &str, keys: &Keys) -> bool {
    if !operation.budget.is_of_new_device() {
        return pressed == CONFIRMING_DIGITS;
    }
    let known = operation.code_hash.as_ref();
    known.is_some_and(|known| keys.is_code(known, operation.id, &operation.phone, pressed))
}

/// Returns a code of so many digits, each value from all zeros to all nines equally likely.
fn generate(random: &dyn Randomness, digits: u8) -> String {
    let limit = 10_u64.pow(u32::from(digits));
    // Values past the last whole multiple would make the low codes likelier, so they are generated again.
    let whole = u64::MAX - u64::MAX % limit;
    loop {
        let mut bytes = [0_u8; 8];
        random.fill(&mut bytes);
        let value = u64::from_le_bytes(bytes);
        if value < whole {
            return format!("{:0width$}", value % limit, width = usize::from(digits));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngCore, SeedableRng, rngs::StdRng};
    use std::sync::Mutex;

    struct Seeded(Mutex<StdRng>);

    impl Randomness for Seeded {
        fn fill(&self, buffer: &mut [u8]) {
            self.0.lock().unwrap().fill_bytes(buffer);
        }
    }

    #[test]
    fn codes_are_uniform_with_their_leading_zeros() {
        let random = Seeded(Mutex::new(StdRng::seed_from_u64(7)));
        let mut counts = [0_u32; 10_000];
        for _ in 0..100_000 {
            let code = generate(&random, 4);
            assert_eq!(code.len(), 4);
            counts[code.parse::<usize>().unwrap()] += 1;
        }
        // Chi-square with 9999 degrees of freedom: mean 9999, deviation 141; five deviations either way.
        let chi_square: i64 = counts
            .iter()
            .map(|count| (i64::from(*count) - 10).pow(2))
            .sum::<i64>()
            / 10;
        assert!((9_292..10_706).contains(&chi_square), "{chi_square}");
    }

    #[test]
    fn the_length_is_a_setting() {
        let random = Seeded(Mutex::new(StdRng::seed_from_u64(7)));
        assert_eq!(generate(&random, 8).len(), 8);
    }
}
