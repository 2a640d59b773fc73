//! Limits of codes and login attempts, by phone, by network address and for the whole installation. They are counted from
//! stored rows, so they survive a restart.
//!
//! What a stranger does counts apart from what the owner does: each phone has a budget for known devices and others for new
//! ones (see [`CodeBudget`]). The readings "Codes and devices" in docs/specification.md give the reasons.

use std::time::Duration;

use cabinet_domain::{AuditAction, CodeBudget, Key, LoginStep, NotaryId, Phone, SessionId};
use cabinet_storage::account::login_operations::{Counted, Source};
use cabinet_storage::account::{devices, login_operations, notaries, register_proofs, sessions};
use cabinet_storage::cart::complaints;
use cabinet_storage::{StorageError, Tx, audit};
use jiff::{SignedDuration, Timestamp};

use super::visitor::VisitorTraces;
use crate::kernel::refusal::{Refusal, RefusalKind, Result};
use crate::settings::CodeSettings;

const HOUR: SignedDuration = SignedDuration::from_hours(1);
pub(super) const DAY: SignedDuration = SignedDuration::from_hours(24);
/// A network is a notary's own, or one that notaries use, for so long after the last entry from it.
const NETWORK_KNOWN: SignedDuration = SignedDuration::from_hours(24 * 30);
/// A device is known for so long after its last entry: the lifetime of its cookie.
pub(crate) const DEVICE_KNOWN: SignedDuration = SignedDuration::from_hours(24 * 400);

/// Logins and sign-ups of new devices within a day from a network that notaries use, while codes go unanswered, after which it has no
/// more sign-ups.
const FLOOD_SIGN_UPS_MAX: i64 = 10;

/// Returns the budget of a login by a step from a browser. Where the known devices of the phone have had their codes or their wrong codes of a
/// day, they count as new ones: whoever holds a device or its cookie may have used them up.
pub(super) fn budget_of(
    tx: &mut Tx,
    (notary, phone): (NotaryId, &Phone),
    visitor: &VisitorTraces,
    (step, settings): (LoginStep, &CodeSettings),
    now: Timestamp,
) -> Result<CodeBudget, StorageError> {
    if let Some(token) = &visitor.device
        && devices::of_notary(tx, notary, token, now - DEVICE_KNOWN)?.is_some()
        && !is_day_used_up(tx, phone, (CodeBudget::KnownDevice, step), settings, now)?
    {
        return Ok(CodeBudget::KnownDevice);
    }
    let is_known = sessions::has_entered_from(tx, notary, &visitor.network, now - NETWORK_KNOWN)?;
    Ok(if is_known {
        CodeBudget::KnownNetwork
    } else {
        CodeBudget::Unknown
    })
}

/// Whether a phone has had its codes or its wrong codes of a day.
fn is_day_used_up(
    tx: &mut Tx,
    phone: &Phone,
    (budget, step): (CodeBudget, LoginStep),
    settings: &CodeSettings,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let asking = (phone, None);
    let (codes, _) = login_operations::look_at_count_of_phone(tx, asking, budget, step, now - DAY)?;
    Ok(codes >= settings.most_of_phone(step).1
        || are_wrong_codes_used_up(tx, asking, (budget, step), settings, now)?)
}

/// Whether a phone, or the session of a confirmation, has had its wrong codes of a day.
pub(super) fn are_wrong_codes_used_up(
    tx: &mut Tx,
    asking: (&Phone, Option<SessionId>),
    (budget, step): (CodeBudget, LoginStep),
    settings: &CodeSettings,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let Some(most) = settings.wrong_daily_max(budget, step) else {
        return Ok(false);
    };
    let (wrong, _) = login_operations::wrong_codes_of_phone(tx, asking, budget, now - DAY)?;
    Ok(wrong >= most)
}

/// Whether codes are being guessed, or too many messages sent or calls made, in the whole installation.
///
/// Wrong codes from new devices are compared with the notaries who signed in on the same day: a share of them mistypes a code.
/// While guessing goes on, new devices get longer codes at longer intervals, and networks without an entry only a few.
pub(super) fn is_under_attack(
    tx: &mut Tx,
    settings: &CodeSettings,
    now: Timestamp,
) -> Result<bool, StorageError> {
    Ok(is_running_out(tx, LoginStep::Otp, settings, now)?
        || is_running_out(tx, LoginStep::PhoneCall, settings, now)?
        || are_codes_guessed(tx, settings, now)?
        || are_codes_unanswered(tx, settings, now)?)
}

/// Whether somebody has so many codes sent that nobody enters: more than the setting, than half of those that were entered, and than a
/// twentieth of the notaries, within a day.
pub(super) fn are_codes_unanswered(
    tx: &mut Tx,
    settings: &CodeSettings,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let codes = login_operations::codes_of_new_devices(tx, now - DAY)?;
    if codes.unanswered < settings.unanswered_min || codes.unanswered <= codes.entered / 2 {
        return Ok(false);
    }
    Ok(codes.unanswered >= notaries::count_verified(tx)? / 20)
}

