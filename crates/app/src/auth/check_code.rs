//! Judging a code: counted before it is compared, good once, bound to its operation and phone.

use cabinet_domain::{Key, NotaryId, OperationId, RegistryIdentifier};
use cabinet_storage::login_operations::{self, Operation, Purpose};
use cabinet_storage::notaries::{self, LoginStep};
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::login::{identifier_as_code, read_phone};
use super::sessions::{NewSession, OpenedSession};
use crate::App;
use crate::keys::same_digest;
use crate::refusal::{FieldErrors, Outcome, Refusal, Sort};

/// How a code was judged inside the unit of work. A wrong one is not an error there: the try it cost must be kept.
pub(super) enum Verdict<T> {
    Right(T),
    Refused(Refusal),
}

impl App {
    /// `POST /auth/login/otp` and `/auth/login/otp/custom`: finishes a login with its code.
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
    ) -> Outcome<OpenedSession> {
        let phone = read_phone(phone.as_deref(), &mut errors);
        let code = read_code(
            step,
            code.as_deref(),
            self.settings().codes.digits,
            &mut errors,
        );
        let operation = read_operation(operation.as_deref(), &mut errors);
        errors.check()?;
        let (Some(phone), Some(code), Some(operation)) = (phone, code, operation) else {
            return Err(Refusal::new(Sort::Invalid, Key::FieldRequired).into());
        };
        let digest = self.keys().code_digest(operation, &phone, &code);
        let (now, most) = (self.now(), self.settings().codes.tries_max);
        let session = NewSession::draw(self);
        let opened = session.clone();
        let verdict = self
            .inner
            .store
            .write(move |tx| {
                let found = login_operations::by_id(tx, operation)?;
                let known =
                    found.filter(|found| found.purpose == Purpose::Login && found.phone == phone);
                let Some(known) = known else {
                    return Ok(Verdict::Refused(unknown()));
                };
                if known.step != step {
                    return Ok(Verdict::Refused(Refusal::conflict(Key::LoginStepWrong)));
                }
                match judge(tx, &known, &digest, most, now)? {
                    Verdict::Refused(refusal) => Ok(Verdict::Refused(refusal)),
                    Verdict::Right(notary) => {
                        // Whoever was asked to agree did so, or the login would not have started.
                        notaries::agree_to_terms(tx, notary, now)?;
                        session.insert(tx, notary, now)?;
                        Ok::<_, StorageError>(Verdict::Right(notary))
                    }
                }
            })
            .await?;
        match verdict {
            Verdict::Refused(refusal) => {
                metrics::counter!("login_codes_total", "verdict" => "refused").increment(1);
                // Where answers must be alike, an operation that was never begun looks like one with another code or step.
                Err(if self.settings().codes.alike_answers {
                    Refusal::field("otp_code", Key::WrongOtp).into()
                } else {
                    refusal.into()
                })
            }
            Verdict::Right(notary) => {
                metrics::counter!("login_codes_total", "verdict" => "right").increment(1);
                tracing::info!(notary.id = %notary, session.id = %opened.id(), "A notary signed in");
                Ok(opened.opened(notary))
            }
        }
    }
}

/// A code that was judged right uses its operation up.
pub(super) fn judge(
    tx: &mut Tx,
    operation: &Operation,
    digest: &[u8; 32],
    tries_max: i64,
    now: Timestamp,
) -> Result<Verdict<NotaryId>, StorageError> {
    let refused = |key| Ok(Verdict::Refused(Refusal::field("otp_code", key)));
    if operation.used_at.is_some() {
        return refused(Key::WrongOtp);
    }
    if operation.expires_at <= now {
        return refused(Key::OtpExpired);
    }
    // The try is counted before the comparison, in one guarded statement: parallel guesses can't share one.
    if !login_operations::claim_try(tx, operation.id, tries_max)? {
        return refused(Key::OtpTriesExhausted);
    }
    if !operation
        .code_hash
        .as_ref()
        .is_some_and(|known| same_digest(known, digest))
    {
        let spent = operation.tries + 1 >= tries_max;
        return refused(if spent {
            Key::OtpTriesExhausted
        } else {
            Key::WrongOtp
        });
    }
    if !login_operations::use_once(tx, operation.id, now)? {
        return refused(Key::WrongOtp);
    }
    Ok(Verdict::Right(operation.notary_id))
}

/// The operation's id from a request, or its key noted.
pub(super) fn read_operation(text: Option<&str>, errors: &mut FieldErrors) -> Option<OperationId> {
    if errors.has("operation_id") {
        return None;
    }
    errors.take(
        "operation_id",
        text.and_then(OperationId::parse)
            .ok_or(Key::OperationUnknown),
    )
}

/// The code from a request as it is compared, or its key noted. Blanks between its characters are a person's, not the code's.
pub(super) fn read_code(
    step: LoginStep,
    text: Option<&str>,
    digits: u8,
    errors: &mut FieldErrors,
) -> Option<String> {
    if errors.has("otp_code") {
        return None;
    }
    let text: String = text
        .unwrap_or_default()
        .chars()
        .filter(|char| !char.is_whitespace())
        .collect();
    let read = if text.is_empty() {
        Err(Key::OtpCodeRequired)
    } else if step == LoginStep::Custom {
        if RegistryIdentifier::parse(&text).is_ok() {
            Ok(identifier_as_code(&text))
        } else {
            Err(Key::OtpIncorrect)
        }
    } else if text.len() == usize::from(digits) && text.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(text)
    } else {
        Err(Key::OtpIncorrect)
    };
    errors.take("otp_code", read)
}

/// There is no such login, or it is somebody else's.
pub(super) fn unknown() -> Refusal {
    Refusal::field("otp_code", Key::OperationUnknown)
}
