//! Checks the write-ahead log for damage before SQLite reads it.
//!
//! SQLite takes the log to end at the first frame with a wrong checksum, as after a power failure during a commit. A
//! byte that changed on the disk looks the same to it, and everything committed after that byte is lost silently. The
//! two cases can be told apart: each commit is flushed before the next frame is written, so a frame that follows a
//! commit proves that this commit and all before it were complete once.
//!
//! Damage in the very last commit cannot be detected.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Role, connect, translate};
use crate::engine::error::{Result, StorageError};

const HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;

/// Refuses a database if opening it would lose committed work. Others may use it meanwhile.
pub(crate) fn check_journal(database: &Path) -> Result<()> {
    let Ok(database) = fs::canonicalize(database) else {
        return Ok(());
    };
    let mut name = OsString::from(&database);
    name.push("-wal");
    let journal = PathBuf::from(name);
    refuse_foreign(&database, &journal)?;
    let is_damaged = || -> std::io::Result<bool> {
        let Some(page_bytes) = page_bytes(&database)? else {
            return Ok(false);
        };
        let header = read_header(&journal)?;
        // The last bit of the first word gives the byte order of the checksums, unless that bit is the damaged one.
        let big_endian = word(&header, 0) & 1 == 1;
        let is_whole = sum_of_header(&header, big_endian) == stored_in(&header);
        let damaged_frame = || match damaged_frame(&journal, page_bytes, big_endian)? {
            None if !is_whole => damaged_frame(&journal, page_bytes, !big_endian),
            found => Ok(found),
        };
        let found = damaged_frame()?;
        // A frame that was being written while it was read is whole by now, and the log may have been restarted in the meantime.
        Ok(found.is_some() && damaged_frame()? == found && read_header(&journal)? == header)
    };
    match is_damaged() {
        Ok(true) => Err(StorageError::Damaged(
            "its journal is damaged, and what was committed after the damage would be lost; the page on operations says what to do",
        )),
        Ok(false) => Ok(()),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::UnexpectedEof) => {
            Ok(())
        }
        Err(error) => Err(StorageError::Unavailable(format!(
            "the journal can't be read: {error}"
        ))),
    }
}

/// Refuses a copy of `cabinet backup` that was put beside the log of the database it replaces: SQLite would write the log's pages into it. The
/// header of such a copy says that it has no log, and it says otherwise before the first frame of a log of its own is written.
fn refuse_foreign(database: &Path, journal: &Path) -> Result<()> {
    let has_log = fs::metadata(journal).is_ok_and(|file| file.len() > HEADER_BYTES as u64);
    if has_log && says_that_it_has_no_log(database) {
        return Err(StorageError::Address(format!(
            "{} is a copy, and the journal {} beside it is that of the database before: SQLite would mix the two. Nothing was changed. Move the journal and the file -shm into another folder, then start again",
            database.display(),
            journal.display()
        )));
    }
    Ok(())
}

/// The versions of the format for writing and for reading, in the header of the database, of a database without a log.
const WITHOUT_LOG: [u8; 2] = [1, 1];

fn says_that_it_has_no_log(database: &Path) -> bool {
    let mut head = [0; 20];
    let read = File::open(database).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head[18..] == WITHOUT_LOG
}

/// Copies the log into the database and empties its file, which otherwise holds earlier forms of changed pages until they are
/// overwritten. Returns false if a reader that began before did not end within the lock timeout.
pub(crate) fn truncate_journal(database: &Path, lock_timeout: Duration) -> Result<bool> {
    let connection = connect(database, Role::Writer, false, lock_timeout)?;
    let sql = "pragma wal_checkpoint(truncate)";
    let was_busy: i64 = connection
        .query_row(sql, (), |row| row.get(0))
        .map_err(|error| translate(&error))?;
    Ok(was_busy == 0)
}

/// Returns the page size from the header of the database; `None` for an empty file.
fn page_bytes(database: &Path) -> std::io::Result<Option<usize>> {
    let mut head = [0; 18];
    match File::open(database)?.read_exact(&mut head) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    Ok(match u16::from_be_bytes([head[16], head[17]]) {
        1 => Some(65_536),
        bytes if bytes.is_power_of_two() && bytes >= 512 => Some(usize::from(bytes)),
        _ => None,
    })
}

fn read_header(journal: &Path) -> std::io::Result<[u8; HEADER_BYTES]> {
    let mut header = [0; HEADER_BYTES];
    File::open(journal)?.read_exact(&mut header)?;
    Ok(header)
}

fn sum_of_header(header: &[u8; HEADER_BYTES], big_endian: bool) -> [u32; 2] {
    checksum([0, 0], &header[..24], big_endian)
}

fn stored_in(header: &[u8; HEADER_BYTES]) -> [u32; 2] {
    [word(header, 6), word(header, 7)]
}

/// State of the previous frame, or of the header of the log.
struct Link {
    /// Its checksum, which covers everything up to here.
    checksum: [u32; 2],
    is_commit: bool,
    salts: [u32; 2],
}

/// Returns the place of the first wrong frame, zero for the header of the log, if commits after it would be lost.
fn damaged_frame(
    journal: &Path,
    page_bytes: usize,
    big_endian: bool,
) -> std::io::Result<Option<u64>> {
    let mut file = BufReader::new(File::open(journal)?);
    let mut header = [0; HEADER_BYTES];
    file.read_exact(&mut header)?;
    let is_header_whole = sum_of_header(&header, big_endian) == stored_in(&header);
    let mut broken = (!is_header_whole).then_some(0);
    let mut salts = is_header_whole.then(|| [word(&header, 4), word(&header, 5)]);
    let mut previous = Link {
        checksum: stored_in(&header),
        is_commit: false,
        salts: salts.unwrap_or_default(),
    };
    let mut frame = vec![0; FRAME_HEADER_BYTES + page_bytes];
    for place in 1.. {
        match file.read_exact(&mut frame) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
        let next = Link {
            checksum: [word(&frame, 4), word(&frame, 5)],
            is_commit: word(&frame, 1) != 0,
            salts: [word(&frame, 2), word(&frame, 3)],
        };
        let journal_salts = *salts.get_or_insert(next.salts);
        let (head, page) = (&frame[..8], &frame[FRAME_HEADER_BYTES..]);
        let summed = checksum(
            checksum(previous.checksum, head, big_endian),
            page,
            big_endian,
        );
        let follows = summed == next.checksum && next.salts == journal_salts;
        if broken.is_some() && follows && previous.is_commit && previous.salts == journal_salts {
            return Ok(broken);
        }
        if !follows && broken.is_none() {
            broken = Some(place);
        }
        previous = next;
    }
    Ok(None)
}

/// Computes the checksum of SQLite's file format: over pairs of words.
fn checksum(start: [u32; 2], bytes: &[u8], big_endian: bool) -> [u32; 2] {
    let read = |bytes: &[u8]| {
        let word = word(bytes, 0);
        if big_endian { word } else { word.swap_bytes() }
    };
    bytes.chunks_exact(8).fold(start, |[first, second], pair| {
        let first = first.wrapping_add(read(&pair[..4])).wrapping_add(second);
        let second = second.wrapping_add(read(&pair[4..])).wrapping_add(first);
        [first, second]
    })
}

/// Returns the n-th word, most significant byte first.
fn word(bytes: &[u8], number: usize) -> u32 {
    let word = bytes.get(number * 4..number * 4 + 4);
    word.and_then(|word| word.try_into().ok())
        .map_or(0, u32::from_be_bytes)
}
