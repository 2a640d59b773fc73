//! The confirmation of accounts: whether their owners are notaries and may order (decisions 25 and 75). An account is confirmed by a
//! row of the register of notaries and a code that went to the contact of that row, or by the operator, who also blocks accounts.

use std::sync::Arc;

use cabinet_domain::{
    AccountStanding, AuditAction, AuditValue, Line, LoginOperation, Notary, NotaryId, NotaryStatus,
    NotaryStatusBy, Origin, PersonName, Phone, RegisterRow, SignUpConfirmation, Standing,
    StandingBy, StandingDecision, without_numbers,
};
use cabinet_reference::{RegisterFault, read_register};
use cabinet_storage::account::notaries;
use cabinet_storage::account::register::{self, NamingRow, RegisterLoad};
use cabinet_storage::{LockedNotary, StorageError, Store, Tx};
use jiff::Timestamp;

use super::code_check::unknown_operation;
use super::practice::{
    DoubtfulStatuses, doubtful_statuses, status_by_register, statuses_by_register, store_status,
    tell_status,
};
use super::sessions::shut_out;
use crate::audit::{AuditEntry, Recorder};
use crate::kernel::ids::UnitContext;
use crate::kernel::notifier::Notifier;
use crate::kernel::refusal::{Refusal, RefusalKind};
use crate::kernel::texts;

/// Longest reason of a decision, in characters.
const REASON_CHARS_MAX: usize = 300;
/// Rows of the register that a search shows at most.
pub const REGISTER_FOUND_MAX: usize = 50;

/// Refuses whoever may not order or pay.
///
/// # Errors
/// `notary_not_confirmed`, `account_blocked`.
pub(crate) fn refuse_unconfirmed(notary: &Notary) -> Result<(), Refusal> {
    match notary.standing.refusal() {
        None => Ok(()),
        Some(key) => Err(Refusal::new(RefusalKind::Forbidden, key)),
    }
}

/// Refuses the entry into a blocked account, and by a phone that is no longer the account's.
pub(super) fn entry_refused(
    tx: &mut Tx,
    operation: &LoginOperation,
) -> Result<Option<Refusal>, StorageError> {
    let Some((_locked, notary)) = notaries::lock(tx, operation.notary_id)? else {
        return Ok(None);
    };
    // The operator may have changed the phone while the login was begun.
    if notary.phone != operation.phone {
        return Ok(Some(unknown_operation()));
    }
    Ok(blocked(&notary))
}

/// Returns the refusal of a blocked account.
pub(super) fn blocked(notary: &Notary) -> Option<Refusal> {
    let is_blocked = notary.standing.account == AccountStanding::Blocked;
    let key = notary.standing.refusal().filter(|_| is_blocked);
    key.map(|key| Refusal::new(RefusalKind::Forbidden, key))
}

/// Confirms an account that waits, if its phone is verified and the installation's rule allows it. Returns whether it did.
pub(super) fn confirm_by_rule(
    tx: &mut Tx,
    notary: NotaryId,
    rule: SignUpConfirmation,
    unit: &mut UnitContext,
    origin: &Origin,
) -> Result<bool, StorageError> {
    register::lock(tx)?;
    let Some((locked, notary)) = notaries::lock(tx, notary)? else {
        return Ok(false);
    };
    if notary.phone_verified_at.is_none() {
        return Ok(false);
    }
    // The number that the account has got may name a row of the register. A status that somebody has told stays until a load.
    if notary.practice.is_doubtful() {
        status_by_register(tx, (&locked, &notary), unit, origin)?;
    }
    if notary.standing.account != AccountStanding::Waiting {
        return Ok(false);
    }
    let by = match rule {
        SignUpConfirmation::Operator => return Ok(false),
        SignUpConfirmation::Nobody => StandingBy::Setting,
        SignUpConfirmation::Register => {
            let named = register::naming_row(tx, &notary)?;
            // Whoever has her telephone has entered the code that was sent there.
            let is_hers = |row: &NamingRow| row.phone.as_ref() == Some(&notary.phone);
            let Some(row) = named.filter(is_hers) else {
                return Ok(false);
            };
            register::take(tx, notary.id, &row)?;
            StandingBy::Register
        }
    };
    let after = (AccountStanding::Confirmed, by);
    change_standing(tx, (&locked, &notary), after, None, unit, origin)?;
    Ok(true)
}