/// Refuses a sign-up while codes go unanswered: each would send a message to a number that nobody has proved. A network from which a
/// notary has signed in lately has a few.
///
/// # Errors
/// `too_many_codes_from_address`.
pub(super) fn check_sign_up(
    tx: &mut Tx,
    visitor: &VisitorTraces,
    settings: &CodeSettings,
    now: Timestamp,
) -> Result<()> {
    if !are_codes_unanswered(tx, settings, now)? {
        return Ok(());
    }
    let is_used = sessions::has_anybody_entered_from(tx, &visitor.network, now - NETWORK_KNOWN)?;
    let counted = if is_used {
        login_operations::count_of_source(tx, Source::Network(&visitor.network_hash), now - DAY)?
    } else {
        (FLOOD_SIGN_UPS_MAX, Some(now))
    };
    refuse_over(
        counted,
        FLOOD_SIGN_UPS_MAX,
        DAY,
        now,
        Key::TooManyCodesFromAddress,
    )
}

/// Whether four fifths of what the whole installation sends in this hour by a step are sent.
pub(super) fn is_running_out(
    tx: &mut Tx,
    step: LoginStep,
    settings: &CodeSettings,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let Some(most) = settings.installation_hourly_max(step) else {
        return Ok(false);
    };
    let (sent, _) = count_of_installation(tx, step, now)?;
    Ok(sent >= (most * 4 / 5).max(1))
}

/// Returns how many messages or calls the whole installation has sent within the last hour by a step, and when the first was sent.
fn count_of_installation(
    tx: &mut Tx,
    step: LoginStep,
    now: Timestamp,
) -> Result<Counted, StorageError> {
    match step {
        LoginStep::Otp => login_operations::count_messages(tx, now - HOUR),
        LoginStep::PhoneCall => login_operations::count_phone_calls(tx, now - HOUR),
        LoginStep::Custom => Ok((0, None)),
    }
}

/// Whether new devices have entered too many wrong codes within a day.
pub(super) fn are_codes_guessed(
    tx: &mut Tx,
    settings: &CodeSettings,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let wrong = login_operations::wrong_codes_of_new_devices(tx, now - DAY)?;
    if wrong < settings.attack.wrong_codes_min {
        return Ok(false);
    }
    let notaries = sessions::count_notaries_since(tx, now - DAY)?;
    Ok(wrong >= notaries * settings.attack.wrong_codes_percent / 100)
}

/// Checks the limits of an address and its network.
///
/// # Errors
/// `too_many_codes_from_address`.
pub(super) fn check_source(
    tx: &mut Tx,
    visitor: &VisitorTraces,
    settings: &CodeSettings,
    under_attack: bool,
    now: Timestamp,
) -> Result<()> {
    let (address, network) = (
        Source::Address(&visitor.address),
        Source::Network(&visitor.network_hash),
    );
    let attempts = [
        (address, settings.address_hourly_max, HOUR),
        (network, settings.network_hourly_max, HOUR),
    ];
    for (source, most, window) in attempts {
        let counted = login_operations::count_of_source(tx, source, now - window)?;
        refuse_over(counted, most, window, now, Key::TooManyCodesFromAddress)?;
    }
    let wrong = [
        (address, settings.address_wrong_daily_max),
        (network, settings.network_wrong_daily_max),
    ];
    for (source, most) in wrong {
        let counted = login_operations::wrong_codes_of_source(tx, source, now - DAY)?;
        refuse_over(counted, most, DAY, now, Key::TooManyCodesFromAddress)?;
    }
    if under_attack
        && !sessions::has_anybody_entered_from(tx, &visitor.network, now - NETWORK_KNOWN)?
    {
        let counted = login_operations::count_of_source(tx, network, now - DAY)?;
        let most = settings.attack.network_daily_max;
        refuse_over(counted, most, DAY, now, Key::TooManyCodesFromAddress)?;
    }
    Ok(())
}

/// How many sessions may each have all codes of a confirmation before the phone has had all: one that was stolen leaves the owner's hers.
const SESSIONS_OF_PHONE: i64 = 3;

