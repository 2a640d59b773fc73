//! The audit trail: recording what is done, sealing it, and reading it for the operator.
//!
//! An entry is recorded in the unit of work that makes the change, so it exists exactly if the change was committed.

use std::sync::Arc;

use cabinet_domain::{
    AuditAction, AuditChange, AuditEvent, AuditEventId, AuditObject, AuditSeal, AuditValue, Clock,
    Line, Notary, NotaryId, OperatorReason, OrderId, Origin, Phone, Randomness,
};
use cabinet_storage::account::notaries;
use cabinet_storage::audit::chain::Keeps;
use cabinet_storage::audit::{self, chain};
use cabinet_storage::order::orders;
use cabinet_storage::{StorageError, Store, Tx};
use jiff::{SignedDuration, Timestamp};

use crate::kernel::ids::{Ids, UnitContext};
use crate::kernel::keys::Digest;
use crate::payment::approval::Approved;

pub use cabinet_storage::audit::chain::ChainCheck;
pub use cabinet_storage::audit::{AuditFilter, ListedEvent};

/// The field with the operator's reason. It is written for the operator: notaries are not shown it.
pub(crate) const REASON: &str = "operator_reason";
/// The name of the digest of what was proved.
pub(crate) const PROVED: &str = "proved";
/// An event must be sealed after so long. The worker seals every second.
const SEALED_WITHIN: SignedDuration = SignedDuration::from_hours(1);
/// Events that are read at once.
const PAGE: u32 = 500;

/// An event that is about to be recorded.
#[derive(Clone, Debug)]
pub(crate) struct AuditEntry {
    action: AuditAction,
    notary: Option<NotaryId>,
    order: Option<OrderId>,
    object: Option<AuditObject>,
    changes: Vec<AuditChange>,
}

impl AuditEntry {
    /// Begins an entry.
    pub(crate) const fn new(action: AuditAction) -> Self {
        Self {
            action,
            notary: None,
            order: None,
            object: None,
            changes: Vec::new(),
        }
    }

    /// Names the notary whom it concerns.
    pub(crate) fn of_notary(mut self, notary: impl Into<Option<NotaryId>>) -> Self {
        self.notary = notary.into();
        self
    }

    /// Names the order that it concerns.
    pub(crate) fn on_order(mut self, order: impl Into<Option<OrderId>>) -> Self {
        self.order = order.into();
        self
    }

    /// Names what it concerns beside its notary and its order.
    pub(crate) fn on(mut self, object: AuditObject) -> Self {
        self.object = Some(object);
        self
    }

    /// Adds a field, if it changed. Values are masked.
    pub(crate) fn changed<V: Into<AuditValue> + PartialEq>(
        mut self,
        field: &str,
        from: Option<V>,
        to: Option<V>,
    ) -> Self {
        if from != to {
            self.changes.push(AuditChange {
                field: field.to_owned(),
                from: from.map(Into::into),
                to: to.map(Into::into),
            });
        }
        self
    }

    /// Adds a detail.
    pub(crate) fn with(self, field: &str, value: impl Into<AuditValue>) -> Self {
        self.changed(field, None, Some(value.into()))
    }

    /// Adds the digest of what the notary proved for a charge, if she had to.
    pub(crate) fn proved_by(self, approved: Option<Approved>) -> Self {
        match approved.and_then(Approved::proved) {
            Some(digest) => self.proved(digest),
            None => self,
        }
    }

    /// Adds the digest of what the notary proved.
    pub(crate) fn proved(self, digest: Digest) -> Self {
        self.with(PROVED, &digest)
    }

    /// Adds why the operator does it.
    pub(crate) fn because(self, reason: &OperatorReason) -> Self {
        self.with(REASON, reason)
    }

    /// Adds why the operator decided so, if the operator did. `reason` was read by [`cabinet_domain::without_numbers`].
    pub(crate) fn decided_because(self, reason: Option<&Line>) -> Self {
        match reason {
            Some(reason) => self.because(&OperatorReason::from_saved(reason.clone())),
            None => self,
        }
    }

    /// Returns whether it names a change.
    pub(crate) const fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Records the entry in the unit of work that makes the change.
    pub(crate) fn record(
        self,
        tx: &mut Tx,
        unit: &mut UnitContext,
        origin: &Origin,
    ) -> Result<(), StorageError> {
        let event = AuditEvent {
            id: AuditEventId::new(unit.new_id()),
            created_at: unit.now,
            origin: origin.clone(),
            action: self.action,
            notary_id: self.notary,
            order_id: self.order,
            object: self.object,
            changes: self.changes,
        };
        audit::insert(tx, &event)
    }

