//! Finds out whether the database is a restored copy.
//!
//! Orders made after the copy are missing in it. Their numbers, which people have on receipts, must not be given to
//! other orders. Transfers that were sent after the copy are planned in it, and must not be sent a second time.

use std::path::Path;
use std::time::UNIX_EPOCH;

use jiff::Timestamp;

use crate::counters;
use crate::error::{Result, StorageError};
use crate::store::Store;
use crate::tx::Tx;
use crate::value::params;

/// Order numbers skipped after a restore: more than a week of orders of the whole country.
const NUMBERS_LEFT_OUT: i64 = 1_000_000;

impl Store {
    /// Prepares a restored copy for use: skips the order numbers that it would assign a second time, and stops the export of transfers
    /// until the operator has compared them with the bank. Returns the last skipped number, or `None` if the database is not a restored
    /// copy or that cannot be determined.
    pub async fn leave_out_used_numbers(&self, now: Timestamp) -> Result<Option<i64>> {
        let Some(identity) = self.identity().await? else {
            tracing::warn!("Whether the database is a restored copy can't be told here");
            return Ok(None);
        };
        self.write(move |tx| {
            // Several processes may start together.
            tx.advisory_lock(b"database identity")?;
            match counters::database_identity(tx)? {
                Some(known) if known == identity => Ok(None),
                known => {
                    counters::set_database_identity(tx, identity)?;
                    match known {
                        None => Ok(None),
                        Some(_) => {
                            counters::stop_transfers(tx, now)?;
                            counters::leave_out_order_numbers(tx, NUMBERS_LEFT_OUT)
                        }
                    }
                }
            }
        })
        .await
    }

    /// Returns whether this is a restored copy on which no server has started yet.
    pub async fn is_unprepared_copy(&self) -> Result<bool> {
        let identity = self.identity().await?;
        let known = self.read(counters::database_identity).await?;
        Ok(matches!((identity, known), (Some(identity), Some(known)) if identity != known))
    }

    /// Returns what tells this database from its copies, if it can be told.
    async fn identity(&self) -> Result<Option<i64>> {
        let identity = match self.sqlite_path() {
            Some(path) => identity_of_file(path),
            None => match self.read(identity_of_server_and_database).await {
                Ok(identity) => Some(identity),
                // The server does not grant access to the needed functions.
                Err(StorageError::Statement(_)) => None,
                Err(error) => return Err(error),
            },
        };
        Ok(identity.map(|identity| {
            let digest = blake3::hash(identity.as_bytes());
            let (first, _) = digest.as_bytes().split_at(8);
            i64::from_be_bytes(first.try_into().unwrap_or_default())
        }))
    }
}

/// Returns inode and creation time of the file. A copy has others.
fn identity_of_file(path: &Path) -> Option<String> {
    let metadata = std::fs::metadata(path).ok()?;
    let born = metadata.created().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    Some(format!("{number}/{}", born.as_nanos()))
}

/// Returns system identifier, timeline and database id. A restore to a point in time starts a new timeline; a restored
/// dump is another database.
fn identity_of_server_and_database(tx: &mut Tx) -> Result<String> {
    tx.row(
        "select cast(s.system_identifier as text) || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
             || '/' || cast(d.oid as text) as identity
         from pg_control_system() s, pg_database d where d.datname = current_database()",
        params![],
        |row| row.next(),
    )
}
