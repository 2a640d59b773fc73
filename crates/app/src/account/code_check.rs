//! Checking a code: a try is counted before the comparison, and a right code is good once.

use cabinet_domain::{CodeBudget, Key, LoginOperation, LoginStep, NotaryId};
use cabinet_storage::account::login_operations;
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;

use super::limits::{are_wrong_codes_used_up, is_under_attack};
use super::one_time_codes::OneTimeCodes;
use crate::kernel::refusal::Refusal;

/// The result of a check inside a unit of work. A refusal is no error there, because the try that was counted must be stored.
pub(super) enum CodeCheck<T> {
    Accepted(T),
    /// The code was compared and is wrong.
    Wrong(Refusal),
    /// Nothing was compared.
    Refused(Refusal),
}

/// Checks a code. An accepted one uses its operation up.
pub(super) fn check_code(
    tx: &mut Tx,
    operation: &LoginOperation,
    code: &str,
    codes: &OneTimeCodes,
    now: Timestamp,
) -> Result<CodeCheck<NotaryId>, StorageError> {
    let refused = |key| Ok(CodeCheck::Refused(Refusal::field("otp_code", key)));
    let tries_max = codes.settings.tries_max;
    // A code of another length is a slip, not a guess.
    if operation.step == LoginStep::Otp && code.len() != usize::from(operation.code_digits) {
        return refused(Key::OtpIncorrect);
    }
    if operation.used_at.is_some() {
        return refused(Key::WrongOtp);
    }
    if operation.expires_at <= now {
        return refused(Key::OtpExpired);
    }
    if let Some(key) = refusal_by_limits(tx, operation, codes, now)? {
        return refused(key);
    }
    // The try is counted before the comparison, in one guarded statement: parallel guesses can't share one.
    if !login_operations::claim_try(tx, operation.id, tries_max)? {
        return refused(Key::OtpTriesExhausted);
    }
    if !operation.code_hash.as_ref().is_some_and(|known| {
        codes
            .keys
            .is_code(known, operation.id, &operation.phone, code)
    }) {
        let spent = operation.tries + 1 >= tries_max;
        let key = if spent {
            Key::OtpTriesExhausted
        } else {
            Key::WrongOtp
        };
        return Ok(CodeCheck::Wrong(Refusal::field("otp_code", key)));
    }
    if !login_operations::use_once(tx, operation.id, now)? {
        return refused(Key::WrongOtp);
    }
    Ok(CodeCheck::Accepted(operation.notary_id))
}

/// Returns why a code may not be tried: the phone has had its wrong codes of the day, or the code of a new device is too short while
/// codes are being guessed.
fn refusal_by_limits(
    tx: &mut Tx,
    operation: &LoginOperation,
    codes: &OneTimeCodes,
    now: Timestamp,
) -> Result<Option<Key>, StorageError> {
    let (budget, step) = (operation.budget, operation.step);
    // Parallel tries wait for each other here, so that none is compared beyond the limits. Known devices wait for those of the same phone
    // alone: no flood of strangers holds an owner up.
    if budget == CodeBudget::KnownDevice {
        login_operations::lock_wrong_codes_of_known_devices(tx, &operation.phone)?;
    } else {
        login_operations::lock_wrong_codes(tx)?;
    }
    let asking = (&operation.phone, operation.session_id);
    if are_wrong_codes_used_up(tx, asking, (budget, step), &codes.settings, now)? {
        return Ok(Some(Key::OtpTriesExhausted));
    }
    let is_short = budget.is_of_new_device()
        && step == LoginStep::Otp
        && operation.code_digits < codes.settings.attack.digits;
    if is_short && is_under_attack(tx, &codes.settings, now)? {
        return Ok(Some(Key::OtpExpired));
    }
    Ok(None)
}

/// There is no such operation, or it belongs to another account.
pub(super) fn unknown_operation() -> Refusal {
    Refusal::field("otp_code", Key::OperationUnknown)
}
