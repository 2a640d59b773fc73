//! The seals of transfers (decision 74): where one goes is sealed when it is planned, by a key that is not in the database.

use cabinet_domain::payment::AlarmKind;
use cabinet_domain::{BudgetCode, OrderId, SealedFacts, Transfer};
use cabinet_storage::engine::key_ids;
use cabinet_storage::transfer::{seals, transfer_search};
use cabinet_storage::{StorageError, Tx};

use crate::kernel::ids::UnitContext;
use crate::kernel::keys::{Digest, SealKeys};
use crate::operator::alarms::{AfterCommit, order_subject, raise};

/// Under this purpose the database remembers that its transfers have seals.
pub(crate) const PURPOSE: &str = "transfers";

/// A transfer whose seal fits what it says. Nothing else is written to a list for a bank.
pub(crate) struct SealedTransfer(Transfer);

impl SealedTransfer {
    /// Returns the transfer if its seal fits, else the transfer as it is.
    pub(crate) fn of(
        tx: &mut Tx,
        keys: &SealKeys,
        transfer: Transfer,
    ) -> Result<Result<SealedTransfer, Transfer>, StorageError> {
        let is_sealed = is_sealed(tx, keys, &transfer)?;
        Ok(if is_sealed {
            Ok(SealedTransfer(transfer))
        } else {
            Err(transfer)
        })
    }

    /// Returns the transfer.
    pub(crate) const fn transfer(&self) -> &Transfer {
        &self.0
    }
}

/// Seals what a stored transfer says.
pub(crate) fn seal_stored(
    tx: &mut Tx,
    keys: &SealKeys,
    transfer: &Transfer,
) -> Result<(), StorageError> {
    let seal = fitting_seal(tx, keys, transfer)?;
    seals::put(tx, transfer.id, &seal)
}

/// Returns the seal that fits what a transfer says.
pub(crate) fn fitting_seal(
    tx: &mut Tx,
    keys: &SealKeys,
    transfer: &Transfer,
) -> Result<Digest, StorageError> {
    let code = transfer_search::budget_code_of(tx, transfer.item_id)?;
    Ok(keys.seal(&facts_of(transfer, code.as_ref())))
}

/// Whether a transfer has a seal that fits what it says.
pub(crate) fn is_sealed(
    tx: &mut Tx,
    keys: &SealKeys,
    transfer: &Transfer,
) -> Result<bool, StorageError> {
    let Some(stored) = seals::of(tx, transfer.id)? else {
        return Ok(false);
    };
    let code = transfer_search::budget_code_of(tx, transfer.item_id)?;
    Ok(keys.fits(&facts_of(transfer, code.as_ref()), &stored))
}

fn facts_of<'a>(transfer: &'a Transfer, budget_code: Option<&'a BudgetCode>) -> SealedFacts<'a> {
    SealedFacts {
        id: transfer.id,
        order: transfer.order_id,
        item: transfer.item_id,
        replaces: transfer.replaces,
        planned: &transfer.planned,
        budget_code,
    }
}

/// Whether the transfers of this database were sealed: a cabinet of this version has started on it.
pub(crate) fn are_seals_made(tx: &mut Tx) -> Result<bool, StorageError> {
    Ok(!key_ids::of_purpose(tx, PURPOSE)?.is_empty())
}

/// Whether a cabinet has started on this database with one of these secrets. Under another one no seal fits, which says nothing of the transfers.
pub(crate) fn are_keys_known(tx: &mut Tx, keys: &SealKeys) -> Result<bool, StorageError> {
    let known = key_ids::of_purpose(tx, PURPOSE)?;
    Ok(known.iter().any(|known| keys.has(&known.id)))
}

/// Whether the seal of a transfer is by the secret before the last rotation.
pub(crate) fn is_of_previous(
    tx: &mut Tx,
    keys: &SealKeys,
    transfer: &Transfer,
    stored: &[u8; 32],
) -> Result<bool, StorageError> {
    let code = transfer_search::budget_code_of(tx, transfer.item_id)?;
    Ok(keys.is_of_previous(&facts_of(transfer, code.as_ref()), stored))
}

/// Opens an alarm about the order of a transfer whose seal does not fit. Nothing of the order is sent until somebody has looked.
pub(crate) fn raise_about(
    tx: &mut Tx,
    unit: &mut UnitContext,
    order: OrderId,
    committed: &mut Vec<AfterCommit>,
) -> Result<(), StorageError> {
    let (kind, subject) = (AlarmKind::TransferSealBroken, order_subject(order));
    raise(tx, unit, kind, &subject, Some(order), committed)
}
