//! Transfers: the export of planned transfers for the bank, and the import of their statuses by the operator.
//!
//! An export changes nothing. A transfer is not paid twice because it is marked as sent before the bank has it: an import takes a
//! file as a whole, and refuses one of which a part was sent before.

use std::collections::BTreeSet;
use std::sync::Arc;

use cabinet_domain::csv::cell;
use cabinet_domain::{
    AuditAction, AuditObject, AuditValue, Line, Transfer, TransferId, TransferStatus, kyiv_date,
    names_payment_card,
};
use cabinet_storage::{StorageError, Store, Tx, orders, transfers};
use jiff::Timestamp;

use crate::audit::{AuditEntry, Recorder};
use crate::transfer_import::take_rows;
pub use crate::transfer_import::{ImportError, Imported};
use crate::transfer_rows::REASON_CHARS_MAX;
pub use crate::transfer_rows::{BadRow, Reason, Row, read_rows};

/// Transfers that are read at once.
const EXPORT_PAGE: u32 = 1000;

/// Exports transfers and imports their statuses.
#[derive(Clone)]
pub struct Transfers {
    store: Store,
    recorder: Recorder,
    /// Whether notaries are told by letters. Otherwise they get text messages.
    writes_letters: bool,
}

impl Transfers {
    /// Returns the transfers of a database.
    pub const fn new(store: Store, recorder: Recorder, writes_letters: bool) -> Transfers {
        Transfers {
            store,
            recorder,
            writes_letters,
        }
    }

    /// Returns the planned transfers of paid orders as CSV, and their number. The value date is the day (Kyiv) of `now`.
    ///
    /// # Errors
    /// [`ExportError`].
    pub async fn export(&self, now: Timestamp) -> Result<(String, usize), ExportError> {
        if self.store.is_unprepared_copy().await? {
            return Err(ExportError::NotStarted);
        }
        let read = |tx: &mut Tx| -> Result<Vec<Transfer>, ExportError> {
            if let Some(since) = transfers::stopped_since(tx)? {
                return Err(ExportError::Stopped(since));
            }
            let mut all: Vec<Transfer> = Vec::new();
            loop {
                let page = transfers::to_send(tx, all.last(), EXPORT_PAGE)?;
                if page.is_empty() {
                    return Ok(all);
                }
                all.extend(page);
            }
        };
        let all = self.store.read_long(read).await?;
        AuditEntry::new(AuditAction::TransfersExported)
            .with("transfers", AuditValue::count(all.len() as u64))
            .record_alone(&self.store, self.recorder.unit(), self.recorder.origin())
            .await?;
        let value_date = kyiv_date(now).to_string();
        let mut text = String::from(
            "transfer_id,document_number,value_date,order_id,created_at,amount,recipient_name,recipient_iban,recipient_code,purpose,actual_payer_code,actual_payer_name\r\n",
        );
        for transfer in &all {
            let planned = &transfer.planned;
            let cells = [
                transfer.id.to_string(),
                transfer.document_number.to_string(),
                value_date.clone(),
                transfer.order_id.to_string(),
                transfer.created_at.to_string(),
                planned.amount.decimal(),
                planned.payee.name.as_str().to_owned(),
                planned.payee.iban.as_str().to_owned(),
                planned.payee.okpo.as_str().to_owned(),
                planned.payee.purpose.as_str().to_owned(),
                planned.actual_payer.inn.as_str().to_owned(),
                planned.actual_payer.name.as_str().to_owned(),
            ];
            let line: Vec<String> = cells.iter().map(|text| cell(text)).collect();
            text.push_str(&line.join(","));
            text.push_str("\r\n");
        }
        Ok((text, all.len()))
    }

    /// Lets transfers be exported again that were stopped after a restore.
    ///
    /// # Errors
    /// [`ResumeError`].
    pub async fn resume(&self, now: Timestamp) -> Result<(), ResumeError> {
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<(), ResumeError> {
            if !transfers::resume(tx)? {
                return Err(ResumeError::NotStopped);
            }
            AuditEntry::new(AuditAction::TransfersResumed).record(
                tx,
                &mut unit.clone(),
                &origin,
            )?;
            Ok(())
        };
        self.store.write(write).await
    }

    /// Returns the transfers that wait for the operator, the earliest first.
    pub async fn held(&self) -> Result<Vec<Transfer>, StorageError> {
        self.store.read_long(transfers::held).await
    }

    /// Releases held transfers, all or none: they are exported from now on.
    ///
    /// # Errors
    /// [`ReleaseError`].
    pub async fn release(
        &self,
        ids: &[TransferId],
        reason: &str,
        now: Timestamp,
    ) -> Result<(), ReleaseError> {
        let reason = Line::parse(reason, REASON_CHARS_MAX)
            .ok()
            .filter(|reason| !names_payment_card(reason.as_str()))
            .ok_or(ReleaseError::Reason)?;
        let ids: BTreeSet<TransferId> = ids.iter().copied().collect();
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<(), ReleaseError> {
            let mut unit = unit.clone();
            for id in &ids {
                let found = transfers::by_id(tx, *id)?.ok_or(ReleaseError::NotHeld(*id))?;
                if !transfers::release(tx, *id, &reason, now)? {
                    return Err(ReleaseError::NotHeld(*id));
                }
                AuditEntry::new(AuditAction::TransferReleased)
                    .of_notary(orders::notary_of(tx, found.order_id)?)
                    .on_order(found.order_id)
                    .on(AuditObject::Transfer(*id))
                    .with("amount", found.planned.amount)
                    .record(tx, &mut unit, &origin)?;
            }
            Ok(())
        };
        self.store.write(write).await
    }

    /// Imports statuses from a table with the columns `transfer_id` and `status`, and what the bank tells: `reason`, `uetr`,
    /// `bank_reference`, `credited_on`, `returned_on`. With `sent` the column `value_date` counts too. Other columns are ignored, so
    /// a file of [`Transfers::export`] can be imported with one status for all rows. Nothing changes unless every row is right. The
    /// same file again changes nothing. Notaries are told of what came back.
    ///
    /// # Errors
    /// [`ImportError`].
    pub async fn import(
        &self,
        text: &str,
        status_of_all: Option<TransferStatus>,
        now: Timestamp,
    ) -> Result<Imported, ImportError> {
        let rows = Arc::new(read_rows(text, status_of_all).map_err(ImportError::Rows)?);
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let writes_letters = self.writes_letters;
        self.store
            .write(move |tx: &mut Tx| {
                take_rows(tx, &rows, &mut unit.clone(), &origin, writes_letters)
            })
            .await
    }
}

/// Why transfers were not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The database is a restored copy, and no server has started on it.
    #[error(
        "the database is a restored copy: start the cabinet on it first, so that it looks for payments made since"
    )]
    NotStarted,
    /// A server has started on a restored copy.
    #[error(
        "the database was restored from a copy before {0}, and transfers that the bank has since may be planned in it. Compare them with the lists that the bank got, mark those as sent, and then: cabinet transfers resume --compared"
    )]
    Stopped(Timestamp),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why transfers were not resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// They are exported as ever.
    #[error("the transfers are not stopped")]
    NotStopped,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why transfers were not released. None was released then.
#[derive(Debug, thiserror::Error)]
pub enum ReleaseError {
    /// A transfer is not held, or was not planned any more.
    #[error("{0} is not held")]
    NotHeld(TransferId),
    /// The reason can't be kept.
    #[error(
        "the reason is empty, longer than {REASON_CHARS_MAX} characters, or names a payment card"
    )]
    Reason,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
