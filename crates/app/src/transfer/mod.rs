//! Transfers: the export of planned transfers for the bank, and the import of their statuses by the operator.
//!
//! An export changes nothing. A transfer is not paid twice because it is marked as sent before the bank has it: an import takes a
//! file as a whole, and refuses one of which a part was sent before.

pub(crate) mod answers;
pub(crate) mod checks;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod marked_lists;
pub(crate) mod mismatch;
pub(crate) mod outcomes;
pub(crate) mod plan;
pub mod returns;
pub mod rows;
pub(crate) mod seal;
mod sealing;

use std::collections::BTreeSet;
use std::sync::Arc;

use cabinet_bank_files::{BankFile, MessageId, Payer, Unwritable};
use cabinet_domain::{
    AuditAction, AuditObject, AuditValue, Money, OperatorReason, OrderId, Transfer, TransferId,
    TransferStatus, kyiv_date, without_numbers,
};
use cabinet_storage::engine::restored;
use cabinet_storage::order::orders;
pub use cabinet_storage::transfer::transfers::HeldTransfer;
use cabinet_storage::transfer::{transfer_lists, transfer_search, transfers};
use cabinet_storage::{StorageError, Store, Tx};
use jiff::Timestamp;
use jiff::civil::Date;

pub use self::sealing::{OfPayment, SealError, SealedAtStart, UnsealedTransfer, unsealed};
use crate::audit::{AuditEntry, Recorder};
use crate::kernel::keys::SealKeys;
use crate::kernel::notifier::Notifier;
use crate::operator::alarms::log;
use crate::transfer::answers::{Answered, bad_rows, decided, take_answers};
use crate::transfer::export::{SealedList, digest_of, sum_of, to_budget, to_send, totals_to_send};
use crate::transfer::import::take_rows;
use crate::transfer::list::listed;
use crate::transfer::marked_lists::{List, ListRows, take_list};
use crate::transfer::rows::REASON_CHARS_MAX;
use crate::transfer::seal::{are_keys_known, are_seals_made, raise_about};
pub use answers::{Decided, SettledByHand, Taken, Unmatched};
pub use export::{Exported, Format};
pub use import::{ImportError, Imported};
pub use list::{ListedStatus, ListedTransfer, ReturnedTransfer};
pub use marked_lists::MarkedList;
pub use mismatch::Mismatch;
pub use outcomes::{Outcome, Outcomes, Totals};
pub use rows::{BadRow, Reason, Row, read_rows};

/// Orders with withheld transfers that are named at most.
const WITHHELD_MAX: u32 = 100;

/// Exports transfers and imports their statuses.
#[derive(Clone)]
pub struct Transfers {
    pub(crate) store: Store,
    pub(crate) recorder: Recorder,
    /// Seal what is planned.
    pub(crate) seals: SealKeys,
    pub(crate) notifier: Notifier,
    /// Why the operator says something of transfers that no file of a bank tells.
    pub(crate) reason: Option<OperatorReason>,
}

/// A transfer about which the operator decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferBrief {
    /// The number of its document.
    pub document_number: i64,
    /// The short number of its order.
    pub order_number: Option<i64>,
    /// The sum.
    pub amount: Money,
    /// Whether its recipient is the budget.
    pub is_to_budget: bool,
}

impl Transfers {
    /// Returns the same, with why the operator imports a table of her own: it stands in the audit trail.
    #[must_use]
    pub fn because(self, reason: OperatorReason) -> Transfers {
        Transfers {
            reason: Some(reason),
            ..self
        }
    }

