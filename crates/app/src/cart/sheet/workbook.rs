//! The lines of a workbook (XLSX).
//!
//! A workbook is an archive of XML files. A small archive can unpack to gigabytes, and a single cell at the end of a sheet can ask for
//! billions of cells before it, and any number of cells can point at one long text. So the files are unpacked here up to a limit, cells are
//! taken one after another, and of each text no more is looked at than is kept.

use std::io::{Cursor, Read as _, Write as _};

use cabinet_domain::{Key, Locale, sheet_name};
use calamine::{Data, DataRef, Reader as _, Xlsx};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::cells::{COLUMNS_MAX, LINES_MAX, Line, kept};

/// Most bytes that the files of a workbook unpack to.
const UNPACKED_BYTES_MAX: u64 = 8 * 1024 * 1024;
/// Most files of a workbook.
const FILES_MAX: usize = 200;
/// Most cells that are looked at.
const CELLS_MAX: usize = 100_000;
/// Most characters that are kept of all cells together: 200 payments have a tenth of them.
const CHARS_MAX: usize = 1024 * 1024;
/// Decimal places of a number that are kept: beyond them a computed number differs from the one that the program shows.
const DECIMAL_PLACES: usize = 6;

/// Whether the bytes begin as an archive does.
pub(super) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK")
}

/// Returns the lines of the sheet with the name of the template's, or of the first one.
///
/// # Errors
/// `sheet_unreadable`, `sheet_too_large`.
pub(super) fn lines(bytes: &[u8]) -> Result<Vec<Line>, Key> {
    let unpacked = unpacked(bytes)?;
    let mut workbook: Xlsx<_> =
        Xlsx::new(Cursor::new(unpacked)).map_err(|_| Key::SheetUnreadable)?;
    let names = workbook.sheet_names();
    let ours = Locale::ALL.map(sheet_name);
    let named = names.iter().find(|name| ours.contains(&name.as_str()));
    let name = named.or(names.first()).ok_or(Key::SheetUnreadable)?.clone();
    let mut cells = workbook
        .worksheet_cells_reader(&name)
        .map_err(|_| Key::SheetUnreadable)?;
    let mut lines: Vec<Line> = Vec::new();
    let mut chars_left = CHARS_MAX;
    for _ in 0..CELLS_MAX {
        let Some(cell) = cells.next_cell().map_err(|_| Key::SheetUnreadable)? else {
            return Ok(lines);
        };
        let (row, column) = cell.get_position();
        let column = column as usize;
        if column >= COLUMNS_MAX {
            continue;
        }
        let text = text_of(cell.get_value());
        if text.is_empty() {
            continue;
        }
        let chars = text.chars().count();
        chars_left = chars_left.checked_sub(chars).ok_or(Key::SheetTooLarge)?;
        let number = row.saturating_add(1);
        // A row is named by its number.
        if lines.last().is_some_and(|(last, _)| *last > number) {
            return Err(Key::SheetUnreadable);
        }
        if lines.last().is_none_or(|(last, _)| *last != number) {
            if lines.len() == LINES_MAX {
                return Err(Key::SheetTooLarge);
            }
            lines.push((number, Vec::new()));
        }
        if let Some((_, line)) = lines.last_mut() {
            if line.len() <= column {
                line.resize(column + 1, String::new());
            }
            if let Some(place) = line.get_mut(column) {
                *place = text;
            }
        }
    }
    Err(Key::SheetTooLarge)
}

/// Returns the same workbook with its texts not packed, and without pictures and the like.
fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, Key> {
    let unreadable = |_| Key::SheetUnreadable;
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
    if archive.len() > FILES_MAX {
        return Err(Key::SheetTooLarge);
    }
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut written = ZipWriter::new(Cursor::new(Vec::new()));
    let mut left = UNPACKED_BYTES_MAX;
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(unreadable)?;
        let name = file.name().map_err(unreadable)?.into_owned();
        if !name.ends_with(".xml") && !name.ends_with(".rels") {
            continue;
        }
        let mut text = Vec::new();
        // The size that the archive tells may be wrong.
        let read = file.take(left + 1).read_to_end(&mut text);
        let length = read.map_err(|_| Key::SheetUnreadable)? as u64;
        left = left.checked_sub(length).ok_or(Key::SheetTooLarge)?;
        written.start_file(name, plain).map_err(unreadable)?;
        written.write_all(&text).map_err(|_| Key::SheetUnreadable)?;
    }
    Ok(written.finish().map_err(unreadable)?.into_inner())
}

/// Returns the text of a cell as the spreadsheet program shows it.
fn text_of(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Float(number) => {
            let text = format!("{number:.DECIMAL_PLACES$}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        // Other cells may point at the same text: it is not copied.
        DataRef::SharedString(text) => kept(text.chars()),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            kept(text.chars())
        }
        DataRef::Int(_)
        | DataRef::Bool(_)
        | DataRef::DateTime(_)
        | DataRef::Error(_)
        | DataRef::Empty => kept(Data::from(value.clone()).to_string().chars()),
    }
}
