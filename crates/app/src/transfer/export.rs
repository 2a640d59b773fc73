//! The planned transfers as a file for a bank.

use cabinet_bank_files::{
    Encoding, Instruction, MessageId, Payer, Unwritable, write_csv, write_pain001, write_privat24,
};
use cabinet_domain::{Balance, BudgetCode, Transfer};
use cabinet_storage::transfer::{transfer_search, transfers};
use cabinet_storage::{StorageError, Tx};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::kernel::keys::SealKeys;
use crate::transfer::outcomes::Totals;
use crate::transfer::seal::SealedTransfer;

/// Transfers that are read at once.
const PAGE: u32 = 1000;

/// What the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The cabinet's own table.
    Csv(Encoding),
    /// The table of Privat24 for business.
    Privat24(Encoding),
    /// pain.001.001.09 of ISO 20022.
    Pain001,
}

/// A file for a bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub file: Vec<u8>,
    /// Its transfers.
    pub transfers: usize,
    /// Their sum.
    pub amount: Balance,
    /// How many of them go to the budget, and their sum.
    pub to_budget: (usize, Balance),
    /// SHA-256 of the file, in hexadecimal digits.
    pub digest: String,
}

/// Returns the SHA-256 of a file in hexadecimal digits.
pub(crate) fn digest_of(file: &[u8]) -> String {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, file);
    let bytes = digest.as_ref().iter();
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the sum of transfers. It may be greater than the greatest sum of one.
pub(crate) fn sum_of(instructions: &[Instruction]) -> Balance {
    let amounts = instructions.iter().map(|of| of.amount.kopiykas());
    Balance::from_kopiykas(amounts.sum())
}

/// Returns how many transfers go to accounts at the Treasury, and their sum.
pub(crate) fn to_budget(instructions: &[Instruction]) -> (usize, Balance) {
    let mut totals = Totals::default();
    for of in instructions {
        totals.add(of.amount, &of.payee.iban);
    }
    (totals.to_budget, totals.to_budget_amount)
}

impl Format {
    pub(crate) fn write(
        self,
        list: &SealedList,
        payer: &Payer,
        message: MessageId,
        now: Timestamp,
    ) -> Result<Vec<u8>, Unwritable> {
        let instructions = list.instructions();
        match self {
            Self::Csv(encoding) => write_csv(instructions, payer, encoding),
            Self::Privat24(encoding) => write_privat24(instructions, payer, encoding),
            Self::Pain001 => write_pain001(instructions, payer, message, now),
        }
    }
}

/// What a list for a bank says: of transfers with seals that fit, and of no other.
#[derive(Default)]
pub(crate) struct SealedList(Vec<Instruction>);

impl SealedList {
    /// Returns the instructions.
    pub(crate) fn instructions(&self) -> &[Instruction] {
        &self.0
    }

    fn add(
        &mut self,
        tx: &mut Tx,
        sealed: &SealedTransfer,
        value_date: Date,
    ) -> Result<(), StorageError> {
        self.0.push(instruction(tx, sealed.transfer(), value_date)?);
        Ok(())
    }
}

/// Does something with everything that is to be sent, the earliest first.
fn for_each_to_send(
    tx: &mut Tx,
    mut act: impl FnMut(&mut Tx, Transfer) -> Result<(), StorageError>,
) -> Result<(), StorageError> {
    let mut last: Option<Transfer> = None;
    loop {
        let page = transfers::to_send(tx, last.as_ref(), PAGE)?;
        last = page.last().cloned();
        for transfer in page {
            act(tx, transfer)?;
        }
        if last.is_none() {
            return Ok(());
        }
    }
}

/// Returns what is to be sent, the earliest first, or else the transfers whose seals do not fit.
pub(crate) fn to_send(
    tx: &mut Tx,
    keys: &SealKeys,
    value_date: Date,
) -> Result<Result<SealedList, Vec<Transfer>>, StorageError> {
    let (mut list, mut unsealed) = (SealedList::default(), Vec::new());
    for_each_to_send(tx, |tx, transfer| {
        match SealedTransfer::of(tx, keys, transfer)? {
            Ok(sealed) => list.add(tx, &sealed, value_date)?,
            Err(transfer) => unsealed.push(transfer),
        }
        Ok(())
    })?;
    Ok(if unsealed.is_empty() {
        Ok(list)
    } else {
        Err(unsealed)
    })
}

/// Returns how much is to be sent, whether or not its seals fit.
pub(crate) fn totals_to_send(tx: &mut Tx) -> Result<Totals, StorageError> {
    let mut totals = Totals::default();
    for_each_to_send(tx, |_, transfer| {
        let planned = &transfer.planned;
        totals.add(planned.amount, &planned.payee.iban);
        Ok(())
    })?;
    Ok(totals)
}

/// Returns the revenue code of a payment to the budget: the one that was given, or the one in which the recipient's name ends.
fn revenue_code(tx: &mut Tx, transfer: &Transfer) -> Result<Option<BudgetCode>, StorageError> {
    let given = transfer_search::budget_code_of(tx, transfer.item_id)?;
    Ok(transfer.planned.revenue_code(given.as_ref()))
}

/// Returns what a bank is told of a transfer.
pub(crate) fn instruction(
    tx: &mut Tx,
    transfer: &Transfer,
    value_date: Date,
) -> Result<Instruction, StorageError> {
    let budget_code = revenue_code(tx, transfer)?;
    let planned = transfer.planned.clone();
    Ok(Instruction {
        transfer: transfer.id,
        document_number: transfer.document_number,
        value_date,
        order: transfer.order_id,
        created_at: transfer.created_at,
        amount: planned.amount,
        payee: planned.payee,
        actual_payer: planned.actual_payer,
        budget_code,
    })
}