    /// Returns what a decision about transfers would concern, by document. Ids that name no transfer are left out.
    pub async fn briefs(&self, ids: &[TransferId]) -> Result<Vec<TransferBrief>, StorageError> {
        let ids: BTreeSet<TransferId> = ids.iter().copied().collect();
        let read = move |tx: &mut Tx| -> Result<Vec<TransferBrief>, StorageError> {
            let mut all = Vec::with_capacity(ids.len());
            for id in &ids {
                if let Some(found) = transfers::by_id(tx, *id)? {
                    all.push(TransferBrief {
                        document_number: found.document_number,
                        order_number: orders::number_of(tx, found.order_id)?,
                        amount: found.planned.amount,
                        is_to_budget: found.planned.payee.iban.is_treasury(),
                    });
                }
            }
            all.sort_by_key(|brief| brief.document_number);
            Ok(all)
        };
        self.store.read_long(read).await
    }

    /// Returns what the next export would have, whether or not transfers are stopped.
    pub async fn next_list(&self) -> Result<Totals, StorageError> {
        self.store.read_long(totals_to_send).await
    }

    /// Tries what a table of the operator's own would change, and changes nothing. `None`: the file is no such table.
    ///
    /// # Errors
    /// [`ImportError`], as the import itself.
    pub async fn rehearse_table(
        &self,
        bytes: &[u8],
        status_of_all: Option<TransferStatus>,
        now: Timestamp,
    ) -> Result<Option<Taken>, ImportError> {
        if status_of_all == Some(TransferStatus::Sent) {
            return Ok(None);
        }
        let BankFile::Table(text) = cabinet_bank_files::read(bytes).map_err(bad_rows)? else {
            return Ok(None);
        };
        let rows = Arc::new(read_rows(&text, status_of_all).map_err(ImportError::Rows)?);
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let notifier = self.notifier.clone();
        // An error takes back everything that was written.
        let write = move |tx: &mut Tx| -> Result<(), Rehearsed> {
            let tx = &mut tx.without_order();
            match take_rows(tx, &rows, &mut unit.clone(), &origin, None, &notifier) {
                Ok((imported, outcomes)) => Err(Rehearsed::Taken(Box::new(Taken {
                    imported,
                    outcomes,
                    ..Taken::default()
                }))),
                Err(error) => Err(Rehearsed::Refused(error)),
            }
        };
        match self.store.write(write).await {
            Ok(()) => Ok(None),
            Err(Rehearsed::Taken(taken)) => Ok(Some(*taken)),
            Err(Rehearsed::Refused(error)) => Err(error),
        }
    }

    /// Writes the planned transfers of paid orders as a file for the payer's bank. The value date is the day (Kyiv) of `now`.
    ///
    /// # Errors
    /// [`ExportError`].
    pub async fn export(
        &self,
        format: Format,
        payer: &Payer,
        now: Timestamp,
    ) -> Result<Exported, ExportError> {
        if self.store.is_unprepared_copy().await? {
            return Err(ExportError::NotStarted);
        }
        let keys = self.seals.clone();
        let read = move |tx: &mut Tx| -> Result<Result<SealedList, Vec<Transfer>>, ExportError> {
            if let Some(since) = transfers::stopped_since(tx)? {
                return Err(ExportError::Stopped(since));
            }
            let found = to_send(tx, &keys, kyiv_date(now))?;
            if found.is_err() && !are_seals_made(tx)? {
                return Err(ExportError::NotSealed);
            }
            if found.is_err() && !are_keys_known(tx, &keys)? {
                return Err(ExportError::OtherSecret);
            }
            Ok(found)
        };
        let list = match self.store.read_long(read).await? {
            Ok(list) => list,
            Err(unsealed) => return Err(self.refuse_unsealed(unsealed).await?),
        };
        let message = MessageId(self.recorder.unit().new_id());
        let file = format.write(&list, payer, message, now)?;
        let all = list.instructions();
        let exported = Exported {
            digest: digest_of(&file),
            file,
            transfers: all.len(),
            amount: sum_of(all),
            to_budget: to_budget(all),
        };
        self.keep(&exported).await?;
        Ok(exported)
    }

