//! The ZIP archive of receipts. It is written entry by entry, so that only one receipt is in memory at a time.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom, Write};

use cabinet_domain::kyiv_time;
use jiff::Timestamp;
use zip::write::{PreparedZipFile, SimpleFileOptions};
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::error::ReceiptError;
use crate::names::safe_file_name;

/// A file of the archive.
pub struct ArchiveEntry {
    /// The file name. Unsafe characters are replaced.
    pub name: String,
    /// When the payment was made. This becomes the file's date, in Kyiv time.
    pub dated: Timestamp,
    /// The PDF.
    pub content: Vec<u8>,
}

/// Writes receipts into a ZIP and returns the writer. The files are stored uncompressed, because PDFs are compressed inside. Sizes
/// and checksums precede each file, which every unpacking program understands. Two entries of one name become `name.pdf` and
/// `name (2).pdf`.
///
/// # Errors
/// Returns the first error of the entries, or [`ReceiptError::Archive`] if the writer fails. The output then has no central
/// directory, so that it can't be taken for a complete archive.
pub fn receipts_zip<W: Write>(
    entries: impl IntoIterator<Item = Result<ArchiveEntry, ReceiptError>>,
    writer: W,
) -> Result<W, ReceiptError> {
    let outlet = RefCell::new(Outlet {
        writer,
        position: 0,
        is_shut: false,
    });
    match write_all(entries, &outlet) {
        Ok(()) => Ok(outlet.into_inner().writer),
        Err(error) => Err(error),
    }
}

fn write_all<W: Write>(
    entries: impl IntoIterator<Item = Result<ArchiveEntry, ReceiptError>>,
    outlet: &RefCell<Outlet<W>>,
) -> Result<(), ReceiptError> {
    let mut archive = ZipWriter::new(Tap(outlet));
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries {
        let added = entry.and_then(|entry| {
            let name = unique(&mut seen, safe_file_name(&entry.name));
            let mut options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Stored)
                .unix_permissions(0o644);
            if let Some(dated) = dos_time(entry.dated) {
                options = options.last_modified_time(dated);
            }
            let file = PreparedZipFile::from_data(name, options, &entry.content)?;
            Ok(archive.add_prepared_file(file)?)
        });
        if let Err(error) = added {
            // The library completes an archive when it is dropped. That must not reach the caller's writer.
            outlet.borrow_mut().is_shut = true;
            return Err(error);
        }
    }
    archive.finish()?;
    Ok(())
}

/// The caller's writer and its position.
struct Outlet<W> {
    writer: W,
    position: u64,
    /// Whether further output is discarded.
    is_shut: bool,
}

/// A writer for the archive that cannot seek. The archive needs no seeking, because sizes are known before each file.
struct Tap<'a, W>(&'a RefCell<Outlet<W>>);

impl<W: Write> Write for Tap<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut outlet = self.0.borrow_mut();
        if outlet.is_shut {
            return Ok(bytes.len());
        }
        let written = outlet.writer.write(bytes)?;
        outlet.position = outlet
            .position
            .saturating_add(u64::try_from(written).unwrap_or(u64::MAX));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut outlet = self.0.borrow_mut();
        if outlet.is_shut {
            Ok(())
        } else {
            outlet.writer.flush()
        }
    }
}

impl<W: Write> Seek for Tap<'_, W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let outlet = self.0.borrow();
        let stays = match to {
            SeekFrom::Current(0) | SeekFrom::End(0) => true,
            SeekFrom::Start(place) => place == outlet.position,
            SeekFrom::Current(_) | SeekFrom::End(_) => false,
        };
        if stays || outlet.is_shut {
            Ok(outlet.position)
        } else {
            Err(io::ErrorKind::Unsupported.into())
        }
    }
}

/// Returns the name, with a number if it was used before. Names that differ only in case count as equal, as on Windows.
fn unique(seen: &mut BTreeMap<String, usize>, name: String) -> String {
    let mut candidate = name.clone();
    while let Some(times) = seen.get_mut(&candidate.to_lowercase()) {
        *times = times.saturating_add(1);
        candidate = match name.rsplit_once('.') {
            Some((stem, extension)) => format!("{stem} ({times}).{extension}"),
            None => format!("{name} ({times})"),
        };
    }
    seen.insert(candidate.to_lowercase(), 1);
    candidate
}

