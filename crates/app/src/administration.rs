//! The operator's commands: reference data, accounts, alarms, letters.

use std::collections::BTreeMap;

use cabinet_domain::{AlarmId, EndReason, Line, LoginStep, Notary, Phone, names_payment_card};
use cabinet_reference::{BadRow, ReferenceData, parse};
use cabinet_storage::{
    StorageError, Store, Tx, alarms, notaries, orders, outbox, payments, reference_data, sessions,
};
use jiff::Timestamp;

use crate::payments::review;

/// Longest note on a closed alarm, in characters.
const NOTE_CHARS_MAX: usize = 1_000;
/// Alarms that are listed at most.
const ALARMS_MAX: u32 = 1_000;

/// Why reference data was not loaded.
#[derive(Debug)]
pub enum LoadError {
    /// Rows that break a rule.
    Rows(Vec<BadRow>),
    /// The database failed.
    Storage(StorageError),
}

/// A change of an account by the operator.
#[derive(Clone, Copy, Debug, Default)]
pub struct AccountChange {
    /// The step of its login.
    pub login_step: Option<LoginStep>,
    /// Whether its owner chooses a payment method in the popup with saved cards.
    pub chooses_payment_method: Option<bool>,
    /// Whether its sessions end.
    pub end_sessions: bool,
}

/// The operator's commands. They need only the database, so they also run beside a server.
#[derive(Clone)]
pub struct Administration {
    store: Store,
}

impl Administration {
    /// Returns the commands over a database.
    pub const fn new(store: Store) -> Administration {
        Administration { store }
    }

    /// Checks the files row by row and replaces the reference data by them. Nothing is loaded if one row is bad.
    ///
    /// # Errors
    /// Every bad row.
    pub async fn load_reference(
        &self,
        files: BTreeMap<String, String>,
        now: Timestamp,
    ) -> Result<ReferenceData, LoadError> {
        let data = parse(&files).map_err(LoadError::Rows)?;
        self.store
            .write(move |tx| reference_data::add_version(tx, now, &files))
            .await
            .map_err(LoadError::Storage)?;
        Ok(data)
    }

    /// Returns every account.
    pub async fn accounts(&self) -> Result<Vec<Notary>, StorageError> {
        self.store.read_long(notaries::all).await
    }

    /// Changes an account. Returns `false` where nobody is registered with the phone.
    pub async fn change_account(
        &self,
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
            if let Some(enabled) = change.chooses_payment_method {
                notaries::set_payment_method_choice(tx, notary.id, enabled, now)?;
            }
            if change.end_sessions {
                sessions::end_all(tx, notary.id, now, EndReason::EndedByOperator)?;
            }
            Ok(true)
        };
        self.store.write(write).await
    }

    /// Returns the open alarms, or all of them, one a line, the newest first.
    pub async fn alarms(&self, closed_too: bool) -> Result<Vec<String>, StorageError> {
        let read = move |tx: &mut Tx| -> Result<Vec<String>, StorageError> {
            let mut lines = Vec::new();
            for alarm in alarms::list(tx, closed_too, ALARMS_MAX)? {
                let order = match alarm.order_id {
                    Some(order) => orders::by_id(tx, order)?,
                    None => None,
                };
                let order =
                    order.map_or(String::new(), |order| format!(", order {}", order.number));
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
        self.store.read_long(read).await
    }

    /// Closes an open alarm with a note. Returns `false` where there is none of this id, or the note can't be kept.
    pub async fn close_alarm(
        &self,
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
            // Its order is locked first, as where an alarm is opened.
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
        self.store.write(write).await
    }

    /// Lets letters that were given up be tried once more. Returns how many they are.
    pub async fn retry_parked_letters(&self, now: Timestamp) -> Result<u64, StorageError> {
        self.store
            .write(move |tx| outbox::unpark_all(tx, now))
            .await
    }
}