/// Confirms an account whose owner has entered the code that went to the contact of a row of the register. Returns whether the row still
/// names her.
pub(super) fn confirm_by_contact(
    tx: &mut Tx,
    notary: NotaryId,
    register_key: &str,
    unit: &mut UnitContext,
    origin: &Origin,
) -> Result<bool, StorageError> {
    register::lock(tx)?;
    let Some((locked, notary)) = notaries::lock(tx, notary)? else {
        return Ok(false);
    };
    let named = register::naming_row(tx, &notary)?;
    let Some(row) = named.filter(|row| row.key == register_key) else {
        return Ok(false);
    };
    if notary.standing.account != AccountStanding::Waiting {
        return Ok(false);
    }
    register::take(tx, notary.id, &row)?;
    let after = (AccountStanding::Confirmed, StandingBy::Register);
    change_standing(tx, (&locked, &notary), after, None, unit, origin)?;
    Ok(true)
}

/// Stores a standing, with its event of the audit trail.
fn change_standing(
    tx: &mut Tx,
    (locked, notary): (&LockedNotary, &Notary),
    (account, by): (AccountStanding, StandingBy),
    reason: Option<&Line>,
    unit: &mut UnitContext,
    origin: &Origin,
) -> Result<(), StorageError> {
    let before = &notary.standing;
    let action = match (before.account, account) {
        (AccountStanding::Blocked, _) => AuditAction::NotaryUnblocked,
        (_, AccountStanding::Refused) => AuditAction::NotaryRefused,
        (_, AccountStanding::Blocked) => AuditAction::NotaryBlocked,
        (_, AccountStanding::Confirmed | AccountStanding::Waiting) => AuditAction::NotaryConfirmed,
    };
    let is_confirmed = account == AccountStanding::Confirmed;
    let standing = Standing {
        account,
        reason: reason.cloned(),
        since: unit.now,
        by,
        confirmed_at: before.confirmed_at.or(is_confirmed.then_some(unit.now)),
    };
    notaries::set_standing(tx, locked, &standing)?;
    AuditEntry::new(action)
        .of_notary(notary.id)
        .changed("standing", Some(before.account), Some(account))
        .with("by", by)
        .decided_because(reason)
        .record(tx, unit, origin)
}

/// What became of a load of the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterLoaded {
    /// The rows of the file.
    pub rows: usize,
    /// Those with a telephone or an e-mail: a code is sent there to whoever names them.
    pub reachable: usize,
    /// Whether the same file was loaded before, so that nothing changed.
    pub is_same: bool,
    /// Accounts that waited and are confirmed now.
    pub confirmed: usize,
    /// Confirmed accounts whose row is gone, or says that the activity has stopped. They stay as they are.
    pub gone: Vec<NotaryId>,
    /// Accounts whose status changed with the register.
    pub statuses: usize,
    /// Statuses that the operator should look at.
    pub doubtful: DoubtfulStatuses,
}

/// Why the register was not loaded. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    /// Every bad row.
    #[error("{} bad rows", .0.len())]
    Rows(Vec<RegisterFault>),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why a decision was not carried out. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum DecisionError {
    /// Nobody is registered with the phone, or the phone is not verified.
    #[error("nobody is registered with that number")]
    Unknown,
    /// The account asks for another name than the one that was shown, or for none any more.
    #[error("the account does not ask for that name any more: look at it again")]
    OtherName,
    /// The account's standing does not allow it.
    #[error("the account is {}: that decision does not fit", .0.as_str())]
    DoesNotFit(AccountStanding),
    /// The reason can't be kept.
    #[error(
        "the reason is empty, longer than {REASON_CHARS_MAX} characters, or has a number of a card, a telephone or a code"
    )]
    Reason,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

fn is_confirmed(notary: &Notary) -> bool {
    notary.standing.account == AccountStanding::Confirmed
}

/// Reads the operator's reason.
fn read_reason(text: &str) -> Result<Line, DecisionError> {
    // It is shown where people are masked.
    without_numbers(text, REASON_CHARS_MAX).map_err(|_| DecisionError::Reason)
}

/// A decision that was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// What the account is now.
    pub standing: AccountStanding,
    /// The sessions that ended with it.
    pub sessions: u64,
}

/// The name that a confirmed account asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedName {
    /// Its name as it is.
    pub own: PersonName,
    /// The name that it asks for.
    pub asked: PersonName,
}

/// Confirms and blocks accounts. It needs only the database, so its commands also run beside a server.
#[derive(Clone)]
pub struct AccountConfirmation {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    pub(crate) rule: SignUpConfirmation,
    pub(crate) notifier: Notifier,
}

