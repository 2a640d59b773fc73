//! SQLite: opening the file, running statements, translating errors.

mod backup;
mod journal;
mod lock;
mod planner_statistics;
mod readers;
mod writer;

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

pub(crate) use backup::backup;
pub(crate) use journal::{check_journal, truncate_journal};
pub(crate) use lock::lock;
pub(crate) use planner_statistics::StatisticsVersion;
pub(crate) use readers::Readers;
pub(crate) use writer::spawn_writer;

use crate::engine::error::{ConstraintKind, Result, StorageError};
use crate::engine::row::Row;
use crate::engine::value::Value;

/// "NCAB", in the header of the file: distinguishes our databases from those of other programs.
const APPLICATION_ID: i32 = 0x4E43_4142;

/// The number of statements kept prepared by each connection; more than this crate has.
const PREPARED_STATEMENTS: usize = 256;

/// The purpose of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Writer,
    Reader,
}

/// Opens the file, or creates it if `create` is set. Refuses a file of another program.
pub(crate) fn connect(
    path: &Path,
    role: Role,
    create: bool,
    lock_timeout: Duration,
) -> Result<Connection> {
    if !path.exists() {
        make_file(path, create)?;
    }
    // No SQLITE_OPEN_URI: a path is only a path. No mutex: a connection is used by one thread at a time.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| translate(&error))?;
    set_up(&connection, role, lock_timeout).map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            StorageError::Address(format!("{} is not a SQLite database", path.display()))
        }
        _ => translate(&error),
    })?;
    if role == Role::Writer {
        claim(&connection, path)?;
    }
    Ok(connection)
}

/// Creates an empty file that only its owner can read: it will hold personal data.
fn make_file(path: &Path, create: bool) -> Result<()> {
    if !create {
        return Err(StorageError::Address(format!(
            "there is no database {}",
            path.display()
        )));
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        // Another process created it first; that file serves as well.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StorageError::Address(format!(
            "the database {} cannot be made: {error}",
            path.display()
        ))),
    }
}

fn set_up(connection: &Connection, role: Role, lock_timeout: Duration) -> rusqlite::Result<()> {
    connection.busy_timeout(lock_timeout)?;
    connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
    // Otherwise SQLite prepares many joins again at every use, in case the values of the parameters suggest another
    // plan. Reading a cart would take five times as long.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // What is deleted is overwritten with zeros: a file is copied, lent and thrown away, and it holds personal data.
    // A confirmed commit must survive a power failure. FULL flushes the log at every commit; grouping units of work
    // makes up for the cost.
    connection.execute_batch(
        "pragma journal_mode = wal;
         pragma synchronous = full;
         pragma foreign_keys = on;
         pragma temp_store = memory;
         pragma secure_delete = on;
         pragma trusted_schema = off;",
    )?;
    match role {
        // The log is copied into the file, which costs two more flushes, every 16 MiB instead of every 4.
        Role::Writer => connection.execute_batch(
            "pragma cache_size = -8192; pragma wal_autocheckpoint = 4096; pragma journal_size_limit = 67108864;",
        ),
        Role::Reader => {
            connection.execute_batch("pragma cache_size = -2048; pragma query_only = on;")
        }
    }
}

/// Marks a new file as ours; refuses one that another program filled.
fn claim(connection: &Connection, path: &Path) -> Result<()> {
    let read = |sql: &str| {
        connection
            .query_row(sql, (), |row| row.get::<_, i64>(0))
            .map_err(|error| translate(&error))
    };
    let id = read("pragma application_id")?;
    if id == i64::from(APPLICATION_ID) {
        return Ok(());
    }
    if id != 0 || read("select count(*) from sqlite_schema")? != 0 {
        return Err(StorageError::Address(format!(
            "{} is a database of another program",
            path.display()
        )));
    }
    connection
        .execute_batch(&format!("pragma application_id = {APPLICATION_ID}"))
        .map_err(|error| translate(&error))
}