/// Converts a moment into the format's date, or `None` outside of the years 1980 to 2107.
fn dos_time(at: Timestamp) -> Option<DateTime> {
    let at = kyiv_time(at);
    let part = |value: i8| u8::try_from(value).ok();
    DateTime::from_date_and_time(
        u16::try_from(at.year()).ok()?,
        part(at.month())?,
        part(at.day())?,
        part(at.hour())?,
        part(at.minute())?,
        part(at.second())?,
    )
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};
    use std::rc::Rc;

    fn entry(name: &str, content: &[u8]) -> Result<ArchiveEntry, ReceiptError> {
        let dated = "2026-11-20T08:21:33Z".parse().unwrap();
        Ok(ArchiveEntry {
            name: name.to_owned(),
            dated,
            content: content.to_vec(),
        })
    }

    fn unpacked(bytes: Vec<u8>) -> Vec<(String, Vec<u8>)> {
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        (0..archive.len())
            .map(|index| {
                let mut file = archive.by_index(index).unwrap();
                assert_eq!(file.compression(), CompressionMethod::Stored);
                let mut content = Vec::new();
                file.read_to_end(&mut content).unwrap();
                (file.name().unwrap().to_string(), content)
            })
            .collect()
    }

    #[test]
    fn what_goes_in_comes_out() {
        let entries = [
            entry("Квитанція.pdf", b"one"),
            entry("../../b.pdf", b"two"),
            entry("b.pdf", b""),
        ];
        let files = unpacked(receipts_zip(entries, Vec::new()).unwrap());
        let expected: Vec<(String, Vec<u8>)> = vec![
            ("Квитанція.pdf".into(), b"one".into()),
            ("_.._b.pdf".into(), b"two".into()),
            ("b.pdf".into(), vec![]),
        ];
        assert_eq!(files, expected);
    }

    #[test]
    fn names_never_collide() {
        let entries =
            ["a.pdf", "A.pdf", "a.pdf", "a (2).pdf", "b", "b"].map(|name| entry(name, b"x"));
        let names: Vec<String> = unpacked(receipts_zip(entries, Vec::new()).unwrap())
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let mut folded: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        folded.sort();
        folded.dedup();
        assert_eq!(folded.len(), 6, "{names:?}");
    }

    #[test]
    fn the_same_receipts_give_the_same_bytes_and_sizes_stand_before_the_files() {
        let zip = || receipts_zip([entry("a.pdf", b"content")], Vec::new()).unwrap();
        let bytes = zip();
        assert_eq!(bytes, zip());
        // Bit 3 of the flags would put the sizes after the content, where some programs don't find them.
        assert_eq!(bytes[6] & 0b1000, 0);
        assert_eq!(&bytes[18..22], &7_u32.to_le_bytes());
    }

    #[test]
    fn an_empty_archive_is_an_archive() {
        assert!(unpacked(receipts_zip([], Vec::new()).unwrap()).is_empty());
    }

    #[test]
    fn a_failed_receipt_leaves_no_archive_that_looks_whole() {
        let written = Shared::default();
        let entries = [entry("a.pdf", b"x"), Err(ReceiptError::NothingPaid)];
        let refused = receipts_zip(entries, written.clone());
        assert!(matches!(refused, Err(ReceiptError::NothingPaid)));
        let bytes = written.0.borrow().clone();
        assert!(
            bytes.starts_with(b"PK\x03\x04"),
            "the first receipt had gone out"
        );
        assert!(zip::ZipArchive::new(Cursor::new(bytes)).is_err());
    }

    #[test]
    fn a_failed_writer_stops_the_archive() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let refused = receipts_zip([entry("a.pdf", b"x")], Gone);
        assert!(matches!(refused, Err(ReceiptError::Archive(_))));
    }

    #[test]
    fn each_receipt_is_written_before_the_next_one_is_made() {
        let written = Shared::default();
        let seen = written.clone();
        let entries = (0..3).map(|index| {
            assert!(seen.0.borrow().len() >= index * 1_000);
            entry(&format!("{index}.pdf"), &[0; 1_000])
        });
        receipts_zip(entries, written).unwrap();
    }

    /// A writer whose bytes can be read while it is used.
    #[derive(Clone, Default)]
    struct Shared(Rc<RefCell<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
