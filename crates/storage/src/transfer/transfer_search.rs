//! Looking for the transfer that an entry of a bank's file names, and what its list for the bank needs besides.

use std::collections::BTreeSet;

use cabinet_domain::{BudgetCode, Iban, ItemId, Line, Money, Transfer, TransferStatus};
use jiff::civil::Date;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::transfer::transfers::{COLUMNS, read};

/// Returns the budget code that was given for an item, if its payment has one. Does not lock.
pub fn budget_code_of(tx: &mut Tx, item: ItemId) -> Result<Option<BudgetCode>> {
    let sql = "select cbc_code from order_items where id = ?1";
    let found = tx.row_optional(sql, params![item], |row| row.next::<Option<BudgetCode>>())?;
    Ok(found.flatten())
}

/// Returns the transfer with this number of its document. Does not lock.
pub fn by_document_number(tx: &mut Tx, number: i64) -> Result<Option<Transfer>> {
    let sql = format!("select {COLUMNS} from transfers where document_number = ?1");
    tx.row_optional(&sql, params![number], read)
}

/// Returns the transfers under a bank's reference, of the payment or of its booking: different banks may use the same. Does not lock.
pub fn by_bank_reference(tx: &mut Tx, reference: &Line) -> Result<Vec<Transfer>> {
    let sql = format!(
        "select {COLUMNS} from transfers where bank_reference = ?1 or booking_reference = ?1 order by id"
    );
    tx.rows(&sql, params![reference], read)
}

/// Returns the accounts of all recipients: of every transfer, whatever became of it. Does not lock.
pub fn recipients(tx: &mut Tx) -> Result<BTreeSet<String>> {
    let sql = "select distinct recipient_iban from transfers";
    let found = tx.rows(sql, params![], |row| row.next::<String>())?;
    Ok(found.into_iter().collect())
}

/// Returns the transfers that were sent to an account with this amount and value date, whatever became of them. Does not lock.
pub fn sent_on(
    tx: &mut Tx,
    account: &Iban,
    amount: Money,
    value_date: Date,
) -> Result<Vec<Transfer>> {
    let sql = format!(
        "select {COLUMNS} from transfers where value_date = ?1 and recipient_iban = ?2 and amount = ?3 and status in (?4, ?5, ?6)
         order by id"
    );
    let (sent, credited, returned) = (
        TransferStatus::Sent,
        TransferStatus::Credited,
        TransferStatus::Returned,
    );
    let day = value_date.to_string();
    tx.rows(
        &sql,
        params![day, account, amount, sent, credited, returned],
        read,
    )
}
