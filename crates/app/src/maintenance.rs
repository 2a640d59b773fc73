//! What the operator and the worker have done: reference data, accounts, checks, tidying up.

use std::collections::BTreeMap;

use cabinet_domain::{AlarmId, Line, Phone, names_payment_card};
use cabinet_reference::{BadRow, ReferenceData, parse};
use cabinet_storage::notaries::{self, LoginStep, Notary};
use cabinet_storage::{
    StorageError, Store, Tx, alarms, cart, login_operations, orders, outbox, payments,
    reference_data, sessions,
};
use jiff::{SignedDuration, Timestamp};

use crate::App;
use crate::payments::review;
use crate::refusal::Outcome;

/// Longest note on a closed alarm, in characters.
const NOTE_CHARS_MAX: usize = 1_000;
/// A deleted item of a cart can be brought back for so long.
const UNDO_TIME: SignedDuration = SignedDuration::from_hours(24);
/// A request to add to a cart is answered alike for so long.
const ADDITIONS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);
/// Login operations are kept for the limits of codes, and a little longer for questions.
const OPERATIONS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);
/// Ended sessions are kept for questions about who signed in when.
const SESSIONS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 90);
/// Rows of the outbox that were delivered are kept, without what they said, for questions about when.
const DELIVERED_KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);
/// The worker counts as dead when it was not seen for so long.
const WORKER_SILENCE_MAX: SignedDuration = SignedDuration::from_secs(90);

/// Why a folder was not loaded.
#[derive(Debug)]
pub enum LoadError {
    /// Rows that break a rule; nothing was loaded.
    Rows(Vec<BadRow>),
    /// The database can't be used.
    Storage(StorageError),
}

/// What the operator changes of an account.
#[derive(Clone, Copy, Debug, Default)]
pub struct AccountChange {
    /// How it logs in.
    pub login_step: Option<LoginStep>,
    /// Whether the popup with saved cards is shown.
    pub new_flow_enabled: Option<bool>,
    /// Ends its sessions.
    pub end_sessions: bool,
}

/// Checks the files row by row and replaces the reference data by them. Nothing is loaded if one row is bad.
///
/// # Errors
/// Every bad row with its file, line and reason; or the database's failure.
pub async fn load_reference(
    store: &Store,
    files: BTreeMap<String, String>,
    now: Timestamp,
) -> Result<ReferenceData, LoadError> {
    let data = parse(&files).map_err(LoadError::Rows)?;
    store
        .write(move |tx| reference_data::add_version(tx, now, &files))
        .await
        .map_err(LoadError::Storage)?;
    Ok(data)
}

/// Alarms that are listed at most.
const ALARMS_MAX: u32 = 1_000;

/// Returns the open alarms, or all of them, one a line, the newest first.
///
/// # Errors
/// Fails where the database can't be read.
pub async fn list_alarms(store: &Store, closed_too: bool) -> Result<Vec<String>, StorageError> {
    let read = move |tx: &mut Tx| -> Result<Vec<String>, StorageError> {
        let mut lines = Vec::new();
        for alarm in alarms::list(tx, closed_too, ALARMS_MAX)? {
            let order = match alarm.order_id {
                Some(order) => orders::by_id(tx, order)?,
                None => None,
            };
            let order = order.map_or(String::new(), |order| format!(", order {}", order.number));
            let closed = match (alarm.closed_at, &alarm.note) {
                (Some(at), Some(note)) => format!(", closed {at}: {note}"),
                _ => String::new(),
            };
            lines.push(format!(
                "{}  {}  {}{order}, {} times from {} to {}{closed}",
                alarm.id,
                alarm.kind.as_str(),
                alarm.subject,
                alarm.count,
                alarm.first_at,
                alarm.last_at,
            ));
        }
        Ok(lines)
    };
    store.read_long(read).await
}

/// Closes an open alarm with a note. Returns `false` where there is none of this id, or the note can't be kept.
///
/// # Errors
/// Fails where the database can't be written.
pub async fn close_alarm(
    store: &Store,
    alarm: &str,
    note: &str,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let note = Line::parse(note, NOTE_CHARS_MAX).ok();
    let note = note.filter(|note| !names_payment_card(note.as_str()));
    let (Some(alarm), Some(note)) = (AlarmId::parse(alarm), note) else {
        return Ok(false);
    };
    let write = move |tx: &mut Tx| -> Result<bool, StorageError> {
        // Its order is locked first, as by whoever raises one.
        let order = alarms::order_of(tx, alarm)?;
        let case = match order {
            Some(order) => payments::case_of(tx, order)?,
            None => None,
        };
        let is_closed = alarms::close(tx, alarm, note.as_str(), now)?;
        if let Some(case) = case {
            review(tx, case.order.id, now)?;
        }
        Ok(is_closed)
    };
    store.write(write).await
}

/// Every account.
///
/// # Errors
/// When the database can't be read.
pub async fn list_notaries(store: &Store) -> Result<Vec<Notary>, StorageError> {
    store.read_long(notaries::all).await
}

/// Changes an account. `false`: nobody is registered with the phone.
///
/// # Errors
/// When the database can't be written.
pub async fn change_account(
    store: &Store,
    phone: Phone,
    change: AccountChange,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let write = move |tx: &mut Tx| -> Result<bool, StorageError> {
        let Some(notary) = notaries::by_phone(tx, &phone)? else {
            return Ok(false);
        };
        if let Some(step) = change.login_step {
            notaries::set_login_step(tx, notary.id, step, now)?;
        }
        if let Some(enabled) = change.new_flow_enabled {
            notaries::set_new_flow(tx, notary.id, enabled, now)?;
        }
        if change.end_sessions {
            sessions::end_all(tx, notary.id, now, sessions::EndReason::EndedByOperator)?;
        }
        Ok(true)
    };
    store.write(write).await
}

impl App {
    /// Whether the cabinet can do its work now.
    ///
    /// # Errors
    /// What is missing, in words for the operator.
    pub async fn readiness(&self) -> Result<(), &'static str> {
        self.inner
            .store
            .health()
            .await
            .map_err(|_| "the database does not answer")?;
        self.reference()
            .map_err(|_| "no reference data is loaded")?;
        let seen = self
            .inner
            .worker_seen
            .load(std::sync::atomic::Ordering::Relaxed);
        let silence = self.now().as_second() - seen;
        if silence > WORKER_SILENCE_MAX.as_secs() {
            return Err("the worker is not at work");
        }
        Ok(())
    }

    /// The worker has just finished a round, or a part of one.
    pub fn note_worker_alive(&self) {
        self.inner
            .worker_seen
            .store(self.now().as_second(), std::sync::atomic::Ordering::Relaxed);
    }

    /// Removes what is no longer of use, and measures what waits.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn tidy_up(&self) -> Outcome<()> {
        let now = self.now();
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            cart::purge_deleted(tx, now - UNDO_TIME)?;
            cart::purge_additions(tx, now - ADDITIONS_KEPT)?;
            login_operations::purge(tx, now - OPERATIONS_KEPT)?;
            sessions::purge(tx, now - SESSIONS_KEPT)?;
            notaries::purge_unproven(tx, now - OPERATIONS_KEPT)?;
            outbox::purge(tx, now - DELIVERED_KEPT)?;
            Ok(())
        };
        self.inner.store.write(write).await?;
        self.plan_missing_transfers().await?;
        self.measure_outbox().await
    }
}
