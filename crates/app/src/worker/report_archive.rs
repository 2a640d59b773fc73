//! Old reports of the acquirer are taken out of the database, month by month, after they were written to files.

use cabinet_domain::payment::NewReport;
use cabinet_domain::{AuditAction, AuditValue, OperatorReason, ReportId};
use cabinet_storage::order::orders;
use cabinet_storage::payment::{acquirer_reports, attempts};
use cabinet_storage::{StorageError, Store, Tx};
use jiff::Timestamp;

use crate::audit::{AuditEntry, Recorder};

pub use cabinet_storage::payment::acquirer_reports::ReportMonth;

/// Reports that are read at once.
const PAGE: u32 = 500;

/// A month that was written to a file.
#[derive(Clone, Debug)]
pub struct WrittenMonth {
    /// The month.
    pub month: ReportMonth,
    /// How many reports the file has.
    pub reports: u64,
    /// The SHA-256 of the file.
    pub sha256: [u8; 32],
}

/// Takes old reports away.
#[derive(Clone)]
pub struct ReportArchive {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
}

impl ReportArchive {
    /// Returns the earliest month with reports.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn earliest(&self) -> Result<Option<ReportMonth>, StorageError> {
        self.store.read_long(acquirer_reports::earliest_month).await
    }

    /// Returns how many reports of a month are about orders that are still open. Such a month is not taken away.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn open_of(&self, month: ReportMonth) -> Result<i64, StorageError> {
        let read = move |tx: &mut Tx| acquirer_reports::open_of_month(tx, month);
        self.store.read_long(read).await
    }

    /// Returns the next reports of a month, none at its end.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn page(
        &self,
        month: ReportMonth,
        after: Option<(Timestamp, ReportId)>,
    ) -> Result<Vec<NewReport>, StorageError> {
        let read = move |tx: &mut Tx| acquirer_reports::page_of_month(tx, month, after, PAGE);
        self.store.read_long(read).await
    }

    /// Deletes the reports of a month that was written.
    ///
    /// # Errors
    /// Fails when reports of the month have come or gone since, or when the database fails. Nothing is deleted then.
    pub async fn remove(
        &self,
        written: &WrittenMonth,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let (written, reason) = (written.clone(), reason.clone());
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            acquirer_reports::remove_month(tx, written.month, written.reports)?;
            let entry = AuditEntry::new(AuditAction::ReportsArchived)
                .because(&reason)
                .with("month", &written.month.first_day())
                .with("reports", AuditValue::count(written.reports))
                .with("sha256", &written.sha256);
            entry.record(tx, &mut unit.clone(), &origin)
        };
        self.store.write(write).await
    }

    /// Records that the bodies of reports are shown, before they are. `order`: the number of the order that they are about, where it was
    /// named.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn record_shown(
        &self,
        order: Option<i64>,
        reports: usize,
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let (reason, unit, origin) = (
            reason.clone(),
            self.recorder.unit_at(now),
            self.recorder.origin(),
        );
        let write = move |tx: &mut Tx| -> Result<(), StorageError> {
            let order = match order {
                Some(number) => orders::id_of(tx, number)?,
                None => None,
            };
            let notary = match order {
                Some(order) => orders::notary_of(tx, order)?,
                None => None,
            };
            AuditEntry::new(AuditAction::PersonalDataShown)
                .of_notary(notary)
                .on_order(order)
                .because(&reason)
                .with("list", AuditValue::word("reports"))
                .with("rows", AuditValue::count(reports as u64))
                .record(tx, &mut unit.clone(), &origin)
        };
        self.store.write(write).await
    }

    /// Returns the acquirer's invoices of an order; `None`: there is no such order.
    ///
    /// # Errors
    /// Fails when the database fails.
    pub async fn invoices_of(&self, number: i64) -> Result<Option<Vec<String>>, StorageError> {
        let read = move |tx: &mut Tx| -> Result<Option<Vec<String>>, StorageError> {
            let Some(order) = orders::id_of(tx, number)? else {
                return Ok(None);
            };
            let attempts = attempts::of_order(tx, order)?.into_iter();
            let invoices = attempts.filter_map(|attempt| attempt.invoice_id);
            Ok(Some(
                invoices
                    .map(|invoice| invoice.as_str().to_owned())
                    .collect(),
            ))
        };
        self.store.read(read).await
    }
}
