//! Finds out whether the database is a restored copy.
//!
//! Orders made after the copy are missing in it. Their numbers, which people have on receipts, must not be given to
//! other orders. Transfers that were sent after the copy are planned in it, and must not be sent a second time. Parts that came back and were
//! sent again or given back after the copy look undecided in it, and must not leave a second time.

use std::path::Path;
use std::time::UNIX_EPOCH;

use cabinet_domain::{TransferId, kyiv_date};
use jiff::Timestamp;
use jiff::civil::Date;

use crate::engine::counters;
use crate::engine::error::{Result, StorageError};
use crate::engine::store::Store;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::payment::attempts;
use crate::payment::refunds;

/// Numbers of orders, and of transfers' documents, skipped after a restore: more than a week of orders of the whole country.
const NUMBERS_LEFT_OUT: i64 = 1_000_000;

/// Numbers of complaints skipped after a restore: one complaint about two hundred orders of that week. Few, because people say the
/// number on the telephone, and after twenty restores it could be taken for the number of an order.
const COMPLAINTS_LEFT_OUT: i64 = NUMBERS_LEFT_OUT / 200;

/// Records that what a restored copy lacks has to be looked for, and marks what is prepared in it as perhaps sent. That includes what was
/// prepared a moment ago, because a standby may have become the leader without the last writes of a process that has ended.
pub fn begin_recovery(tx: &mut Tx, now: Timestamp) -> Result<()> {
    counters::begin_recovery(tx, now)?;
    attempts::doubt_prepared(tx)?;
    refunds::doubt_prepared(tx)?;
    Ok(())
}

/// Returns whether a server began with a restored copy, and not all that the copy lacks was looked for.
pub fn is_recovering(tx: &mut Tx) -> Result<bool> {
    Ok(recovering_since(tx)?.is_some())
}

/// Returns since when what a restored copy lacks is looked for; `None` if that is done, or the database is no such copy.
pub fn recovering_since(tx: &mut Tx) -> Result<Option<Timestamp>> {
    counters::recovering_since(tx)
}

/// Records that all that a restored copy lacks was looked for. `since` is what [`recovering_since`] has told before: another copy that was
/// restored meanwhile is still to be looked at.
pub fn end_recovery(tx: &mut Tx, since: Timestamp) -> Result<()> {
    counters::end_recovery(tx, since)
}

/// Holds what came back in a restored copy and was neither given back nor sent again there: it may have been since the copy.
fn hold_returned(tx: &mut Tx, now: Timestamp) -> Result<()> {
    let sql = "update transfers set held_at = ?1
               where status = 'returned' and held_at is null and refunded_at is null and given_back_at is null
                   and not exists (select 1 from transfers n where n.replaces = transfers.id)";
    tx.execute(sql, params![now]).map(|_| ())
}

/// Holds a transfer that has just been marked as returned, if it may have come back before the database was restored: since the copy it may have
/// been sent again or given back. `returned_on`: the day (Kyiv) on which it came back, where the bank tells it. Returns whether it is held.
pub fn hold_returned_before(
    tx: &mut Tx,
    transfer: TransferId,
    returned_on: Option<Date>,
    now: Timestamp,
) -> Result<bool> {
    let Some(restored_at) = counters::restored_at(tx)? else {
        return Ok(false);
    };
    if returned_on.is_some_and(|day| day > kyiv_date(restored_at)) {
        return Ok(false);
    }
    let sql = "update transfers set held_at = ?2
               where id = ?1 and status = 'returned' and created_at < ?3 and refunded_at is null and given_back_at is null";
    Ok(tx.execute(sql, params![transfer, now, restored_at])? == 1)
}

impl Store {
    /// Prepares a restored copy for use. It skips the numbers of orders, transfers' documents and complaints that the copy would assign a second
    /// time. It stops the export of transfers until the operator has compared them with the bank, holds the parts that came back until each was
    /// compared, and marks what is prepared in the copy as perhaps sent. From then on [`is_recovering`] until somebody has looked for what the
    /// copy lacks. Returns the last skipped order number, or `None` if the database is not a restored copy or that cannot be determined.
    pub async fn leave_out_used_numbers(&self, now: Timestamp) -> Result<Option<i64>> {
        let Some(identity) = self.identity().await? else {
            tracing::warn!("Whether the database is a restored copy can't be told here");
            return Ok(None);
        };
        self.write(move |tx| {
            // Several processes may start together.
            tx.advisory_lock(b"database identity")?;
            match counters::database_identity(tx)? {
                Some(known) if known == identity.now => Ok(None),
                // Stored by a release that left the tables out of it.
                Some(known) if identity.before == Some(known) => {
                    counters::set_database_identity(tx, identity.now)?;
                    Ok(None)
                }
                known => {
                    counters::set_database_identity(tx, identity.now)?;
                    match known {
                        None => Ok(None),
                        Some(_) => {
                            counters::stop_transfers(tx, now)?;
                            counters::set_restored_at(tx, now)?;
                            hold_returned(tx, now)?;
                            begin_recovery(tx, now)?;
                            counters::leave_out_complaint_numbers(tx, COMPLAINTS_LEFT_OUT)?;
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
        Ok(matches!((identity, known), (Some(identity), Some(known))
            if identity.now != known && identity.before != Some(known)))
    }

    /// Returns what tells this database from its copies, if it can be told.
    async fn identity(&self) -> Result<Option<Identity>> {
        let texts = match self.sqlite_path() {
            Some(path) => identity_of_file(path).map(|text| (text, None)),
            None => match self.read(identity_of_server_and_database).await {
                Ok((now, before)) => Some((now, Some(before))),
                // The server does not grant access to the needed functions.
                Err(StorageError::Statement(_)) => None,
                Err(error) => return Err(error),
            },
        };
        Ok(texts.map(|(now, before)| Identity {
            now: digest_of(&now),
            before: before.as_deref().map(digest_of),
        }))
    }
}

/// What tells a database from its copies.
#[derive(Clone, Copy)]
struct Identity {
    now: i64,
    /// What a release before this one made of the same database, where that is something else.
    before: Option<i64>,
}

fn digest_of(identity: &str) -> i64 {
    let digest = blake3::hash(identity.as_bytes());
    let (first, _) = digest.as_bytes().split_at(8);
    i64::from_be_bytes(first.try_into().unwrap_or_default())
}

/// Returns inode and creation time of the file. A copy has others, unless it is written over the file itself: for that,
/// `cabinet backup` marks its copies.
fn identity_of_file(path: &Path) -> Option<String> {
    let metadata = std::fs::metadata(path).ok()?;
    let born = metadata.created().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    Some(format!("{number}/{}", born.as_nanos()))
}

/// Returns system identifier, timeline, database id and the id of a table; then the same without the table. A restore to a point in
/// time starts a new timeline; a dump that is restored into a new database has another database id; `pg_restore --clean` into
/// the same one makes the tables anew.
fn identity_of_server_and_database(tx: &mut Tx) -> Result<(String, String)> {
    tx.row(
        "select cast(s.system_identifier as text) || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
             || '/' || cast(d.oid as text) as identity, cast(cast(cast('counters' as regclass) as oid) as text) as table_id
         from pg_control_system() s, pg_database d where d.datname = current_database()",
        params![],
        |row| {
            let database: String = row.next()?;
            let table: String = row.next()?;
            Ok((format!("{database}/{table}"), database))
        },
    )
}
