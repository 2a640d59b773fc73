//! Versions of the reference data, as the files they were loaded from. All versions are kept.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;

/// Stores files, by name, as the next version. Returns its number, which starts at 1.
pub fn add_version(tx: &mut Tx, now: Timestamp, files: &BTreeMap<String, String>) -> Result<i64> {
    tx.advisory_lock(b"reference_versions")?;
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
