//! Checking a code: a try is counted before the comparison, and a right code is good once.

use cabinet_domain::{Key, LoginOperation, NotaryId};
use cabinet_storage::{StorageError, Tx, login_operations};
use jiff::Timestamp;

use crate::keys::same_digest;
use crate::refusal::Refusal;

/// The result of a check inside a unit of work. A refusal is no error there, because the try that was counted must be stored.
pub(super) enum CodeCheck<T> {
    Accepted(T),
    Refused(Refusal),
}

/// Checks a code. An accepted one uses its operation up.
pub(super) fn check_code(
    tx: &mut Tx,
    operation: &LoginOperation,
    digest: &[u8; 32],
    tries_max: i64,
    now: Timestamp,
) -> Result<CodeCheck<NotaryId>, StorageError> {
    let refused = |key| Ok(CodeCheck::Refused(Refusal::field("otp_code", key)));
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
    Ok(CodeCheck::Accepted(operation.notary_id))
}

/// There is no such operation, or it belongs to another account.
pub(super) fn unknown_operation() -> Refusal {
    Refusal::field("otp_code", Key::OperationUnknown)
}
