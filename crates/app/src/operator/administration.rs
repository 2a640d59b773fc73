//! The operator's commands: reference data, accounts, alarms, letters.

use std::collections::{BTreeMap, BTreeSet};

use cabinet_domain::payment::{self, Alarm, AlarmKind, Case};
use cabinet_domain::{
    AlarmId, AuditAction, AuditObject, AuditValue, Money, Notary, NotaryId, OperatorReason, Origin,
    Phone, ReasonError, Transfer, TransferStatus, kyiv_time, long_numbers, without_other_numbers,
};
use cabinet_reference::{BadRow, ReferenceData, TableChoices};
use cabinet_storage::account::notaries;
use cabinet_storage::catalogue::reference_data;
use cabinet_storage::operator::alarms;
use cabinet_storage::order::{order_search, orders};
use cabinet_storage::payment::payments::{self, OrderCase};
use cabinet_storage::transfer::transfers;
use cabinet_storage::worker::outbox;
use cabinet_storage::{LockedNotary, StorageError, Store, Tx, lock_notary};
use jiff::Timestamp;
use uuid::Uuid;

use crate::account::shut_out;
use crate::audit::{AuditEntry, Recorder};
use crate::catalogue::reference_preview::{
    Compared, PreviewError, ReferenceChange, reference_change,
};
use crate::kernel::ids::UnitContext;
use crate::kernel::notifier::Notifier;
use crate::kernel::refusal::AppError;
use crate::kernel::texts::changed_by_operator;
use crate::operator::account_change::AccountChange;
use crate::payment::review;

pub use cabinet_storage::worker::outbox::ParkedTask;

/// Longest note on a closed alarm, in characters.
const NOTE_CHARS_MAX: usize = 1_000;
/// Alarms that are listed at most.
const ALARMS_MAX: u32 = 1_000;

/// Why reference data was not loaded.
#[derive(Debug)]
pub enum LoadError {
    /// Rows that break a rule.
    Rows(Vec<BadRow>),
    /// Other tables have come into force since the comparison.
    Overtaken,
    /// The database failed.
    Storage(StorageError),
    /// The tables in force can't be read.
    App(AppError),
}

impl From<StorageError> for LoadError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

/// Why an alarm was not closed.
#[derive(Debug, thiserror::Error)]
pub enum CloseAlarmError {
    /// There is no open alarm of this id.
    #[error("there is no open alarm of this id: cabinet alarms list")]
    NoAlarm,
    /// The ids of several open alarms begin so.
    #[error("the ids of several open alarms begin with {0}: give more of it")]
    Ambiguous(String),
    /// No alarm of this kind is open.
    #[error("there is no open alarm of the kind {0}: cabinet alarms list")]
    NoneOfKind(String),
    /// The note can't be kept.
    #[error("--note: {0}")]
    Note(ReasonError),
    /// The alarm is about money that was given back, of which nothing says what it was for.
    #[error(
        "{stands} UAH of the order were given back, and nothing says what for. Record it: cabinet order refund NUMBER --transfer DOCUMENT or --sum SUM, with \
         --already-given-back. Where it can't be recorded, close the alarm with --unexplained {stands}: then the transfers of the order are sent all the same",
        stands = .0.decimal()
    )]
    Unexplained(Money),
    /// What banks told of the transfer with this document number still contradicts itself.
    #[error(
        "what banks told of the transfer {0} still contradicts itself: import what the bank answers, which closes nothing by itself, then close the alarm"
    )]
    Disputed(i64),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Which open alarms are meant.
#[derive(Clone, Debug)]
pub enum WhichAlarms {
    /// Those with these ids. The beginning of an id is enough where no other open alarm's begins so.
    Named(Vec<String>),
    /// All of a kind.
    OfKind(String),
}

/// What ended when the operator shut everybody out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndedSessions {
    /// The sessions.
    pub sessions: u64,
    /// The accounts that had one.
    pub accounts: u64,
}

/// An alarm, with the name of its kind: a later program may have opened one of a kind that this one does not know.
#[derive(Clone, Debug)]
pub struct ListedAlarm {
    /// The alarm.
    pub alarm: Alarm<String>,
    /// The short number of its order.
    pub order_number: Option<i64>,
}

/// Letters and text messages that were given up.
#[derive(Clone, Debug)]
pub enum ParkedLetters {
    /// All of them.
    All,
    /// Those of these ids.
    Only(Vec<Uuid>),
}

impl ParkedLetters {
    fn ids(&self, tx: &mut Tx) -> Result<Vec<Uuid>, StorageError> {
        match self {
            Self::All => Ok(outbox::parked(tx)?.iter().map(|task| task.id).collect()),
            Self::Only(ids) => Ok(ids.clone()),
        }
    }
}