    /// Opens an alarm about each order of which a transfer has no seal that fits. Returns why nothing is exported.
    async fn refuse_unsealed(&self, unsealed: Vec<Transfer>) -> Result<ExportError, StorageError> {
        let orders: BTreeSet<OrderId> = unsealed.iter().map(|of| of.order_id).collect();
        let unit = self.recorder.unit();
        let write = move |tx: &mut Tx| -> Result<_, StorageError> {
            let (mut unit, mut committed) = (unit.clone(), Vec::new());
            for order in &orders {
                raise_about(tx, &mut unit, *order, &mut committed)?;
            }
            Ok(committed)
        };
        log(&self.store.write(write).await?);
        let mut documents: Vec<i64> = unsealed.iter().map(|of| of.document_number).collect();
        documents.sort_unstable();
        Ok(ExportError::Unsealed(documents))
    }

    /// Records an export, and keeps the digest of its list.
    async fn keep(&self, exported: &Exported) -> Result<(), StorageError> {
        let amount = exported.amount;
        let transfers = u32::try_from(exported.transfers).unwrap_or(u32::MAX);
        let digest = exported.digest.clone();
        let (unit, origin) = (self.recorder.unit(), self.recorder.origin());
        let write = move |tx: &mut Tx| {
            let mut unit = unit.clone();
            if transfers > 0 {
                transfer_lists::keep(tx, &digest, transfers, amount, unit.now)?;
            }
            AuditEntry::new(AuditAction::TransfersExported)
                .with("transfers", AuditValue::count(u64::from(transfers)))
                .record(tx, &mut unit, &origin)
        };
        self.store.write(write).await
    }

    /// Lets transfers be exported again that were stopped after a restore. `despite_recovery`: also while it is not known what else the copy
    /// lacks.
    ///
    /// # Errors
    /// [`ResumeError`].
    pub async fn resume(
        &self,
        now: Timestamp,
        despite_recovery: bool,
        reason: &OperatorReason,
    ) -> Result<(), ResumeError> {
        let reason = reason.clone();
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<(), ResumeError> {
            let is_recovering = restored::is_recovering(tx)?;
            if is_recovering && !despite_recovery {
                return Err(ResumeError::Recovering);
            }
            if !transfers::resume(tx)? {
                return Err(ResumeError::NotStopped);
            }
            let all = totals_to_send(tx)?;
            let mut entry = AuditEntry::new(AuditAction::TransfersResumed)
                .with("transfers", AuditValue::count(all.transfers as u64))
                .with("amount", all.amount)
                .because(&reason);
            if is_recovering {
                entry = entry.with("recovery", AuditValue::word("unfinished"));
            }
            entry.record(tx, &mut unit.clone(), &origin)?;
            Ok(())
        };
        self.store.write(write).await
    }

    /// Returns the numbers of the paid orders whose planned transfers wait for a refund or an open alarm, the earliest first.
    pub async fn withheld(&self) -> Result<Vec<i64>, StorageError> {
        let read = |tx: &mut Tx| transfers::withheld(tx, WITHHELD_MAX);
        self.store.read_long(read).await
    }

    /// Returns the planned transfers or those that were marked as sent, by order and document. With a day (Kyiv) those that were planned on
    /// it, or sent with it as their value date. Recipients who are persons are masked.
    pub async fn list(
        &self,
        status: ListedStatus,
        day: Option<Date>,
    ) -> Result<Vec<ListedTransfer>, StorageError> {
        let read = move |tx: &mut Tx| listed(tx, status, day);
        self.store.read_long(read).await
    }

    /// Returns the transfers with these numbers of their documents.
    ///
    /// # Errors
    /// [`NotSentError::NoDocument`].
    pub async fn with_documents(&self, numbers: &[i64]) -> Result<Vec<TransferId>, NotSentError> {
        let numbers = numbers.to_vec();
        let read = move |tx: &mut Tx| -> Result<Vec<TransferId>, NotSentError> {
            let mut ids = Vec::with_capacity(numbers.len());
            for number in &numbers {
                let found = transfer_search::by_document_number(tx, *number)?;
                ids.push(found.ok_or(NotSentError::NoDocument(*number))?.id);
            }
            Ok(ids)
        };
        self.store.read_long(read).await
    }

