//! Payment files. The bank finds out by itself which of the documented formats a file has.

mod pain001;
mod table;

use encoding_rs::WINDOWS_1251;
use serde::{Deserialize, Serialize};

use super::instruction::Unchecked;

/// The format of a payment file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Format {
    /// `pain.001.001.09` of ISO 20022.
    Pain001,
    /// A table with the field names of `PrivatBank`'s Autoclient.
    Privat24,
    /// The cabinet's own table.
    CabinetCsv,
}

impl Format {
    /// Returns the name that people know.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pain001 => "pain.001",
            Self::Privat24 => "Privat24",
            Self::CabinetCsv => "CSV",
        }
    }
}

/// What a file orders.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) format: Format,
    /// The customer's id of the message; tables have none.
    pub(super) id: Option<String>,
    pub(super) instructions: Vec<Unchecked>,
}

/// Why a file is refused as a whole. Nothing was taken then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FileError {
    /// It is none of the formats.
    #[error("the file is neither pain.001.001.09 nor a table with a known header")]
    Unknown,
    /// It orders nothing.
    #[error("the file has no payments")]
    Empty,
    /// An element is missing.
    #[error("the element {0} is missing")]
    ElementMissing(&'static str),
    /// A number of payments or a sum at its head differs from what it orders.
    #[error("{0} differs from the payments of the file")]
    Total(&'static str),
    /// A column is missing.
    #[error("the column {0} is missing")]
    ColumnMissing(&'static str),
    /// A row can't be read.
    #[error("row {0} has another number of cells than the header, or an open quotation mark")]
    Row(usize),
}

impl FileError {
    /// Returns the code of ISO 20022.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Total("CtrlSum") => "AM10",
            Self::Total(_) => "AM18",
            _ => "FF01",
        }
    }
}

/// Reads a payment file in UTF-8 (with or without a byte order mark) or windows-1251.
pub(super) fn read(bytes: &[u8]) -> Result<Message, FileError> {
    let text = decode(bytes);
    let message = if text.trim_start().starts_with('<') {
        pain001::read(&text)?
    } else {
        table::read(&text)?
    };
    if message.instructions.is_empty() {
        return Err(FileError::Empty);
    }
    Ok(message)
}

fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => WINDOWS_1251
            .decode_without_bom_handling(bytes)
            .0
            .into_owned(),
    }
}
