//! Marking the lists that the cabinet wrote for a bank as sent.

use std::collections::BTreeMap;

use cabinet_bank_files::Listed;
use cabinet_domain::{BankAnswer, Origin, TransferId, TransferStatus};
use cabinet_storage::{StorageError, Tx, transfer_search};

use crate::bank_mismatch::Mismatch;
use crate::ids::UnitContext;
use crate::transfer_import::{Import, ImportError, Imported};
use crate::transfer_rows::{Reason, Row};

/// Marks the transfers of a list that the cabinet wrote as sent, all or none.
///
/// # Errors
/// Every bad row.
pub(crate) fn take_list(
    tx: &mut Tx,
    list: &[Listed],
    unit: &mut UnitContext,
    origin: &Origin,
    writes_letters: bool,
) -> Result<Imported, ImportError> {
    let mut import = Import::new(unit, origin);
    let mut seen: BTreeMap<TransferId, usize> = BTreeMap::new();
    for listed in list {
        let taken = match row_of(tx, listed)? {
            Err(reason) => Err(reason),
            Ok(row) => match seen.insert(row.transfer, listed.line) {
                Some(before) => Err(Reason::Repeated(before)),
                None => import.take(tx, &row)?,
            },
        };
        if let Err(reason) = taken {
            import.refuse(listed.line, reason);
        }
    }
    import.finish(tx, writes_letters)
}

fn row_of(tx: &mut Tx, listed: &Listed) -> Result<Result<Row, Reason>, StorageError> {
    let number = listed.document_number;
    let refused = |mismatch: Mismatch| Ok(Err(Reason::Mismatch(mismatch)));
    let Some(found) = transfer_search::by_document_number(tx, number)? else {
        return refused(Mismatch::NoSuchDocument);
    };
    if listed.transfer.is_some_and(|id| id != found.id) {
        return refused(Mismatch::TwoTransfers);
    }
    if found.planned.payee.iban != listed.iban {
        return refused(Mismatch::Account(number));
    }
    if found.planned.amount != listed.amount {
        return refused(Mismatch::Amount {
            document: number,
            ours: found.planned.amount,
            theirs: listed.amount,
        });
    }
    Ok(Ok(Row {
        line: listed.line,
        transfer: found.id,
        status: TransferStatus::Sent,
        reason: None,
        value_date: Some(listed.value_date),
        bank: BankAnswer::default(),
    }))
}