    /// Returns the transfers that wait for the operator, the earliest first.
    pub async fn held(&self) -> Result<Vec<HeldTransfer>, StorageError> {
        self.store.read_long(transfers::held).await
    }

    /// Returns the returned transfers about which nobody has decided, the earliest first.
    pub async fn undecided(&self) -> Result<Vec<ReturnedTransfer>, StorageError> {
        let undecided = self.store.read_long(transfers::undecided).await?;
        Ok(undecided.into_iter().map(ReturnedTransfer::from).collect())
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
        let reason = without_numbers(reason, REASON_CHARS_MAX).map_err(|_| ReleaseError::Reason)?;
        let ids: BTreeSet<TransferId> = ids.iter().copied().collect();
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<(), ReleaseError> {
            let tx = &mut tx.without_order();
            let mut unit = unit.clone();
            for id in &ids {
                let found = transfers::lock(tx, *id)?;
                let (locked, found) = found.ok_or(ReleaseError::NotHeld(*id))?;
                if !transfers::release(tx, &locked, &reason, now)? {
                    return Err(ReleaseError::NotHeld(*id));
                }
                AuditEntry::new(AuditAction::TransferReleased)
                    .of_notary(orders::notary_of(tx, found.order_id)?)
                    .on_order(found.order_id)
                    .on(AuditObject::Transfer(*id))
                    .with("amount", found.planned.amount)
                    .decided_because(Some(&reason))
                    .record(tx, &mut unit, &origin)?;
            }
            Ok(())
        };
        self.store.write(write).await
    }

    /// Plans transfers again that were marked as sent before today and that the bank was not given, all or none.
    ///
    /// # Errors
    /// [`NotSentError`].
    pub async fn take_back_mark(
        &self,
        ids: &[TransferId],
        reason: &OperatorReason,
        now: Timestamp,
    ) -> Result<(), NotSentError> {
        let ids: BTreeSet<TransferId> = ids.iter().copied().collect();
        let reason = reason.clone();
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let write = move |tx: &mut Tx| -> Result<(), NotSentError> {
            let tx = &mut tx.without_notary();
            let mut unit = unit.clone();
            for id in &ids {
                let may_be_sent = || NotSentError::MayBeSent(*id);
                let known = transfers::by_id(tx, *id)?.ok_or_else(may_be_sent)?;
                let order = orders::lock(tx, known.order_id)?;
                let (order, _) = order.ok_or_else(may_be_sent)?;
                let found = transfers::lock_of(tx, &order, *id)?;
                let (locked, found) = found.ok_or_else(may_be_sent)?;
                if !transfers::take_back_mark(tx, &order, &locked, kyiv_date(now), now)? {
                    return Err(NotSentError::MayBeSent(*id));
                }
                AuditEntry::new(AuditAction::TransferNotSent)
                    .of_notary(orders::notary_of(tx, found.order_id)?)
                    .on_order(found.order_id)
                    .on(AuditObject::Transfer(*id))
                    .with("amount", found.planned.amount)
                    .because(&reason)
                    .record(tx, &mut unit, &origin)?;
            }
            Ok(())
        };
        self.store.write(write).await
    }
}

/// How a rehearsal ended.
#[derive(Debug)]
enum Rehearsed {
    /// All of it would be taken.
    Taken(Box<Taken>),
    /// Nothing would be taken.
    Refused(ImportError),
}

impl From<StorageError> for Rehearsed {
    fn from(error: StorageError) -> Self {
        Self::Refused(error.into())
    }
}

/// The status of every row of a list that [`Transfers::export`] wrote.
#[derive(Clone, Debug)]
pub struct ListStatus {
    /// The status.
    pub status: TransferStatus,
    /// The account from which the bank pays the list.
    pub payer: Payer,
}

