//! Checking what a bank's file tells against the transfer that it names.

use cabinet_bank_files::{Entry, Fact};
use cabinet_domain::{BankFact, BankFactKind, Iban, Transfer, TransferStatus, kyiv_date};
use cabinet_storage::transfer::{bank_facts, transfers};
use cabinet_storage::{StorageError, Tx};

use crate::transfer::mismatch::Mismatch;

/// How much of account and sum shows that an entry means a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Both are there, and those of the transfer.
    Both,
    /// One is. The other is missing, or another.
    One,
    /// None.
    Nothing,
}

/// Returns how much of account and sum shows that an entry means a transfer.
pub(crate) fn shown(entry: &Entry, transfer: &Transfer) -> Shown {
    let planned = &transfer.planned;
    let account = entry.accounts.contains(&planned.payee.iban);
    let amount = entry.amount == Some(planned.amount);
    match (account, amount) {
        (true, true) => Shown::Both,
        (false, false) => Shown::Nothing,
        _ => Shown::One,
    }
}

fn has_account(entry: &Entry, account: &Iban) -> bool {
    entry.accounts.is_empty() || entry.accounts.contains(account)
}

/// Checks account, sum and status of an entry against the transfer that it names.
pub(crate) fn check(entry: &Entry, transfer: &Transfer) -> Result<(), Mismatch> {
    let document = transfer.document_number;
    let planned = &transfer.planned;
    if !has_account(entry, &planned.payee.iban) {
        return Err(Mismatch::Account(document));
    }
    match entry.amount {
        Some(theirs) if theirs != planned.amount => {
            let ours = planned.amount;
            let is_return = matches!(entry.fact, Fact::Returned { .. });
            return Err(if is_return && theirs < ours {
                Mismatch::PartlyReturned {
                    document,
                    ours,
                    theirs,
                }
            } else {
                Mismatch::Amount {
                    document,
                    ours,
                    theirs,
                }
            });
        }
        _ => {}
    }
    match transfer.status {
        TransferStatus::Planned => Err(Mismatch::StillPlanned(document)),
        TransferStatus::CalledOff => Err(Mismatch::CalledOff(document)),
        TransferStatus::Sent
        | TransferStatus::Credited
        | TransferStatus::Returned
        | TransferStatus::Disputed => Ok(()),
    }
}

/// Checks the refusal of an instruction. One because of a repetition says that the bank had the same payment before.
pub(crate) const fn check_refusal(fact: &Fact, transfer: &Transfer) -> Result<(), Mismatch> {
    match (fact, transfer.status) {
        // It says nothing new of what is with the payer, or of what a person asks the bank about.
        (_, TransferStatus::Returned | TransferStatus::Disputed) => Ok(()),
        (
            Fact::Refused {
                is_duplicate: true, ..
            },
            _,
        ) => Err(Mismatch::RefusedAsDuplicate(transfer.document_number)),
        _ => Ok(()),
    }
}

/// Checks that a transfer which came back was not paid after that. The inner result is the finding.
pub(crate) fn check_after_return(
    tx: &mut Tx,
    fact: &Fact,
    transfer: &Transfer,
    facts: &[BankFact],
) -> Result<Result<(), Mismatch>, StorageError> {
    let Some(first_returned_on) = transfer.returned_day() else {
        return Ok(Ok(()));
    };
    let of = |kind| facts.iter().filter(move |fact| fact.kind == kind);
    let named = of(BankFactKind::Returned).filter_map(|fact| fact.day).max();
    // The day that is kept is that of the refusal, so a return without a day may be of any later one.
    let is_day_unknown = named.is_none()
        && of(BankFactKind::Returned).next().is_some()
        && of(BankFactKind::Refused).next().is_some();
    let returned_on = match named {
        Some(day) => day,
        // It was told by the latest.
        None if is_day_unknown => {
            bank_facts::first_told_at(tx, transfer.id, BankFactKind::Returned)?
                .map_or(first_returned_on, kyiv_date)
        }
        None => first_returned_on,
    };
    let day = match fact {
        Fact::UnderWay { debited_on } => *debited_on,
        Fact::Credited { on } => *on,
        _ => return Ok(Ok(())),
    };
    let mut is_paid_again = day.is_some_and(|day| day > returned_on);
    if let Fact::Credited { on } = fact {
        // The crediting before the return may be told late, or again, with its day.
        let is_before =
            on.is_some_and(|on| on < returned_on || Some(on) == transfer.bank.credited_on);
        is_paid_again |= !is_before
            && (transfer.refund.is_some() || transfers::replacement_of(tx, transfer.id)?.is_some());
    }
    Ok(if is_paid_again {
        Err(Mismatch::PaidAfterReturn(transfer.document_number))
    } else {
        Ok(())
    })
}
