//! The lock that ties a SQLite file to one server.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::engine::error::{Result, StorageError};

/// Locks the database for one server, as long as the returned value lives. It is a lock of the operating system, so it
/// ends with the process. Other commands do not take it, so they work beside a server.
///
/// The lock is on a separate file: SQLite would lose its own locks when another handle of its file is closed.
pub(crate) fn lock(database: &Path) -> Result<File> {
    let path = lock_file(database)?;
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let unusable = |error: std::io::Error| {
        StorageError::Address(format!("{} cannot be locked: {error}", path.display()))
    };
    let file = options.open(&path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StorageError::Address(format!(
            "another cabinet works on {}, and a SQLite database belongs to one",
            database.display()
        ))),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// All paths to the database lead to the same lock.
fn lock_file(database: &Path) -> Result<PathBuf> {
    let database = fs::canonicalize(database).map_err(|error| {
        StorageError::Address(format!("{} cannot be found: {error}", database.display()))
    })?;
    let mut name = OsString::from(database);
    name.push(".lock");
    Ok(PathBuf::from(name))
}
