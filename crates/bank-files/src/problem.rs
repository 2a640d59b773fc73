//! What is wrong with a file, for the operator.

use std::fmt;

/// A transfer that cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "document {document_number}: {field} has characters that the file cannot carry; choose another format or encoding"
)]
pub struct Unwritable {
    /// The number of its document.
    pub document_number: i64,
    /// The column or element.
    pub field: &'static str,
}

/// A place of a file from a bank at which something is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line. The first is 1.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.line, self.problem)
    }
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No file that is known.
    #[error(
        "this is none of the files that are known: a table of the cabinet, pain.002, camt.053, camt.054, a statement of Privat24"
    )]
    Unknown,
    /// More than is read.
    #[error(
        "the file is too large, or has too many entries, elements or attributes: ask the bank for a shorter period"
    )]
    TooLarge,
    /// A document type definition, which can define entities.
    #[error("the file defines entities, which no bank's file does")]
    EntitiesDefined,
    /// Not well-formed.
    #[error("this is not XML")]
    NotXml,
    /// An element that must be there.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A value in another form than the standard's.
    #[error("{0} cannot be read")]
    Unreadable(&'static str),
    /// A status that the standard does not know.
    #[error("the status of the payment is not one of ISO 20022")]
    StatusUnknown,
    /// The bank refused a whole file, or a part of it, and names no transfer.
    #[error(
        "the bank refused all payments of the file and names none of them: ask the bank, mend the cause, and import the refusals one by one"
    )]
    RefusedAsAWhole,
    /// A batch of which only a part was accepted, without the parts.
    #[error("only a part of the payments was accepted, and the file does not say which")]
    PartlyAccepted,
    /// A table with another number of cells than its header.
    #[error("the row has {found} cells, the header {expected}")]
    CellCount {
        /// Cells of the header.
        expected: usize,
        /// Cells of the row.
        found: usize,
    },
    /// A quoted cell that is not closed.
    #[error("a quotation mark is not closed, or text follows the closing one")]
    Quotes,
    /// A column that stands twice.
    #[error("column {0} stands twice")]
    ColumnTwice(&'static str),
    /// A list that says something else than the cabinet wrote. Its column, or its element.
    #[error(
        "{0} is not what the cabinet writes of this transfer: the list was changed. Give it to no bank, and make a new one"
    )]
    Changed(String),
    /// The file has no entries.
    #[error("the file has no entries")]
    NoEntries,
}