/// Runs a statement and returns the number of changed rows.
pub(crate) fn execute(connection: &Connection, sql: &str, params: &[Value<'_>]) -> Result<u64> {
    let run = || {
        let mut statement = connection.prepare_cached(sql)?;
        bind(&mut statement, params)?;
        statement.raw_execute()
    };
    run()
        .map(|changed| changed as u64)
        .map_err(|error| translate(&error))
}

/// Runs a statement and passes each row of its result to `read`.
pub(crate) fn each(
    connection: &Connection,
    sql: &str,
    params: &[Value<'_>],
    mut read: impl FnMut(&mut Row<'_>) -> Result<()>,
) -> Result<()> {
    let mut statement = connection
        .prepare_cached(sql)
        .map_err(|error| translate(&error))?;
    bind(&mut statement, params).map_err(|error| translate(&error))?;
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().map_err(|error| translate(&error))? {
        read(&mut Row::sqlite(row, sql))?;
    }
    Ok(())
}

/// Binds `?n` to the n-th parameter.
fn bind(statement: &mut rusqlite::Statement<'_>, params: &[Value<'_>]) -> rusqlite::Result<()> {
    if statement.parameter_count() != params.len() {
        return Err(rusqlite::Error::InvalidParameterCount(
            params.len(),
            statement.parameter_count(),
        ));
    }
    for (index, value) in (1..).zip(params) {
        statement.raw_bind_parameter(index, value)?;
    }
    Ok(())
}

/// Translates an error of SQLite.
pub(crate) fn translate(error: &rusqlite::Error) -> StorageError {
    let (code, text) = match error {
        rusqlite::Error::SqliteFailure(code, text) => (*code, text.clone().unwrap_or_default()),
        rusqlite::Error::SqlInputError { error, msg, .. } => (*error, msg.clone()),
        other => return StorageError::Statement(other.to_string()),
    };
    match code.code {
        ErrorCode::DiskFull => StorageError::Full,
        ErrorCode::ReadOnly => StorageError::ReadOnly,
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::OperationInterrupted => {
            StorageError::TimedOut
        }
        ErrorCode::SystemIoFailure if is_flush(code.extended_code) => {
            StorageError::Damaged("a flush of the disk failed")
        }
        ErrorCode::SystemIoFailure => {
            StorageError::Unavailable(format!("input/output error {}", code.extended_code))
        }
        ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
            StorageError::Unavailable("the file cannot be opened".to_owned())
        }
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
            StorageError::Damaged("the file is damaged")
        }
        ErrorCode::OutOfMemory => StorageError::Unavailable("out of memory".to_owned()),
        ErrorCode::ConstraintViolation => constraint(code.extended_code, &text),
        _ => StorageError::Statement(text),
    }
}

fn constraint(extended_code: i32, text: &str) -> StorageError {
    let kind = match extended_code {
        ffi::SQLITE_CONSTRAINT_UNIQUE
        | ffi::SQLITE_CONSTRAINT_PRIMARYKEY
        | ffi::SQLITE_CONSTRAINT_ROWID => ConstraintKind::Unique,
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => ConstraintKind::ForeignKey,
        _ => ConstraintKind::Check,
    };
    let name = text.split_once("failed: ").map_or(text, |(_, name)| name);
    StorageError::Constraint {
        kind,
        name: name.to_owned(),
    }
}

/// After a failed flush nobody knows what reached the disk, and a second flush could wrongly report success.
fn is_flush(extended_code: i32) -> bool {
    matches!(
        extended_code,
        ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(extended_code: i32, text: &str) -> rusqlite::Error {
        rusqlite::Error::SqliteFailure(ffi::Error::new(extended_code), Some(text.to_owned()))
    }

    #[test]
    fn errors_of_the_disk_are_told_apart() {
        assert_eq!(
            translate(&failure(ffi::SQLITE_FULL, "")),
            StorageError::Full
        );
        assert_eq!(
            translate(&failure(ffi::SQLITE_READONLY, "")),
            StorageError::ReadOnly
        );
        assert_eq!(
            translate(&failure(ffi::SQLITE_BUSY, "")),
            StorageError::TimedOut
        );
        assert!(matches!(
            translate(&failure(ffi::SQLITE_IOERR_WRITE, "")),
            StorageError::Unavailable(_)
        ));
    }

    #[test]
    fn only_a_failed_flush_or_a_damaged_file_ends_writing() {
        for (code, ends) in [
            (ffi::SQLITE_IOERR_FSYNC, true),
            (ffi::SQLITE_IOERR_DIR_FSYNC, true),
            (ffi::SQLITE_CORRUPT, true),
            (ffi::SQLITE_FULL, false),
            (ffi::SQLITE_BUSY, false),
            (ffi::SQLITE_IOERR_READ, false),
        ] {
            let told = translate(&failure(code, ""));
            assert_eq!(
                matches!(told, StorageError::Damaged(_)),
                ends,
                "code {code}"
            );
        }
    }
}
