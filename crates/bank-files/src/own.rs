//! Reading the lists that the cabinet wrote, to mark their transfers as sent.

use cabinet_domain::TransferId;
use jiff::civil::Date;
use roxmltree::Node;

use crate::facts::{day, document_number, transfer_id};
use crate::privat24::DAY;
use crate::problem::{Finding, Problem};
use crate::rows::{Row, Rows};
use crate::tree::{Tree, children, text};

/// A transfer of a list for the bank: which one it is. What else the list says of it, [`crate::differences`] compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The line. The first is 1.
    pub line: usize,
    /// The transfer, where the list names it.
    pub transfer: Option<TransferId>,
    /// The number of its document.
    pub document_number: i64,
    /// Its value date.
    pub value_date: Date,
}

/// The column that tells the table of Privat24 from others.
pub(crate) const PRIVAT24: &str = "payment_accept_date";

/// Reads the table of Privat24.
///
/// # Errors
/// A column is missing, or stands twice.
pub(crate) fn read_privat24(rows: &Rows<'_>) -> Result<Vec<Result<Listed, Finding>>, Finding> {
    rows.check(&["document_number", PRIVAT24])?;
    Ok(rows.rows().map(|row| read_row(&row?)).collect())
}

fn read_row(row: &Row<'_>) -> Result<Listed, Finding> {
    let unreadable = |column| row.finding(Problem::Unreadable(column));
    Ok(Listed {
        line: row.line,
        transfer: None,
        document_number: document_number(row.cell("document_number"))
            .ok_or_else(|| unreadable("document_number"))?,
        value_date: Date::strptime(DAY, row.cell(PRIVAT24)).map_err(|_| unreadable(PRIVAT24))?,
    })
}

/// Reads pain.001.
pub(crate) fn read_pain001(tree: &Tree<'_>, message: Node<'_, '_>) -> Vec<Result<Listed, Finding>> {
    let mut listed = Vec::new();
    for group in children(message, "PmtInf") {
        let on = text(group, "ReqdExctnDt/Dt").and_then(day);
        for payment in children(group, "CdtTrfTxInf") {
            listed.push(read_payment(tree, payment, on));
        }
    }
    listed
}

fn read_payment(
    tree: &Tree<'_>,
    payment: Node<'_, '_>,
    on: Option<Date>,
) -> Result<Listed, Finding> {
    let unreadable = |element| tree.finding(payment, Problem::Unreadable(element));
    Ok(Listed {
        line: tree.line(payment),
        transfer: text(payment, "PmtId/InstrId").and_then(transfer_id),
        document_number: text(payment, "PmtId/EndToEndId")
            .and_then(document_number)
            .ok_or_else(|| unreadable("EndToEndId"))?,
        value_date: on.ok_or_else(|| unreadable("ReqdExctnDt"))?,
    })
}