    /// Records the entry in a unit of work of its own, for what changes nothing in the database.
    pub(crate) async fn record_alone(
        self,
        store: &Store,
        unit: UnitContext,
        origin: Origin,
    ) -> Result<(), StorageError> {
        let write = move |tx: &mut Tx| self.clone().record(tx, &mut unit.clone(), &origin);
        store.write(write).await
    }
}

/// Who runs commands, and the source of the ids of what they record.
#[derive(Clone)]
pub struct Recorder {
    ids: Ids,
    origin: Origin,
}

impl Recorder {
    /// Returns the recorder of what is done from somewhere.
    pub fn new(clock: Arc<dyn Clock>, randomness: Arc<dyn Randomness>, origin: Origin) -> Self {
        Self::of(Ids { clock, randomness }, origin)
    }

    pub(crate) const fn of(ids: Ids, origin: Origin) -> Self {
        Self { ids, origin }
    }

    /// Returns the source of ids.
    pub(crate) fn ids(&self) -> Ids {
        self.ids.clone()
    }

    /// Returns who does it, and from where.
    pub(crate) fn origin(&self) -> Origin {
        self.origin.clone()
    }

    /// Returns the context of a unit of work that takes place at a moment.
    pub(crate) fn unit_at(&self, now: Timestamp) -> UnitContext {
        self.ids.unit_at(now)
    }

    /// Returns the context of a unit of work that begins now.
    pub(crate) fn unit(&self) -> UnitContext {
        self.ids.unit()
    }

    /// Records that the operator is shown a list of people in full, before it is shown. An empty list shows nobody.
    pub(crate) async fn record_list_shown(
        &self,
        store: &Store,
        list: AuditValue,
        rows: usize,
    ) -> Result<(), StorageError> {
        if rows == 0 {
            return Ok(());
        }
        AuditEntry::new(AuditAction::PersonalDataShown)
            .with("list", list)
            .with("rows", AuditValue::count(rows as u64))
            .record_alone(store, self.unit(), self.origin())
            .await
    }
}

/// Seals the audit trail and shows it.
#[derive(Clone)]
pub struct Audit {
    store: Store,
}

impl Audit {
    /// Returns the audit trail of a database.
    pub(crate) const fn new(store: Store) -> Self {
        Self { store }
    }

    /// Seals every event that was committed.
    ///
    /// # Errors
    /// Fails when the database fails. What was not sealed is sealed the next time.
    pub async fn seal(&self) -> Result<(), StorageError> {
        while self.store.read(chain::has_unsealed).await? {
            self.store.write(chain::seal).await?;
        }
        Ok(())
    }

    /// Checks the whole trail, whether it begins where it may, and whether it holds a seal that was noted elsewhere. `kept`: how long events
    /// are kept, for ever where it is `None`.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn check(
        &self,
        noted: Option<AuditSeal>,
        kept: Option<SignedDuration>,
        now: Timestamp,
    ) -> Result<ChainCheck, StorageError> {
        let keeps = kept.map_or(Keeps::All, |kept| Keeps::For(kept, now));
        chain::check(&self.store, noted, keeps).await
    }

    /// Returns the number of events that should have been sealed long ago.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn overdue(&self, now: Timestamp) -> Result<i64, StorageError> {
        let moment = now - SEALED_WITHIN;
        let read = move |tx: &mut Tx| chain::unsealed_before(tx, moment);
        self.store.read(read).await
    }

    /// Returns the notary with a phone.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn notary_with(&self, phone: Phone) -> Result<Option<NotaryId>, StorageError> {
        let read = move |tx: &mut Tx| notaries::by_phone(tx, &phone);
        let found: Option<Notary> = self.store.read(read).await?;
        Ok(found.map(|notary| notary.id))
    }

    /// Returns the order with a number.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn order_with(&self, number: i64) -> Result<Option<OrderId>, StorageError> {
        let read = move |tx: &mut Tx| orders::by_number(tx, number);
        Ok(self.store.read(read).await?.map(|order| order.id))
    }

    /// Returns a page of events, the earliest first, after the last one of the page before. The page after the last is empty.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn page(
        &self,
        filter: AuditFilter,
        after: Option<AuditEvent>,
    ) -> Result<Vec<ListedEvent>, StorageError> {
        let read = move |tx: &mut Tx| audit::page(tx, &filter, after.as_ref(), PAGE);
        self.store.read_long(read).await
    }
}
