//! Marking the lists that the cabinet wrote for a bank as sent.

use std::collections::BTreeMap;

use cabinet_bank_files::{Listed, Payer, differences};
use cabinet_domain::{
    Balance, BankAnswer, Origin, Transfer, TransferId, TransferStatus, kyiv_date,
};
use cabinet_storage::transfer::{bank_facts, transfer_lists, transfer_search, transfers};
use cabinet_storage::{StorageError, Tx, WithoutOrder};
use jiff::Timestamp;

use crate::kernel::ids::UnitContext;
use crate::kernel::keys::SealKeys;
use crate::kernel::notifier::Notifier;
use crate::transfer::export::{digest_of, instruction, sum_of, to_budget};
use crate::transfer::import::{Import, ImportError, Imported};
use crate::transfer::mismatch::Mismatch;
use crate::transfer::outcomes::{Outcome, Outcomes};
use crate::transfer::rows::{Reason, Row};
use crate::transfer::seal::is_sealed;

/// A list that is to be marked as sent.
pub(crate) struct List {
    /// The file.
    pub(crate) file: Vec<u8>,
    /// The account from which the bank pays it.
    pub(crate) payer: Payer,
    /// Which transfers it names.
    pub(crate) rows: ListRows,
}

/// The transfers that a list names.
pub(crate) enum ListRows {
    /// Of the cabinet's own table, by their ids.
    Table(Vec<Row>),
    /// Of another format, by the numbers of their documents.
    Documents(Vec<Listed>),
}

/// A list that was marked as sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedList {
    /// Its transfers.
    pub transfers: usize,
    /// Their sum.
    pub amount: Balance,
    /// How many of them go to the budget, and their sum.
    pub to_budget: (usize, Balance),
    /// SHA-256 of the file, in hexadecimal digits.
    pub digest: String,
    /// When exactly this file was exported first. `None`: no export is known that wrote it.
    pub exported_at: Option<Timestamp>,
}

/// Marks the transfers of a list that the cabinet wrote as sent, all or none. Everything that the list says is compared with what the cabinet
/// writes of them.
///
/// # Errors
/// Every bad row, and every place that was changed.
pub(crate) fn take_list(
    tx: &mut WithoutOrder<'_>,
    keys: &SealKeys,
    list: &List,
    unit: &mut UnitContext,
    origin: &Origin,
    notifier: &Notifier,
) -> Result<((Imported, Outcomes), MarkedList), ImportError> {
    // Files that name the same transfers in another order would wait for each other.
    bank_facts::lock(tx)?;
    let now = unit.now;
    let mut import = Import::new(unit, origin);
    let mut instructions = Vec::new();
    let mut seen: BTreeMap<TransferId, usize> = BTreeMap::new();
    let rows = rows_of(tx, &list.rows)?;
    let count = rows.len();
    for (line, row) in rows {
        let taken = match row {
            Err(reason) => Err(reason),
            Ok((found, row)) => {
                // A list without value dates is not what the cabinet writes, which the comparison says.
                let value_date = row.value_date.unwrap_or_else(|| kyiv_date(now));
                instructions.push(instruction(tx, &found, value_date)?);
                // What a bank was given by an earlier version has no seal.
                let is_planned = found.status == TransferStatus::Planned;
                let is_changed = is_planned && !is_sealed(tx, keys, &found)?;
                match seen.insert(row.transfer, line) {
                    Some(before) => Err(Reason::Repeated(before)),
                    None if is_changed => Err(Mismatch::Unsealed(found.document_number).into()),
                    None => import.take(tx, &row, Outcome::Sent)?,
                }
            }
        };
        if let Err(reason) = taken {
            import.refuse(line, reason);
        }
    }
    // A list with a row that names no transfer is refused as it is.
    if instructions.len() == count {
        for finding in differences(&list.file, &instructions, &list.payer) {
            import.refuse(finding.line, Reason::File(finding.problem));
        }
    }
    let counted = import.finish(tx, notifier)?;
    let digest = digest_of(&list.file);
    let marked = MarkedList {
        transfers: count,
        amount: sum_of(&instructions),
        to_budget: to_budget(&instructions),
        exported_at: transfer_lists::exported_at(tx, &digest)?,
        digest,
    };
    Ok((counted, marked))
}

type Found = (usize, Result<(Transfer, Row), Reason>);

fn rows_of(tx: &mut WithoutOrder<'_>, rows: &ListRows) -> Result<Vec<Found>, StorageError> {
    match rows {
        ListRows::Table(rows) => rows.iter().map(|row| by_id(tx, row)).collect(),
        ListRows::Documents(list) => list.iter().map(|listed| by_document(tx, listed)).collect(),
    }
}

fn by_id(tx: &mut WithoutOrder<'_>, row: &Row) -> Result<Found, StorageError> {
    let found = transfers::lock(tx, row.transfer)?.ok_or(Reason::Unknown);
    Ok((row.line, found.map(|(_locked, found)| (found, row.clone()))))
}

fn by_document(tx: &mut Tx, listed: &Listed) -> Result<Found, StorageError> {
    let refused = |mismatch| Ok((listed.line, Err(Reason::Mismatch(mismatch))));
    let Some(found) = transfer_search::by_document_number(tx, listed.document_number)? else {
        return refused(Mismatch::NoSuchDocument);
    };
    if listed.transfer.is_some_and(|id| id != found.id) {
        return refused(Mismatch::TwoTransfers);
    }
    let row = Row {
        line: listed.line,
        transfer: found.id,
        status: TransferStatus::Sent,
        reason: None,
        value_date: Some(listed.value_date),
        bank: BankAnswer::default(),
    };
    Ok((listed.line, Ok((found, row))))
}