/// The operator's commands. They need only the database, so they also run beside a server.
#[derive(Clone)]
pub struct Administration {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    pub(crate) notifier: Notifier,
}

impl Administration {
    /// Checks the files row by row, compares them with the tables in force, and replaces these by them. Nothing is loaded if one row is
    /// bad.
    ///
    /// # Errors
    /// Every bad row.
    pub async fn load_reference(
        &self,
        files: BTreeMap<String, String>,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<ReferenceData, LoadError> {
        let choices = TableChoices::default();
        let change = reference_change(&self.store, files, &choices).await;
        let change = change.map_err(|error| match error {
            PreviewError::Rows(rows) => LoadError::Rows(rows),
            PreviewError::App(error) => LoadError::App(error),
        })?;
        let data = change.data.clone();
        self.take_reference(change, reason, now).await?;
        Ok(data)
    }

    /// Replaces the tables in force by those that were compared with them. The event has the reason and each changed row.
    ///
    /// # Errors
    /// [`LoadError::Overtaken`] where others have come into force since the comparison.
    pub async fn take_reference(
        &self,
        change: ReferenceChange,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<i64, LoadError> {
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let reason = reason.clone();
        let write = move |tx: &mut Tx| -> Result<i64, LoadError> {
            reference_data::lock(tx)?;
            if reference_data::latest_version(tx)? != change.from.version() {
                return Err(LoadError::Overtaken);
            }
            let version = reference_data::add_version(tx, now, &change.files)?;
            reference_entry(version, &change.from)
                .because(&reason)
                .record(tx, &mut unit.clone(), &origin)?;
            Ok(version)
        };
        self.store.write(write).await
    }

    /// Returns every account.
    pub async fn accounts(&self) -> Result<Vec<Notary>, StorageError> {
        self.store.read_long(notaries::all).await
    }

    /// Changes an account, and tells its owner by every contact. Returns `false` where nobody is registered with the phone.
    pub async fn change_account(
        &self,
        phone: Phone,
        change: AccountChange,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<bool, StorageError> {
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let (reason, notifier) = (reason.clone(), self.notifier.clone());
        let write = move |tx: &mut Tx| -> Result<bool, StorageError> {
            let Some((locked, notary)) = notaries::lock_by_phone(tx, &phone)? else {
                return Ok(false);
            };
            let mut unit = unit.clone();
            apply_change(
                tx,
                (&locked, &notary),
                (change, &reason),
                &mut unit,
                &origin,
            )?;
            let at = kyiv_time(unit.now);
            let notice = changed_by_operator(change, &at, notifier.support_phone());
            notifier.tell_known_everywhere(tx, &mut unit, &notary, &notice)?;
            Ok(true)
        };
        self.store.write(write).await
    }

    /// Ends the sessions of all accounts, forgets their browsers, and ends codes and calls that wait for an answer. Each account is a unit of
    /// work of its own, so a server goes on beside it, and what was done stays done where it breaks off.
    pub async fn end_all_sessions(
        &self,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<EndedSessions, StorageError> {
        let mut ended = EndedSessions::default();
        for notary in self.store.read_long(notaries::ids).await? {
            let sessions = self.end_sessions_of(notary, reason, now).await?;
            ended.sessions += sessions;
            ended.accounts += u64::from(sessions > 0);
        }
        AuditEntry::new(AuditAction::SessionsEnded)
            .with("sessions", AuditValue::count(ended.sessions))
            .with("accounts", AuditValue::count(ended.accounts))
            .because(reason)
            .record_alone(
                &self.store,
                self.recorder.unit_at(now),
                self.recorder.origin(),
            )
            .await?;
        Ok(ended)
    }

    async fn end_sessions_of(
        &self,
        notary: NotaryId,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<u64, StorageError> {
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let reason = reason.clone();
        let write = move |tx: &mut Tx| -> Result<u64, StorageError> {
            let locked = lock_notary(tx, notary)?;
            let ended = shut_out(tx, &locked, now)?;
            if ended > 0 {
                AuditEntry::new(AuditAction::SessionsEnded)
                    .of_notary(notary)
                    .with("sessions", AuditValue::count(ended))
                    .because(&reason)
                    .record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(ended)
        };
        self.store.write(write).await
    }

    /// Returns the open alarms, or all of them, the newest first.
    pub async fn alarms(&self, closed_too: bool) -> Result<Vec<ListedAlarm>, StorageError> {
        let read = move |tx: &mut Tx| -> Result<Vec<ListedAlarm>, StorageError> {
            let mut listed = Vec::new();
            for alarm in alarms::list(tx, closed_too, ALARMS_MAX)? {
                // Only the number: an alarm may be about an order whose rows can't be read.
                let order_number = match alarm.order_id {
                    Some(order) => orders::number_of(tx, order)?,
                    None => None,
                };
                listed.push(ListedAlarm {
                    alarm,
                    order_number,
                });
            }
            Ok(listed)
        };
        self.store.read_long(read).await
    }

    /// Returns how many alarms [`Administration::alarms`] leaves out.
    pub async fn alarms_left_out(&self, closed_too: bool) -> Result<u64, StorageError> {
        let read = move |tx: &mut Tx| alarms::count(tx, closed_too);
        let all = self.store.read_long(read).await?;
        Ok(all.saturating_sub(u64::from(ALARMS_MAX)))
    }

    /// Returns the ids of open alarms, the oldest first, each once.
    ///
    /// # Errors
    /// [`CloseAlarmError`]; then none is meant.
    pub async fn open_alarms(&self, which: &WhichAlarms) -> Result<Vec<AlarmId>, CloseAlarmError> {
        let open = self.store.read_long(alarms::open).await?;
        let mut found: BTreeSet<AlarmId> = BTreeSet::new();
        match which {
            WhichAlarms::OfKind(kind) => {
                found.extend(open.iter().filter(|(_, of)| of == kind).map(|(id, _)| *id));
                if found.is_empty() {
                    return Err(CloseAlarmError::NoneOfKind(kind.clone()));
                }
            }
            WhichAlarms::Named(names) => {
                for name in names {
                    let begins = name.to_lowercase();
                    let mut fitting = open
                        .iter()
                        .map(|(id, _)| *id)
                        .filter(|id| !begins.is_empty() && id.to_string().starts_with(&begins));
                    let first = fitting.next().ok_or(CloseAlarmError::NoAlarm)?;
                    if fitting.next().is_some() {
                        return Err(CloseAlarmError::Ambiguous(name.clone()));
                    }
                    found.insert(first);
                }
            }
        }
        let oldest_first = open.into_iter().map(|(id, _)| id);
        Ok(oldest_first.filter(|id| found.contains(id)).collect())
    }

    /// Closes an open alarm with a note. `unexplained`: what was given back of its order, as far as the operator knows, without a word what for.
    ///
    /// # Errors
    /// [`CloseAlarmError`].
    pub async fn close_alarm(
        &self,
        alarm: AlarmId,
        note: &str,
        unexplained: Money,
        now: Timestamp,
    ) -> Result<(), CloseAlarmError> {
        let note = note.to_owned();
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<(), CloseAlarmError> {
            let known = order_search::known_references(tx, &long_numbers(&note))?;
            let is_known = |number: &str| known.iter().any(|known| known == number);
            let note = without_other_numbers(&note, NOTE_CHARS_MAX, is_known)
                .map_err(CloseAlarmError::Note)?;
            let found = alarms::by_id(tx, alarm)?.ok_or(CloseAlarmError::NoAlarm)?;
            let order = found.order_id;
            // Its order is locked first, as where an alarm is opened.
            let tx = &mut tx.without_notary();
            let locked = match order {
                Some(order) => payments::lock_case(tx, order)?,
                None => None,
            };
            if let Some((_, OrderCase { case, .. })) = &locked {
                refuse_while_it_stands(tx, &found, case, unexplained)?;
            }
            if !alarms::close(tx, alarm, note.as_str(), now)? {
                return Err(CloseAlarmError::NoAlarm);
            }
            if let Some((locked, _)) = locked {
                review(tx, &locked, now)?;
            }
            let notary = match order {
                Some(order) => orders::notary_of(tx, order)?,
                None => None,
            };
            AuditEntry::new(AuditAction::AlarmClosed)
                .of_notary(notary)
                .on_order(order)
                .on(AuditObject::Alarm(alarm))
                .record(tx, &mut unit.clone(), &origin)?;
            Ok(())
        };
        self.store.write(write).await
    }

    /// Returns the letters and text messages that were given up, the earliest first.
    pub async fn parked_letters(&self) -> Result<Vec<ParkedTask>, StorageError> {
        self.store.read_long(outbox::parked).await
    }

    /// Lets letters that were given up be tried once more. Returns how many they are.
    pub async fn retry_parked_letters(
        &self,
        which: ParkedLetters,
        now: Timestamp,
    ) -> Result<u64, StorageError> {
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<u64, StorageError> {
            let mut count = 0;
            for id in which.ids(tx)? {
                count += u64::from(outbox::unpark(tx, id, now)?);
            }
            if count > 0 {
                AuditEntry::new(AuditAction::LettersRetried)
                    .with("letters", AuditValue::count(count))
                    .record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(count)
        };
        self.store.write(write).await
    }

    /// Deletes letters that were given up, because they are not to be sent any more. Returns how many they were.
    pub async fn drop_parked_letters(
        &self,
        ids: Vec<Uuid>,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<u64, StorageError> {
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let reason = reason.clone();
        let write = move |tx: &mut Tx| -> Result<u64, StorageError> {
            let mut count = 0;
            for id in &ids {
                count += u64::from(outbox::delete_parked(tx, *id)?);
            }
            if count > 0 {
                AuditEntry::new(AuditAction::LettersDropped)
                    .with("letters", AuditValue::count(count))
                    .because(&reason)
                    .record(tx, &mut unit.clone(), &origin)?;
            }
            Ok(count)
        };
        self.store.write(write).await
    }
}

/// Changed rows that an event names at most. The versions keep all.
const CHANGES_NAMED_MAX: usize = 200;

/// The event of a set of tables that comes into force.
fn reference_entry(version: i64, from: &Compared) -> AuditEntry {
    let entry =
        AuditEntry::new(AuditAction::ReferenceLoaded).on(AuditObject::ReferenceVersion(version));
    let Some(difference) = from.difference() else {
        return entry.with("compared", AuditValue::word("no"));
    };
    let lines = difference.tables.iter();
    let lines: Vec<(&str, &String)> = lines
        .flat_map(|(file, lines)| lines.iter().map(move |line| (*file, line)))
        .collect();
    let named = lines.iter().take(CHANGES_NAMED_MAX);
    let entry = named.fold(entry, |entry, (file, line)| {
        entry.with(file, AuditValue::of_tables(line))
    });
    let left_out = lines.len().saturating_sub(CHANGES_NAMED_MAX);
    let changes = u64::try_from(lines.len()).unwrap_or(u64::MAX);
    let entry = entry.with("changes", AuditValue::count(changes));
    if left_out == 0 {
        return entry;
    }
    let left_out = u64::try_from(left_out).unwrap_or(u64::MAX);
    entry.with("changes_left_out", AuditValue::count(left_out))
}

/// Applies the operator's changes of an account. Each leaves an event of its own.
fn apply_change(
    tx: &mut Tx,
    (locked, notary): (&LockedNotary, &Notary),
    (change, reason): (AccountChange, &OperatorReason),
    unit: &mut UnitContext,
    origin: &Origin,
) -> Result<(), StorageError> {
    let entry = |action| AuditEntry::new(action).of_notary(notary.id);
    if let Some(step) = change.login_step {
        notaries::set_login_step(tx, notary.id, step, unit.now)?;
        entry(AuditAction::LoginStepChanged)
            .changed("login_step", Some(notary.login_step), Some(step))
            .because(reason)
            .record(tx, unit, origin)?;
    }
    if let Some(enabled) = change.chooses_payment_method {
        notaries::set_payment_method_choice(tx, notary.id, enabled, unit.now)?;
        entry(AuditAction::PaymentFlowChanged)
            .changed(
                "new_flow_enabled",
                Some(notary.chooses_payment_method),
                Some(enabled),
            )
            .because(reason)
            .record(tx, unit, origin)?;
    }
    if change.end_sessions {
        let count = shut_out(tx, locked, unit.now)?;
        entry(AuditAction::SessionsEnded)
            .with("sessions", AuditValue::count(count))
            .because(reason)
            .record(tx, unit, origin)?;
    }
    Ok(())
}

/// Refuses to close an alarm whose matter is still open, and on which it depends whether money leaves or waits.
fn refuse_while_it_stands(
    tx: &mut Tx,
    alarm: &Alarm<String>,
    case: &Case,
    unexplained: Money,
) -> Result<(), CloseAlarmError> {
    let transfers = transfers::of_order(tx, case.order.id)?;
    if alarm.kind == AlarmKind::RefundedInPart.as_str() {
        let stands = payment::unexplained(case, &transfers);
        if stands != unexplained {
            return Err(CloseAlarmError::Unexplained(stands));
        }
    }
    if alarm.kind == AlarmKind::TransferDisputed.as_str() {
        // Where its money went on before, the bank has paid it twice, and a person asks for it outside of the cabinet.
        let has_gone_on = |transfer: &Transfer| {
            let refund = transfer.refund.as_ref();
            refund.is_some_and(|refund| refund.refunded_at.is_some())
                || transfers
                    .iter()
                    .any(|other| other.replaces == Some(transfer.id))
        };
        let disputed = transfers.iter().find(|transfer| {
            let subject = format!("transfer:{}", transfer.document_number);
            transfer.status == TransferStatus::Disputed && alarm.subject == subject
        });
        if let Some(transfer) = disputed.filter(|transfer| !has_gone_on(transfer)) {
            return Err(CloseAlarmError::Disputed(transfer.document_number));
        }
    }
    Ok(())
}
