//! What a file is, told by its content.

use roxmltree::Node;

use crate::bounds::ENTRIES_MAX;
use crate::entry::Entry;
use crate::own::{self, Listed};
use crate::problem::{Finding, Problem};
use crate::rows::Rows;
use crate::table::decoded;
use crate::tree::Tree;
use crate::{camt, pain002, statement};

/// Most bytes of a file.
pub const BYTES_MAX: usize = 64 * 1024 * 1024;

/// A file that the operator gives to the cabinet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BankFile {
    /// A table of the cabinet's own, as text: a list for the bank, or answers that the operator typed.
    Table(String),
    /// A list that the cabinet wrote in another format: the table of Privat24, or pain.001.
    List(Vec<Listed>),
    /// What a bank tells: pain.002, camt.053, camt.054, or the statement of Privat24. Entries that can't be read say so. None: nothing
    /// happened on the account.
    Answers(Vec<Entry>),
}

/// Reads a file.
///
/// # Errors
/// Every finding of a list, or why the file as a whole can't be read; at least one.
pub fn read(bytes: &[u8]) -> Result<BankFile, Vec<Finding>> {
    let of_file = |problem| vec![Finding { line: 1, problem }];
    if bytes.len() > BYTES_MAX {
        return Err(of_file(Problem::TooLarge));
    }
    let text = decoded(bytes);
    if text.trim_start().starts_with('<') {
        return read_xml(&text);
    }
    let Some(rows) = Rows::of(&text) else {
        return Err(of_file(Problem::Unknown));
    };
    if text.lines().nth(ENTRIES_MAX + 1).is_some() {
        return Err(of_file(Problem::TooLarge));
    }
    if rows.has("transfer_id") {
        Ok(BankFile::Table(text))
    } else if rows.has(statement::OWN_ACCOUNT) {
        let entries = statement::read(&rows).map_err(|finding| vec![finding])?;
        Ok(answers(entries))
    } else if rows.has(own::PRIVAT24) {
        let listed = own::read_privat24(&rows).map_err(|finding| vec![finding])?;
        all(listed).map(BankFile::List)
    } else {
        Err(of_file(Problem::Unknown))
    }
}

fn read_xml(text: &str) -> Result<BankFile, Vec<Finding>> {
    let tree = Tree::read(text).map_err(|finding| vec![finding])?;
    let unknown = || {
        vec![Finding {
            line: 1,
            problem: Problem::Unknown,
        }]
    };
    let message = tree.message().ok_or_else(unknown)?;
    match message.tag_name().name() {
        "CstmrPmtStsRpt" => Ok(answers(pain002::read(&tree, message))),
        "BkToCstmrStmt" => statements(&tree, message, "Stmt"),
        "BkToCstmrDbtCdtNtfctn" => statements(&tree, message, "Ntfctn"),
        "CstmrCdtTrfInitn" => all(own::read_pain001(&tree, message)).map(BankFile::List),
        _ => Err(unknown()),
    }
}

fn statements(
    tree: &Tree<'_>,
    message: Node<'_, '_>,
    part: &'static str,
) -> Result<BankFile, Vec<Finding>> {
    let entries = camt::read(tree, message, part);
    if entries.is_empty() && !camt::is_without_movements(message, part) {
        return Err(vec![Finding {
            line: 1,
            problem: Problem::NoEntries,
        }]);
    }
    Ok(answers(entries))
}

/// Numbers the entries.
fn answers(mut entries: Vec<Entry>) -> BankFile {
    for (entry, number) in entries.iter_mut().zip(1..) {
        entry.number = number;
    }
    BankFile::Answers(entries)
}

/// Returns all rows of a list, or all findings.
fn all<Read>(read: Vec<Result<Read, Finding>>) -> Result<Vec<Read>, Vec<Finding>> {
    if read.is_empty() {
        return Err(vec![Finding {
            line: 1,
            problem: Problem::NoEntries,
        }]);
    }
    let mut entries = Vec::with_capacity(read.len());
    let mut findings = Vec::new();
    for one in read {
        match one {
            Ok(entry) => entries.push(entry),
            Err(finding) => findings.push(finding),
        }
    }
    if findings.is_empty() {
        Ok(entries)
    } else {
        Err(findings)
    }
}
