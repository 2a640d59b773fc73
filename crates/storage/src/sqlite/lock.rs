//! The lock of the one server that a SQLite file belongs to.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::error::{Result, StorageError};

/// Locks the database for one server: for as long as the answer lives, and never longer than the process, since the lock is the
/// operating system's. Other commands don't ask for it, so they work beside a server.
///
/// It is a lock of a file beside the database: SQLite would lose its own locks if another handle of its file were closed.
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

/// Every name of the database leads to the same lock.
fn lock_file(database: &Path) -> Result<PathBuf> {
    let database = fs::canonicalize(database).map_err(|error| {
        StorageError::Address(format!("{} cannot be found: {error}", database.display()))
    })?;
    let mut name = OsString::from(database);
    name.push(".lock");
    Ok(PathBuf::from(name))
}