impl Transfers {
    /// Imports a file of any known kind, told by its content. Nothing changes unless all of it is right. The same file again changes nothing.
    /// Notaries are told of what came back.
    ///
    /// - A table with the columns `transfer_id` and `status`, and what the bank tells: `reason`, `uetr`, `bank_reference`, `credited_on`,
    ///   `returned_on`. With `sent` the column `value_date` counts too. Other columns are ignored.
    /// - A list that [`Transfers::export`] wrote, with `status_of_all`. With `sent` all that it says is compared with what the cabinet writes
    ///   of its transfers.
    /// - A file of the bank. `settled_by_hand`: its entries about which the operator has decided.
    ///
    /// # Errors
    /// [`ImportError`].
    pub async fn import_file(
        &self,
        bytes: &[u8],
        status_of_all: Option<ListStatus>,
        settled_by_hand: Option<SettledByHand>,
        now: Timestamp,
    ) -> Result<Taken, ImportError> {
        let refused = |mismatch: Mismatch| {
            let reason = Reason::Mismatch(mismatch);
            Err(ImportError::Rows(vec![BadRow::new(1, reason)]))
        };
        let status = status_of_all.as_ref().map(|of_all| of_all.status);
        let marked = status_of_all.filter(|of_all| of_all.status == TransferStatus::Sent);
        match (cabinet_bank_files::read(bytes).map_err(bad_rows)?, marked) {
            (BankFile::Table(text), None) => self.import_table(&text, status, now).await,
            (BankFile::Table(text), Some(list)) => {
                let rows = read_rows(&text, status).map_err(ImportError::Rows)?;
                self.mark(bytes, list.payer, ListRows::Table(rows), now)
                    .await
            }
            (BankFile::List(rows), Some(list)) => {
                self.mark(bytes, list.payer, ListRows::Documents(rows), now)
                    .await
            }
            (BankFile::List(_), None) => refused(Mismatch::StatusMissing),
            (BankFile::Answers(_), _) if status.is_some() => refused(Mismatch::StatusOfAnswers),
            (BankFile::Answers(entries), _) => {
                let answered = Answered {
                    entries,
                    by_hand: settled_by_hand,
                    digest: digest_of(bytes),
                };
                self.import_answers(answered, now).await
            }
        }
    }

    /// Returns the entries of a file of the bank about which the operator has decided, so that they can be looked at before.
    ///
    /// # Errors
    /// [`ImportError`]: among others no such entry.
    pub fn decided(
        bytes: &[u8],
        settled_by_hand: &SettledByHand,
    ) -> Result<Decided<Unmatched>, ImportError> {
        let BankFile::Answers(entries) = cabinet_bank_files::read(bytes).map_err(bad_rows)? else {
            let SettledByHand {
                left_out, less_fee, ..
            } = settled_by_hand;
            let name = left_out.iter().chain(less_fee).next().cloned();
            return Err(ImportError::NoSuchEntry(name.unwrap_or_default()));
        };
        let named = settled_by_hand.of(&entries)?;
        Ok(Decided {
            left_out: named.left_out.into_iter().map(decided).collect(),
            less_fee: named.less_fee.into_iter().map(decided).collect(),
        })
    }

    async fn import_table(
        &self,
        text: &str,
        status_of_all: Option<TransferStatus>,
        now: Timestamp,
    ) -> Result<Taken, ImportError> {
        let rows = Arc::new(read_rows(text, status_of_all).map_err(ImportError::Rows)?);
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let (notifier, reason) = (self.notifier.clone(), self.reason.clone());
        let write = move |tx: &mut Tx| {
            let reason = reason.as_ref();
            let tx = &mut tx.without_order();
            take_rows(tx, &rows, &mut unit.clone(), &origin, reason, &notifier)
        };
        let (imported, outcomes) = self.store.write(write).await?;
        Ok(Taken {
            imported,
            outcomes,
            ..Taken::default()
        })
    }