impl AccountConfirmation {
    /// Replaces the register by a file, after all its rows were found right. Accounts that wait are confirmed where it names their owner
    /// with the telephone that they were opened with. Codes on their way to contacts of the register end. The same file again changes nothing.
    ///
    /// # Errors
    /// [`RegisterError`].
    pub async fn load_register(
        &self,
        text: &str,
        now: Timestamp,
    ) -> Result<RegisterLoaded, RegisterError> {
        let rows: Arc<[RegisterRow]> = read_register(text).map_err(RegisterError::Rows)?.into();
        let fingerprint = *blake3::hash(text.as_bytes()).as_bytes();
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let (this, rule) = (self.clone(), self.rule);
        let write = move |tx: &mut Tx| -> Result<RegisterLoaded, StorageError> {
            let mut unit = unit.clone();
            let is_same =
                register::last_load(tx)?.is_some_and(|load| load.fingerprint == fingerprint);
            let (mut confirmed, mut statuses) = (0_usize, 0_usize);
            if !is_same {
                register::replace(tx, &rows, &fingerprint, now)?;
                AuditEntry::new(AuditAction::RegisterLoaded)
                    .with("rows", AuditValue::count(rows.len() as u64))
                    .record(tx, &mut unit, &origin)?;
                if rule == SignUpConfirmation::Register {
                    for notary in notaries::waiting(tx)? {
                        let by_row = confirm_by_rule(tx, notary.id, rule, &mut unit, &origin)?;
                        if by_row {
                            confirmed += 1;
                            this.tell(tx, &mut unit, &notary, AccountStanding::Confirmed)?;
                        }
                    }
                }
                statuses = statuses_by_register(tx, &mut unit, &origin, &this.notifier)?;
            }
            Ok(RegisterLoaded {
                rows: rows.len(),
                reachable: rows.iter().filter(|row| row.has_contact()).count(),
                is_same,
                confirmed,
                gone: register::confirmed_and_gone(tx)?,
                statuses,
                doubtful: doubtful_statuses(tx)?,
            })
        };
        Ok(self.store.write(write).await?)
    }

    /// Returns the last load of the register.
    pub async fn last_load(&self) -> Result<Option<RegisterLoad>, StorageError> {
        self.store.read(register::last_load).await
    }

    /// Returns rows of the register with a name, identifier or certificate, without regard to case and apostrophes.
    pub async fn find(&self, text: &str) -> Result<Vec<RegisterRow>, StorageError> {
        let text = text.to_owned();
        let read = move |tx: &mut Tx| register::find(tx, &text, REGISTER_FOUND_MAX as u32);
        self.store.read(read).await
    }

    /// Returns whether nobody has told the status of the notary with a phone.
    pub async fn has_doubtful_status(&self, phone: &Phone) -> Result<bool, StorageError> {
        let phone = phone.clone();
        let read = move |tx: &mut Tx| notaries::by_phone(tx, &phone);
        let found = self.store.read(read).await?;
        Ok(found.is_some_and(|notary| notary.practice.is_doubtful()))
    }

    /// Returns the accounts that wait to be confirmed, the earliest first, and those whose new name does. That they are shown is recorded.
    pub async fn waiting(&self) -> Result<Vec<Notary>, StorageError> {
        let read = |tx: &mut Tx| -> Result<Vec<Notary>, StorageError> {
            let mut waiting = notaries::waiting(tx)?;
            waiting.extend(notaries::with_requested_name(tx)?);
            Ok(waiting)
        };
        let waiting = self.store.read_long(read).await?;
        self.recorder
            .record_list_shown(
                &self.store,
                AuditValue::word("waiting_accounts"),
                waiting.len(),
            )
            .await?;
        Ok(waiting)
    }

    /// Returns the name that the confirmed account with a phone asks for. That it is shown is recorded.
    pub async fn asked_name(&self, phone: &Phone) -> Result<Option<AskedName>, StorageError> {
        let phone = phone.clone();
        let read = move |tx: &mut Tx| notaries::by_phone(tx, &phone);
        let found = self.store.read(read).await?.filter(is_confirmed);
        let asked = found.and_then(|notary| {
            let (own, asked) = (notary.profile.full_name, notary.requested_name?);
            Some(AskedName { own, asked })
        });
        let list = AuditValue::word("waiting_accounts");
        let rows = usize::from(asked.is_some());
        self.recorder
            .record_list_shown(&self.store, list, rows)
            .await?;
        Ok(asked)
    }

