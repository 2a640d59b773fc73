//! Tables as text, for spreadsheets and for the programs of banks.

use cabinet_domain::kernel::csv;
use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1251};

use crate::instruction::{Instruction, Payer};
use crate::problem::Unwritable;

/// How the text of a table becomes bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 with a byte order mark, without which spreadsheets guess another encoding.
    #[default]
    Utf8,
    /// Windows-1251, for programs that read nothing else.
    Cp1251,
}

/// A file that was written, or why not.
pub type Written = Result<Vec<u8>, Unwritable>;

/// Separates cells. In Ukraine the comma is the decimal sign, so spreadsheets expect semicolons.
const SEPARATOR: &str = ";";
const LINE_END: &str = "\r\n";
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A column: its name, and what stands in it.
pub(crate) type Column = (&'static str, fn(&Instruction, &Payer) -> String);

/// Writes a table of instructions: a header and a row for each. Every cell is quoted, and none is a formula to a spreadsheet.
///
/// # Errors
/// The first instruction with a character that the encoding lacks.
pub(crate) fn write(
    columns: &[Column],
    instructions: &[Instruction],
    payer: &Payer,
    encoding: Encoding,
) -> Written {
    let mut bytes = Vec::new();
    if encoding == Encoding::Utf8 {
        bytes.extend_from_slice(BYTE_ORDER_MARK.to_string().as_bytes());
    }
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    bytes.extend_from_slice(names.join(SEPARATOR).as_bytes());
    bytes.extend_from_slice(LINE_END.as_bytes());
    for instruction in instructions {
        for (place, (name, value)) in columns.iter().enumerate() {
            if place > 0 {
                bytes.extend_from_slice(SEPARATOR.as_bytes());
            }
            let cell = csv::cell(&value(instruction, payer));
            let cell = encoded(&cell, encoding).ok_or(Unwritable {
                document_number: instruction.document_number,
                field: name,
            })?;
            bytes.extend_from_slice(&cell);
        }
        bytes.extend_from_slice(LINE_END.as_bytes());
    }
    Ok(bytes)
}

/// Returns the bytes of a text; `None` for a character that the encoding lacks.
fn encoded(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    match encoding {
        Encoding::Utf8 => Some(text.as_bytes().to_vec()),
        Encoding::Cp1251 => {
            // The letter apostrophe of Ukrainian names; Windows-1251 has only the quotation mark.
            let text = text.replace('\u{2bc}', "\u{2019}");
            let (bytes, _, has_others) = WINDOWS_1251.encode(&text);
            (!has_others).then(|| bytes.into_owned())
        }
    }
}

/// Returns the text of a file: UTF-16 with a byte order mark or with the beginning of XML, UTF-8 with or without the mark, or else
/// Windows-1251.
#[must_use]
pub fn decoded(bytes: &[u8]) -> String {
    let utf_16 = match bytes {
        [0xff, 0xfe, ..] | [b'<', 0, b'?', 0, ..] => Some(UTF_16LE),
        [0xfe, 0xff, ..] | [0, b'<', 0, b'?', ..] => Some(UTF_16BE),
        _ => None,
    };
    if let Some(utf_16) = utf_16 {
        return utf_16.decode_with_bom_removal(bytes).0.into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(text)
            .to_owned(),
        Err(_) => WINDOWS_1251
            .decode_without_bom_handling(bytes)
            .0
            .into_owned(),
    }
}
