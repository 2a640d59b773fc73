//! Transfers: the export of planned transfers for the bank, and the import of their statuses by the operator.
//!
//! An export changes nothing. A transfer is not paid twice because it is marked as sent before the bank has it: an import takes a
//! file as a whole, and refuses one of which a part was sent before.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use cabinet_domain::csv::{cell, cells_of, separator_of};
use cabinet_domain::{
    AuditAction, AuditObject, AuditValue, Line, Origin, TextError, Transfer, TransferId,
    TransferStatus, names_payment_card,
};
use cabinet_storage::{StorageError, Store, Tx, orders, transfers};
use jiff::Timestamp;

use crate::audit::{AuditEntry, Recorder};
use crate::ids::UnitContext;

/// Transfers that are read at once.
const EXPORT_PAGE: u32 = 1000;
/// Longest reason of a return, in characters.
const REASON_CHARS_MAX: usize = 300;

/// The result of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Transfers that took their new status.
    pub changed: usize,
    /// Transfers that had it already.
    pub unchanged: usize,
}

/// A row that cannot be imported. The whole file is refused then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// The line. The header is line 1.
    pub line: usize,
    /// What is wrong.
    pub reason: Reason,
}

impl fmt::Display for BadRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.line, self.reason)
    }
}

/// Why a row is refused, for the operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The header lacks a column.
    #[error("column {0} is missing")]
    ColumnMissing(&'static str),
    /// The header names a column a second time.
    #[error("column {0} stands twice")]
    ColumnTwice(&'static str),
    /// The status is given by the file and by the command.
    #[error("column status and a status for the whole file were both given")]
    StatusTwice,
    /// The file has no rows.
    #[error("the file has no rows")]
    NoRows,
    /// A quoted cell is not closed on its line.
    #[error("a quotation mark is not closed, or text follows the closing one")]
    Quotes,
    /// The row has more or fewer cells than the header.
    #[error("the row has {found} cells, the header {expected}")]
    CellCount {
        /// Cells of the header.
        expected: usize,
        /// Cells of the row.
        found: usize,
    },
    /// Not an id.
    #[error("transfer_id is not an id")]
    IdInvalid,
    /// The file names the transfer twice.
    #[error("the transfer stands in line {0} already")]
    Repeated(usize),
    /// Not a status that the operator may give.
    #[error("status is none of sent, credited, returned")]
    StatusInvalid,
    /// A return without its reason.
    #[error("reason is empty, and returned needs one")]
    ReasonMissing,
    /// A reason where none belongs.
    #[error("only returned has a reason")]
    ReasonWithout,
    /// A reason that cannot be stored.
    #[error(
        "reason is longer than {REASON_CHARS_MAX} characters or has characters that no text may have"
    )]
    ReasonInvalid,
    /// A reason with a full card number, which is stored nowhere.
    #[error("reason names a payment card")]
    ReasonNamesCard,
    /// There is no such transfer.
    #[error("there is no such transfer")]
    Unknown,
    /// There is no such step.
    #[error("a transfer that is {} cannot become {}", .from.as_str(), .to.as_str())]
    StepNotAllowed {
        /// What it is.
        from: TransferStatus,
        /// What it should become.
        to: TransferStatus,
    },
    /// It waits for the operator.
    #[error("it is held: cabinet transfers held, cabinet transfers release")]
    Held,
    /// It was returned before, for another reason.
    #[error("it was returned before, for another reason")]
    ReturnedOtherwise,
    /// A part of the file was sent before, so the bank would pay it twice.
    #[error(
        "it was marked as sent before, and other rows of the file were not: the bank would pay it twice. Make a new list"
    )]
    SentBefore,
}

/// Why a file was not imported. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Every bad row.
    #[error("{} bad rows", .0.len())]
    Rows(Vec<BadRow>),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Exports transfers and imports their statuses.
#[derive(Clone)]
pub struct Transfers {
    store: Store,
    recorder: Recorder,
}