    /// Gives a confirmed account the name that it asks for, or leaves it its own, if it still asks for the name that the operator was shown.
    /// The notary is told.
    ///
    /// # Errors
    /// [`DecisionError`].
    pub async fn decide_name(
        &self,
        phone: Phone,
        shown: &PersonName,
        takes: bool,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), DecisionError> {
        let reason = read_reason(reason)?;
        let (this, shown) = (self.clone(), shown.clone());
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<(), DecisionError> {
            register::lock(tx)?;
            let (locked, notary) = notaries::lock_by_phone(tx, &phone)?
                .filter(|(_, notary)| notary.phone_verified_at.is_some())
                .ok_or(DecisionError::Unknown)?;
            if !is_confirmed(&notary) || notary.requested_name.as_ref() != Some(&shown) {
                return Err(DecisionError::OtherName);
            }
            let decided = (takes, &reason);
            this.store_name(tx, (&locked, &notary), decided, &mut unit.clone(), &origin)?;
            Ok(())
        };
        self.store.write(write).await
    }

    /// Carries out a decision of the operator. A block ends all sessions, forgets the browsers and ends waiting codes. The notary is told.
    ///
    /// # Errors
    /// [`DecisionError`].
    pub async fn decide(
        &self,
        phone: Phone,
        decision: StandingDecision,
        reason: &str,
        now: Timestamp,
    ) -> Result<Decided, DecisionError> {
        let reason = read_reason(reason)?;
        let this = self.clone();
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<Decided, DecisionError> {
            let mut unit = unit.clone();
            register::lock(tx)?;
            let (locked, notary) = notaries::lock_by_phone(tx, &phone)?
                .filter(|(_, notary)| notary.phone_verified_at.is_some())
                .ok_or(DecisionError::Unknown)?;
            let standing = decision
                .applied_to(&notary.standing)
                .ok_or(DecisionError::DoesNotFit(notary.standing.account))?;
            if standing == AccountStanding::Confirmed {
                // A row that names the owner confirms nobody else afterwards.
                if let Some(row) = register::naming_row(tx, &notary)? {
                    register::take(tx, notary.id, &row)?;
                }
            }
            let after = (standing, StandingBy::Operator);
            change_standing(
                tx,
                (&locked, &notary),
                after,
                Some(&reason),
                &mut unit,
                &origin,
            )?;
            let mut sessions = 0;
            if standing == AccountStanding::Blocked {
                sessions = shut_out(tx, &locked, unit.now)?;
            }
            this.tell(tx, &mut unit, &notary, standing)?;
            Ok(Decided { standing, sessions })
        };
        self.store.write(write).await
    }

    /// Sets the status of a notary by the operator's decision, which no later load of the register overrules. The notary is told
    /// where it is another one.
    ///
    /// # Errors
    /// [`DecisionError`].
    pub async fn set_status(
        &self,
        phone: Phone,
        status: NotaryStatus,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), DecisionError> {
        let reason = read_reason(reason)?;
        let this = self.clone();
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<(), DecisionError> {
            let mut unit = unit.clone();
            let (locked, notary) = notaries::lock_by_phone(tx, &phone)?
                .filter(|(_, notary)| notary.phone_verified_at.is_some())
                .ok_or(DecisionError::Unknown)?;
            let after = (status, NotaryStatusBy::Operator);
            let reason = Some(reason.clone());
            store_status(tx, (&locked, &notary), after, reason, &mut unit, &origin)?;
            if status != notary.practice.status {
                tell_status(tx, &mut unit, (&notary, status), &this.notifier)?;
            }
            Ok(())
        };
        self.store.write(write).await
    }

    /// Gives an account the name that it asks for, or leaves it its own. The notary is told.
    fn store_name(
        &self,
        tx: &mut Tx,
        (locked, notary): (&LockedNotary, &Notary),
        (takes, reason): (bool, &Line),
        unit: &mut UnitContext,
        origin: &Origin,
    ) -> Result<(), StorageError> {
        let (from, to) = (&notary.profile.full_name, notary.requested_name.as_ref());
        let mut entry = AuditEntry::new(AuditAction::ProfileChanged)
            .of_notary(notary.id)
            .changed("requested_name", to, None)
            .decided_because(Some(reason));
        if takes {
            notaries::take_requested_name(tx, locked, unit.now)?;
            entry = entry.changed("full_name", Some(from), to);
        } else {
            notaries::request_name(tx, locked, None, unit.now)?;
        }
        entry.record(tx, unit, origin)?;
        let notice = texts::decided_name(takes, self.notifier.support_phone());
        self.notifier.tell_known(tx, unit, notary, notice)
    }

    /// Tells a notary what her account is now.
    fn tell(
        &self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        notary: &Notary,
        standing: AccountStanding,
    ) -> Result<(), StorageError> {
        let notice = texts::changed_standing(standing, self.notifier.support_phone());
        self.notifier.tell_known(tx, unit, notary, notice)
    }
}