    async fn mark(
        &self,
        bytes: &[u8],
        payer: Payer,
        rows: ListRows,
        now: Timestamp,
    ) -> Result<Taken, ImportError> {
        let list = Arc::new(List {
            file: bytes.to_vec(),
            payer,
            rows,
        });
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let (keys, notifier) = (self.seals.clone(), self.notifier.clone());
        let write = move |tx: &mut Tx| {
            take_list(
                &mut tx.without_order(),
                &keys,
                &list,
                &mut unit.clone(),
                &origin,
                &notifier,
            )
        };
        let ((imported, outcomes), marked) = self.store.write(write).await?;
        Ok(Taken {
            imported,
            outcomes,
            list: Some(marked),
            ..Taken::default()
        })
    }

    async fn import_answers(
        &self,
        answered: Answered,
        now: Timestamp,
    ) -> Result<Taken, ImportError> {
        let answered = Arc::new(answered);
        let (unit, origin) = (self.recorder.unit_at(now), self.recorder.origin());
        let notifier = self.notifier.clone();
        let write = move |tx: &mut Tx| {
            take_answers(
                &mut tx.without_order(),
                &answered,
                &mut unit.clone(),
                &origin,
                &notifier,
            )
        };
        self.store.write(write).await
    }
}

fn numbers(documents: &[i64], between: &str) -> String {
    let numbers: Vec<String> = documents.iter().map(ToString::to_string).collect();
    numbers.join(between)
}

fn documents(numbers_of: &[i64]) -> String {
    let word = if numbers_of.len() == 1 {
        "document"
    } else {
        "each of the documents"
    };
    format!("{word} {}", numbers(numbers_of, ", "))
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
        "the database was restored from a copy before {0}, and transfers that the bank has since may be planned in it. Compare them with the lists that the bank got, mark those as sent, and then: cabinet transfers resume --compared --reason \"...\""
    )]
    Stopped(Timestamp),
    /// No cabinet of this version has started on the database, and so its transfers have no seals.
    #[error(
        "the transfers that the version before has planned are not sealed: start the cabinet first, which does that once"
    )]
    NotSealed,
    /// No cabinet has started on the database with this secret, so that no seal fits.
    #[error(
        "the cabinet has never started with this secret key: give this command CABINET_SECRET_KEY and CABINET_PREVIOUS_SECRET_KEY as the server has them"
    )]
    OtherSecret,
    /// What transfers with these numbers of their documents say is not what was sealed.
    #[error(
        "nothing was written: the seal of {} does not fit. Either it was changed in the database from outside, or its secret key is not set any more. Nothing of its order is sent while the alarm transfer_seal_broken is open. Look at it: cabinet transfers seal --document {} --reason \"...\" shows what its payment says, and asks", documents(.0), numbers(.0, ",")
    )]
    Unsealed(Vec<i64>),
    /// A transfer cannot be written.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
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
    /// What the restored copy lacks was not compared with all of the acquirer's statement yet.
    #[error(
        "the cabinet still looks for payments and refunds that the restored copy lacks in the acquirer's statement. A server must run for it, for two hours, with LiqPay for a day; see its log and cabinet alarms list, and try again. If it can't end, because the acquirer does not tell of one invoice: --despite-recovery"
    )]
    Recovering,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why transfers were not planned again. None was planned then.
#[derive(Debug, thiserror::Error)]
pub enum NotSentError {
    /// A transfer was not marked as sent, was marked today, or the bank has told something of it.
    #[error(
        "{0} can't be planned again: it was not marked as sent before today, or the bank has told something of it"
    )]
    MayBeSent(TransferId),
    /// No transfer has a document with this number.
    #[error(
        "there is no transfer with the document number {0}: cabinet transfers list --status sent"
    )]
    NoDocument(i64),
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
        "the reason is empty, longer than {REASON_CHARS_MAX} characters, or has a number of a card, a telephone or a code"
    )]
    Reason,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
