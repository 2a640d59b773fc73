//! Whether the database is still the one that was in use, or a copy that was restored.
//!
//! Orders made after the copy are missing in it, and their numbers, which people have on receipts, would be given to other orders.

use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::counters;
use crate::error::{Result, StorageError};
use crate::store::Store;
use crate::tx::Tx;
use crate::value::params;

/// How many order numbers are left out after a restore: more than the whole country's notaries need in a week.
const NUMBERS_LEFT_OUT: i64 = 1_000_000;

impl Store {
    /// Leaves out the order numbers that a restored copy would give a second time. Returns the number after which they go on, or
    /// `None` where the database is the one that was in use, or can't be told from it.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn leave_out_used_numbers(&self) -> Result<Option<i64>> {
        let identity = match self.sqlite_path() {
            Some(path) => identity_of_file(path),
            None => match self.read(identity_of_server_and_database).await {
                Ok(identity) => Some(identity),
                // A server that doesn't tell everybody.
                Err(StorageError::Statement(_)) => None,
                Err(error) => return Err(error),
            },
        };
        let Some(identity) = identity else {
            tracing::warn!("Whether the database is a restored copy can't be told here");
            return Ok(None);
        };
        let digest = blake3::hash(identity.as_bytes());
        let (first, _) = digest.as_bytes().split_at(8);
        let identity = i64::from_be_bytes(first.try_into().unwrap_or_default());
        self.write(move |tx| {
            // Several cabinets may start together.
            tx.advisory_lock(b"database identity")?;
            match counters::database_identity(tx)? {
                Some(known) if known == identity => Ok(None),
                known => {
                    counters::set_database_identity(tx, identity)?;
                    match known {
                        None => Ok(None),
                        Some(_) => counters::leave_out_order_numbers(tx, NUMBERS_LEFT_OUT),
                    }
                }
            }
        })
        .await
    }
}

/// A file keeps its number and its birth as long as it is there, and a copy has others.
fn identity_of_file(path: &Path) -> Option<String> {
    let metadata = std::fs::metadata(path).ok()?;
    let born = metadata.created().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    Some(format!("{number}/{}", born.as_nanos()))
}

/// A server that was restored to a point in time goes on in another timeline; a dump is read into another database.
fn identity_of_server_and_database(tx: &mut Tx) -> Result<String> {
    tx.row(
        "select cast(s.system_identifier as text) || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
             || '/' || cast(d.oid as text) as identity
         from pg_control_system() s, pg_database d where d.datname = current_database()",
        params![],
        |row| row.next(),
    )
}