/// Returns the refusal where a phone, or the session of a confirmation, has had all codes of a budget by a step, or too many wrong ones.
pub(super) fn refusal_of_phone(
    tx: &mut Tx,
    (phone, session): (&Phone, Option<SessionId>),
    budget: CodeBudget,
    step: LoginStep,
    settings: &CodeSettings,
    now: Timestamp,
) -> Result<Option<Refusal>, StorageError> {
    let (hourly, daily) = settings.most_of_phone(step);
    let asking: &[_] = match session {
        Some(_) => &[(None, SESSIONS_OF_PHONE), (session, 1)],
        None => &[(None, 1)],
    };
    for (session, times) in asking {
        for (most, window) in [(hourly, HOUR), (daily, DAY)] {
            let since = now - window;
            let counted =
                login_operations::count_of_phone(tx, (phone, *session), budget, step, since)?;
            if let Some(refusal) = over(counted, most * times, window, now, Key::TooManyCodes) {
                return Ok(Some(refusal));
            }
        }
        if let Some(most) = settings.wrong_daily_max(budget, step) {
            let counted =
                login_operations::wrong_codes_of_phone(tx, (phone, *session), budget, now - DAY)?;
            if let Some(refusal) = over(counted, most * times, DAY, now, Key::TooManyCodes) {
                return Ok(Some(refusal));
            }
        }
    }
    Ok(None)
}

/// Returns the refusal of one more message or call where the whole installation has sent all of this hour. Known devices always get theirs.
pub(super) fn refusal_of_installation(
    tx: &mut Tx,
    budget: CodeBudget,
    step: LoginStep,
    settings: &CodeSettings,
    now: Timestamp,
) -> Result<Option<Refusal>, StorageError> {
    let Some(most) = settings.installation_hourly_max(step) else {
        return Ok(None);
    };
    if !budget.is_of_new_device() {
        return Ok(None);
    }
    let counted = count_of_installation(tx, step, now)?;
    Ok(over(counted, most, HOUR, now, Key::TooManyCodes))
}

/// Refuses a text message to a client where the whole installation has sent all of this hour.
///
/// # Errors
/// `too_many_requests`.
pub(crate) fn refuse_client_message(tx: &mut Tx, most: i64, now: Timestamp) -> Result<()> {
    let counted = login_operations::count_messages(tx, now - HOUR)?;
    refuse_too_many(counted, most, (HOUR, Key::TooManyRequests), now)
}

/// Refuses one more code to the contact of a row of the register that has had so many within a day, whoever asked for them.
///
/// # Errors
/// `too_many_codes`.
pub(super) fn refuse_register_codes(
    tx: &mut Tx,
    register_key: &str,
    settings: &CodeSettings,
    now: Timestamp,
) -> Result<()> {
    let counted = register_proofs::count_of_row(tx, register_key, now - DAY)?;
    refuse_over(counted, settings.daily_max, DAY, now, Key::TooManyCodes)
}

/// Refuses one more change of fields of which the notary is told, where there were so many within a day: each sends messages. Only the
/// change is refused. The messages about the others leave, so that nobody can silence them.
///
/// # Errors
/// `too_many_today`.
pub(crate) fn refuse_many_changes(
    tx: &mut Tx,
    notary: NotaryId,
    (action, fields): (AuditAction, &[&str]),
    most: i64,
    now: Timestamp,
) -> Result<()> {
    let counted = audit::count_changes(tx, notary, action, fields, now - DAY)?;
    refuse_too_many(counted, most, (DAY, Key::TooManyToday), now)
}

/// Refuses one more complaint of a notary who has made so many within a day: each sends the support a letter.
///
/// # Errors
/// `too_many_today`.
pub(crate) fn refuse_many_complaints(
    tx: &mut Tx,
    notary: NotaryId,
    most: i64,
    now: Timestamp,
) -> Result<()> {
    let counted = complaints::count_of(tx, notary, now - DAY)?;
    refuse_too_many(counted, most, (DAY, Key::TooManyToday), now)
}

fn refuse_too_many(
    counted: Counted,
    most: i64,
    (window, key): (SignedDuration, Key),
    now: Timestamp,
) -> Result<()> {
    match wait_over(counted, most, window, now) {
        None => Ok(()),
        Some(wait) => Err(Refusal::new(RefusalKind::TooMany(wait), key).into()),
    }
}

fn refuse_over(
    counted: Counted,
    most: i64,
    window: SignedDuration,
    now: Timestamp,
    key: Key,
) -> Result<()> {
    over(counted, most, window, now, key).map_or(Ok(()), |refusal| Err(refusal.into()))
}

fn over(
    counted: Counted,
    most: i64,
    window: SignedDuration,
    now: Timestamp,
    key: Key,
) -> Option<Refusal> {
    let wait = wait_over(counted, most, window, now)?;
    Some(Refusal::new(RefusalKind::TooMany(wait), key).on("phone"))
}

/// Returns how long to wait until there is one less than the most. `None`: there are fewer.
fn wait_over(
    (count, oldest): Counted,
    most: i64,
    window: SignedDuration,
    now: Timestamp,
) -> Option<Duration> {
    if count < most {
        return None;
    }
    let until = oldest.map_or(now, |oldest| oldest + window);
    Some(whole_seconds(until.duration_since(now)))
}

/// Returns a waiting time rounded up to seconds, at least one.
pub(super) fn whole_seconds(wait: SignedDuration) -> Duration {
    let wait = wait.unsigned_abs();
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    Duration::from_secs(seconds.max(1))
}