impl Transfers {
    /// Returns the transfers of a database.
    pub const fn new(store: Store, recorder: Recorder) -> Transfers {
        Transfers { store, recorder }
    }

    /// Returns the planned transfers of paid orders as CSV, and their number.
    ///
    /// # Errors
    /// [`ExportError`].
    pub async fn export(&self) -> Result<(String, usize), ExportError> {
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
        let mut text = String::from(
            "transfer_id,order_id,created_at,amount,recipient_name,recipient_iban,recipient_code,purpose,actual_payer_code,actual_payer_name\r\n",
        );
        for transfer in &all {
            let planned = &transfer.planned;
            let cells = [
                transfer.id.to_string(),
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

    /// Imports statuses from a table with the columns `transfer_id`, `status` and `reason`. Other columns are ignored, so a file of
    /// [`Transfers::export`] can be imported with one status for all rows. Nothing changes unless every row is right. The same file
    /// again changes nothing.
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
        self.store
            .write(move |tx: &mut Tx| take_rows(tx, &rows, &mut unit.clone(), &origin))
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

/// A row that was read and is not checked against the database yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line. The header is line 1.
    pub line: usize,
    /// The transfer.
    pub transfer: TransferId,
    /// Its new status.
    pub status: TransferStatus,
    /// Why it was returned.
    pub reason: Option<String>,
}

fn take_rows(
    tx: &mut Tx,
    rows: &[Row],
    unit: &mut UnitContext,
    origin: &Origin,
) -> Result<Imported, ImportError> {
    let mut bad = Vec::new();
    let mut sent_before = Vec::new();
    let mut is_sending = false;
    let mut imported = Imported {
        changed: 0,
        unchanged: 0,
    };
    for row in rows {
        let mut refuse = |reason| {
            bad.push(BadRow {
                line: row.line,
                reason,
            });
        };
        let Some(found) = transfers::by_id(tx, row.transfer)? else {
            refuse(Reason::Unknown);
            continue;
        };
        let (from, to) = (found.status, row.status);
        if from == to {
            if found.reason != row.reason {
                refuse(Reason::ReturnedOtherwise);
            }
            if to == TransferStatus::Sent {
                sent_before.push(row.line);
            }
            imported.unchanged += 1;
            continue;
        }
        if to == TransferStatus::Sent && found.held_at.is_some() {
            refuse(Reason::Held);
            continue;
        }
        if take_step(tx, row, &found, unit, origin)? {
            is_sending |= to == TransferStatus::Sent;
            imported.changed += 1;
        } else {
            refuse(Reason::StepNotAllowed { from, to });
        }
    }
    if is_sending {
        bad.extend(sent_before.into_iter().map(|line| BadRow {
            line,
            reason: Reason::SentBefore,
        }));
    }
    if bad.is_empty() {
        Ok(imported)
    } else {
        bad.sort_by_key(|row| row.line);
        Err(ImportError::Rows(bad))
    }
}

/// Takes a step of a transfer. Returns `false` where there is no such step.
fn take_step(
    tx: &mut Tx,
    row: &Row,
    found: &Transfer,
    unit: &mut UnitContext,
    origin: &Origin,
) -> Result<bool, StorageError> {
    let (from, to) = (found.status, row.status);
    if !transfers::step(tx, row.transfer, from, to, row.reason.as_deref(), unit.now)? {
        return Ok(false);
    }
    AuditEntry::new(AuditAction::TransferMarked)
        .of_notary(orders::notary_of(tx, found.order_id)?)
        .on_order(found.order_id)
        .on(AuditObject::Transfer(row.transfer))
        .changed("status", Some(from), Some(to))
        .record(tx, unit, origin)?;
    Ok(true)
}

/// The positions of the columns.
struct Columns {
    count: usize,
    transfer: usize,
    status: Option<usize>,
    reason: Option<usize>,
}

/// Reads a table for [`Transfers::import`].
///
/// # Errors
/// Every bad row.
pub fn read_rows(
    text: &str,
    status_of_all: Option<TransferStatus>,
) -> Result<Vec<Row>, Vec<BadRow>> {
    // Spreadsheets put a byte order mark before the first cell.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().zip(1..);
    let header = lines.next().map_or("", |(header, _)| header);
    let separator = separator_of(header);
    let of_header = |reason| vec![BadRow { line: 1, reason }];
    let columns = cells_of(header, separator)
        .ok_or(Reason::Quotes)
        .and_then(|names| read_header(&names, status_of_all))
        .map_err(of_header)?;
    let mut rows = Vec::new();
    let mut bad = Vec::new();
    let mut seen: BTreeMap<TransferId, usize> = BTreeMap::new();
    for (text, line) in lines.filter(|(text, _)| !text.trim().is_empty()) {
        let read = cells_of(text, separator)
            .ok_or(Reason::Quotes)
            .and_then(|cells| read_row(line, &cells, &columns, status_of_all))
            .and_then(|row| match seen.insert(row.transfer, line) {
                None => Ok(row),
                Some(before) => Err(Reason::Repeated(before)),
            });
        match read {
            Ok(row) => rows.push(row),
            Err(reason) => bad.push(BadRow { line, reason }),
        }
    }
    if rows.is_empty() && bad.is_empty() {
        return Err(of_header(Reason::NoRows));
    }
    if bad.is_empty() { Ok(rows) } else { Err(bad) }
}

fn read_header(names: &[String], status_of_all: Option<TransferStatus>) -> Result<Columns, Reason> {
    let place = |column: &'static str| {
        let mut places = (0..).zip(names).filter(|(_, name)| name.trim() == column);
        let place = places.next().map(|(place, _)| place);
        match places.next() {
            None => Ok(place),
            Some(_) => Err(Reason::ColumnTwice(column)),
        }
    };
    let columns = Columns {
        count: names.len(),
        transfer: place("transfer_id")?.ok_or(Reason::ColumnMissing("transfer_id"))?,
        status: place("status")?,
        reason: place("reason")?,
    };
    match (columns.status, status_of_all) {
        (None, None) => Err(Reason::ColumnMissing("status")),
        (Some(_), Some(_)) => Err(Reason::StatusTwice),
        _ => Ok(columns),
    }
}

fn read_row(
    line: usize,
    cells: &[String],
    columns: &Columns,
    status_of_all: Option<TransferStatus>,
) -> Result<Row, Reason> {
    if cells.len() != columns.count {
        return Err(Reason::CellCount {
            expected: columns.count,
            found: cells.len(),
        });
    }
    let cell = |place: usize| cells.get(place).map_or("", |cell| cell.trim());
    let transfer = TransferId::parse(cell(columns.transfer)).ok_or(Reason::IdInvalid)?;
    let status = match columns.status {
        Some(place) => TransferStatus::parse(cell(place)),
        None => status_of_all,
    };
    let status = status
        // Only a payment plans transfers.
        .filter(|status| *status != TransferStatus::Planned)
        .ok_or(Reason::StatusInvalid)?;
    let reason = match Line::parse(columns.reason.map_or("", cell), REASON_CHARS_MAX) {
        Ok(reason) => Some(reason.into_string()),
        Err(TextError::Empty) => None,
        Err(_) => return Err(Reason::ReasonInvalid),
    };
    match (status, &reason) {
        (TransferStatus::Returned, None) => return Err(Reason::ReasonMissing),
        (TransferStatus::Returned, Some(text)) if names_payment_card(text) => {
            return Err(Reason::ReasonNamesCard);
        }
        (TransferStatus::Returned, Some(_)) | (_, None) => {}
        (_, Some(_)) => return Err(Reason::ReasonWithout),
    }
    Ok(Row {
        line,
        transfer,
        status,
        reason,
    })
}
