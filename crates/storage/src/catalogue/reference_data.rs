//! Versions of the reference data, as the files they were loaded from. All versions are kept.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Makes units of work that write and add a version run one after the other.
pub fn lock(tx: &mut Tx) -> Result<()> {
    tx.advisory_lock(b"reference_versions")
}

/// Stores files, by name, as the next version. Returns its number, which starts at 1.
pub fn add_version(tx: &mut Tx, now: Timestamp, files: &BTreeMap<String, String>) -> Result<i64> {
    lock(tx)?;
    let version = latest_version(tx)?.unwrap_or(0) + 1;
    tx.execute(
        "insert into reference_versions (version, loaded_at) values (?1, ?2)",
        params![version, now],
    )?;
    for (file, content) in files {
        tx.execute(
            "insert into reference_files (version, file, content) values (?1, ?2, ?3)",
            params![version, file, content],
        )?;
    }
    Ok(version)
}

/// Returns the number of the newest version.
pub fn latest_version(tx: &mut Tx) -> Result<Option<i64>> {
    tx.row(
        "select max(version) as version from reference_versions",
        params![],
        |row| row.next(),
    )
}

/// Returns the files of a version, by name.
pub fn files_of(tx: &mut Tx, version: i64) -> Result<BTreeMap<String, String>> {
    let sql = "select file, content from reference_files where version = ?1";
    let files = tx.rows(sql, params![version], |row| Ok((row.next()?, row.next()?)))?;
    Ok(files.into_iter().collect())
}

/// Returns the versions with the moments at which they were loaded, newest first.
pub fn versions(tx: &mut Tx) -> Result<Vec<(i64, Timestamp)>> {
    tx.rows(
        "select version, loaded_at from reference_versions order by version desc",
        params![],
        |row| Ok((row.next()?, row.next()?)),
    )
}
