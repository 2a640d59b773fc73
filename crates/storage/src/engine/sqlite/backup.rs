//! Backups of the SQLite file.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::{Role, connect, translate};
use crate::engine::counters;
use crate::engine::error::{Result, StorageError};

/// Copies the database into the new file `target`: one snapshot, while reads and writes go on.
///
/// The copy is written under another name in the same folder, flushed, and then renamed, so that a file of that name is
/// always a complete backup.
pub(crate) fn backup(source: &Path, target: &Path, lock_timeout: Duration) -> Result<()> {
    if target.exists() {
        return Err(StorageError::Address(format!(
            "{} exists already; a backup goes to a new file",
            target.display()
        )));
    }
    let unfinished = beside(target);
    let copied = copy(source, &unfinished, lock_timeout)
        .and_then(|()| publish(&unfinished, target).map_err(|error| unusable(target, &error)));
    if copied.is_err() {
        // A leftover would only obstruct the next backup.
        let _ = fs::remove_file(&unfinished);
    }
    copied
}

fn beside(target: &Path) -> PathBuf {
    let mut name = OsString::from(target.as_os_str());
    name.push(".unfinished");
    PathBuf::from(name)
}

fn copy(source: &Path, unfinished: &Path, lock_timeout: Duration) -> Result<()> {
    let Some(name) = unfinished.to_str() else {
        return Err(StorageError::Address(
            "the name of the backup is not UTF-8".to_owned(),
        ));
    };
    // The file is created first with access for its owner only; SQLite then fills it.
    if unfinished.exists() {
        fs::remove_file(unfinished).map_err(|error| unusable(unfinished, &error))?;
    }
    super::make_file(unfinished, true)?;
    let connection = connect(source, Role::Reader, false, lock_timeout)?;
    // A read-only connection cannot write copies either.
    connection
        .execute_batch("pragma query_only = off")
        .and_then(|()| connection.execute("vacuum into ?1", [name]))
        .map_err(|error| translate(&error))?;
    mark(unfinished).map_err(|error| translate(&error))
}

/// Marks the copy, so that a server that starts on it knows it for one even where it was written over the database's own file.
fn mark(unfinished: &Path) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(unfinished, flags)?;
    // No file may be left beside the copy.
    connection.execute_batch("pragma journal_mode = delete")?;
    connection.execute(counters::MARK_COPY, []).map(|_| ())
}

fn publish(unfinished: &Path, target: &Path) -> std::io::Result<()> {
    fs::File::open(unfinished)?.sync_all()?;
    fs::rename(unfinished, target)?;
    let folder = target
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::File::open(folder)?.sync_all()
}

fn unusable(path: &Path, error: &std::io::Error) -> StorageError {
    StorageError::Address(format!("{} cannot be written: {error}", path.display()))
}
