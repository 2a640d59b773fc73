//! One-time codes: whether one may be issued, what is stored of it, and sending it.

use std::net::IpAddr;
use std::sync::Arc;

use cabinet_domain::{
    Key, Locale, LoginPurpose, LoginStep, NewLoginOperation, NotaryId, OperationId, Phone,
    Randomness, TransactionId,
};
use cabinet_gateways::sms::{Sms, SmsError};
use cabinet_storage::{StorageError, Store, Tx, login_operations};
use jiff::{SignedDuration, Timestamp};

use super::limits::{limits_of_address, limits_of_phone, whole_seconds};
use crate::ids::Ids;
use crate::keys::{Digest, Keys};
use crate::refusal::{AppError, Refusal, RefusalKind, Result};
use crate::settings::CodeSettings;
use crate::texts;

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
    /// When the code or the call expires.
    pub expires_at: Timestamp,
    /// When another code may be requested.
    pub resend_at: Timestamp,
}

/// An operation that is about to be stored. Its random values are fixed before the unit of work, which may run twice.
#[derive(Clone)]
pub(super) struct NewCode {
    pub(super) start: LoginStart,
    pub(super) purpose: LoginPurpose,
    pub(super) phone: Phone,
    /// The network address of the request.
    pub(super) address: Digest,
    /// Empty in a step without a code.
    pub(super) code: String,
}

/// Whether a code can be issued.
pub(super) enum CodeChoice {
    Usable,
    /// The phone has just received the same code, so another must be generated.
    RecentlyUsed,
}

/// Issues one-time codes.
#[derive(Clone)]
pub(crate) struct OneTimeCodes {
    pub(crate) store: Store,
    pub(crate) ids: Ids,
    pub(crate) keys: Arc<Keys>,
    pub(crate) sms: Arc<dyn Sms>,
    pub(crate) settings: CodeSettings,
}

impl OneTimeCodes {
    /// Returns a code of the length that is set.
    pub(super) fn generate(&self) -> String {
        generate(self.ids.randomness.as_ref(), self.settings.digits)
    }

    /// Returns a login that begins now.
    pub(super) fn login_start(
        &self,
        step: LoginStep,
        transaction: Option<TransactionId>,
    ) -> LoginStart {
        let now = self.ids.clock.now();
        LoginStart {
            operation: OperationId::new(self.ids.random_id()),
            step,
            transaction,
            expires_at: now + self.settings.lifetime,
            resend_at: now + self.settings.resend_after,
        }
    }

    /// Returns the answer for an unknown phone where the existence of accounts is hidden. Nothing is sent, and no code is right.
    pub(super) fn pretended_login(&self) -> LoginStart {
        self.login_start(LoginStep::Otp, None)
    }

    /// Counts an attempt that is refused because of the phone, and returns the refusal. Once the address has reached its limit, it
    /// returns that refusal instead, so that nobody can try out phone numbers.
    pub(super) async fn refuse_attempt(&self, refusal: Refusal, address: IpAddr) -> AppError {
        let (now, settings) = (self.ids.clock.now(), self.settings.clone());
        let address = self.keys.address_digest(address);
        let write = move |tx: &mut Tx| -> Result<Option<Refusal>, StorageError> {
            for limit in limits_of_address(&address, &settings) {
                if let Some(refusal) = limit.refusal(tx, now)? {
                    return Ok(Some(refusal));
                }
            }
            login_operations::record_refused_entry(tx, &address, now)?;
            Ok(None)
        };
        match self.store.write(write).await {
            Ok(beyond_limit) => beyond_limit.unwrap_or(refusal).into(),
            Err(error) => error.into(),
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

    /// Checks the limits, and whether the code differs from those just sent. Only reads.
    ///
    /// # Errors
    /// `too_many_codes`, `too_many_codes_from_address`, `otp_too_soon`.
    pub(super) fn check(&self, tx: &mut Tx, new: &NewCode, now: Timestamp) -> Result<CodeChoice> {
        // The address is checked first. Once its limits are reached, the answer says nothing about the phone.
        let limits = limits_of_address(&new.address, &self.settings)
            .into_iter()
            .chain(limits_of_phone(&new.phone, &self.settings));
        for limit in limits {
            if let Some(refusal) = limit.refusal(tx, now)? {
                return Err(refusal.into());
            }
        }
        // The custom step sends no message and makes no call.
        if new.start.step != LoginStep::Custom {
            self.check_resend_time(tx, &new.phone, now)?;
        }
        if new.start.step == LoginStep::Otp {
            let recent = login_operations::codes_of_phone(tx, &new.phone, now - DIFFERENT_WITHIN)?;
            let is_taken = recent.iter().any(|(operation, digest)| {
                *digest == self.keys.code_digest(*operation, &new.phone, &new.code)
            });
            if is_taken {
                return Ok(CodeChoice::RecentlyUsed);
            }
        }
        Ok(CodeChoice::Usable)
    }

    fn check_resend_time(&self, tx: &mut Tx, phone: &Phone, now: Timestamp) -> Result<()> {
        let pause = self.settings.resend_after;
        let tries_max = self.settings.tries_max;
        let last = login_operations::last_sent_to_phone(tx, phone, now - pause, tries_max, now)?;
        let Some(last) = last else { return Ok(()) };
        let wait = whole_seconds((last + pause).duration_since(now));
        Err(Refusal::new(RefusalKind::TooMany(wait), Key::OtpTooSoon)
            .on("phone")
            .into())
    }

    /// Stores the operation.
    pub(super) fn insert(
        &self,
        tx: &mut Tx,
        new: &NewCode,
        notary: NotaryId,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let NewCode {
            start, phone, code, ..
        } = new;
        let code_hash =
            (!code.is_empty()).then(|| self.keys.code_digest(start.operation, phone, code));
        login_operations::insert(
            tx,
            &NewLoginOperation {
                id: start.operation,
                notary_id: notary,
                phone: phone.clone(),
                purpose: new.purpose,
                step: start.step,
                code_hash,
                address_hash: new.address,
                transaction_id: start.transaction,
                created_at: now,
                expires_at: start.expires_at,
            },
        )
    }

    /// Sends the code. Where it certainly was not sent, the operation is withdrawn, so that a broken message service locks
    /// nobody out. A message that may have been sent counts.
    ///
    /// # Errors
    /// `otp_not_sent`.
    pub(super) async fn send(
        &self,
        operation: OperationId,
        phone: &Phone,
        code: &str,
        locale: Locale,
    ) -> Result<()> {
        let text = texts::code_message(locale, code);
        let sent = self.sms.send(phone, &text, &operation.to_string()).await;
        match sent {
            Ok(()) => Ok(()),
            Err(error) => {
                tracing::warn!(operation.id = %operation, %error, "A code was not sent");
                if error != SmsError::Unknown {
                    self.withdraw(operation).await?;
                }
                Err(Refusal::new(RefusalKind::Outside, Key::OtpNotSent)
                    .on("phone")
                    .into())
            }
        }
    }

    /// Withdraws an operation whose message or call certainly was not sent: it counts for no limit.
    pub(super) async fn withdraw(&self, operation: OperationId) -> Result<()> {
        Ok(self
            .store
            .write(move |tx| login_operations::delete(tx, operation))
            .await?)
    }
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
