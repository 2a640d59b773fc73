//! The parts of a workbook that are read, each up to a ceiling.
//!
//! A workbook is an archive of XML files. A small archive can unpack to gigabytes, and the size that it tells may be wrong, so a part is
//! unpacked up to its ceiling. Styles, themes, pictures and whatever else a workbook holds are never opened.

use std::collections::HashMap;
use std::io::{Cursor, Read as _};

use cabinet_domain::Key;
use zip::ZipArchive;

/// Most files of a workbook.
const FILES_MAX: usize = 200;
/// Most bytes that the parts which are read unpack to.
const UNPACKED_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// A part that is read.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// Which part of the archive is which.
    Relationships,
    /// The names of the sheets.
    Workbook,
    /// The texts that cells point at.
    SharedStrings,
    /// The cells of a sheet.
    Sheet,
}

impl Part {
    /// Returns the most bytes that the part unpacks to.
    const fn bytes_max(self) -> u64 {
        match self {
            Part::Relationships => 256 * 1024,
            Part::Workbook => 1024 * 1024,
            Part::SharedStrings | Part::Sheet => UNPACKED_BYTES_MAX,
        }
    }
}

/// The archive of a workbook.
pub(super) struct Parts<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    /// The places of the files in the archive, by their names in small letters: the names of parts are compared so.
    places: HashMap<String, usize>,
    /// Bytes that may still be unpacked.
    left: u64,
}

impl<'b> Parts<'b> {
    /// Opens the archive.
    ///
    /// # Errors
    /// `sheet_unreadable`, `sheet_too_large`.
    pub(super) fn open(bytes: &'b [u8]) -> Result<Parts<'b>, Key> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| Key::SheetUnreadable)?;
        if archive.len() > FILES_MAX {
            return Err(Key::SheetTooLarge);
        }
        let mut places = HashMap::new();
        for place in 0..archive.len() {
            let name = archive
                .name_for_index(place)
                .and_then(Result::ok)
                .ok_or(Key::SheetUnreadable)?;
            places.insert(name.replace('\\', "/").to_ascii_lowercase(), place);
        }
        Ok(Parts {
            archive,
            places,
            left: UNPACKED_BYTES_MAX,
        })
    }

    /// Returns the text of a part; `None`: the archive has no file of this name.
    ///
    /// # Errors
    /// `sheet_unreadable`: it is not UTF-8, in which every program writes them; `sheet_too_large`.
    pub(super) fn text(&mut self, part: Part, name: &str) -> Result<Option<String>, Key> {
        let Some(place) = self.places.get(&name.to_ascii_lowercase()) else {
            return Ok(None);
        };
        let most = part.bytes_max().min(self.left);
        let file = self.archive.by_index(*place);
        let file = file.map_err(|_| Key::SheetUnreadable)?;
        let mut bytes = Vec::new();
        let read = file.take(most + 1).read_to_end(&mut bytes);
        let length = read.map_err(|_| Key::SheetUnreadable)? as u64;
        if length > most {
            return Err(Key::SheetTooLarge);
        }
        self.left -= length;
        let text = String::from_utf8(bytes).map_err(|_| Key::SheetUnreadable)?;
        Ok(Some(text))
    }
}
