//! Finds out whether the database is a restored copy.
//!
//! Orders made after the copy are missing in it. Their numbers, which people have on receipts, must not be given to
//! other orders. Transfers that were sent after the copy are planned in it, and must not be sent a second time. Parts that came back and were
//! sent again or given back after the copy look undecided in it, and must not leave a second time.

use std::path::Path;
use std::time::UNIX_EPOCH;

use cabinet_domain::{TransferId, kyiv_date};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

use crate::engine::counters;
use crate::engine::error::Result;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::payment::attempts;
use crate::payment::refunds;

/// Numbers of orders, and of transfers' documents, skipped after a restore: more than a week of orders of the whole country.
const NUMBERS_LEFT_OUT: i64 = 1_000_000;

/// Numbers of complaints skipped after a restore: one complaint about two hundred orders of that week. Few, because people say the
/// number on the telephone, and after twenty restores it could be taken for the number of an order.
const COMPLAINTS_LEFT_OUT: i64 = NUMBERS_LEFT_OUT / 200;

/// How long the last commits of a process are kept. One that runs writes all the time.
const COMMITS_KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Records that what a restored copy lacks has to be looked for, and marks what is prepared or unanswered in it as perhaps sent and answered. That
/// includes what was prepared a moment ago, because a standby may have become the leader without the last writes of a process that has ended.
pub fn begin_recovery(tx: &mut Tx, now: Timestamp) -> Result<()> {
    counters::begin_recovery(tx, now)?;
    attempts::doubt_unanswered(tx, now)?;
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

/// Prepares a restored copy for use: see `Store::leave_out_used_numbers`.
pub(super) fn prepare(tx: &mut Tx, identity: Identity, now: Timestamp) -> Result<Option<i64>> {
    if is_known(tx, identity, now)? {
        return Ok(None);
    }
    take_for_copy(tx, now)
}

/// Keeps the identity. Returns whether it is the one that was kept before, or the first.
pub(super) fn is_known(tx: &mut Tx, identity: Identity, now: Timestamp) -> Result<bool> {
    // Several processes may start, or come back, together.
    tx.advisory_lock(b"database identity")?;
    counters::forget_commits_before(tx, now - COMMITS_KEPT)?;
    let known = counters::database_identity(tx)?;
    if known != Some(identity.now) {
        counters::set_database_identity(tx, identity.now)?;
    }
    Ok(known.is_none_or(|known| identity.is(known)))
}

/// Takes the database for one that lacks its last commits. Returns the last skipped order number.
pub(super) fn take_for_copy(tx: &mut Tx, now: Timestamp) -> Result<Option<i64>> {
    counters::stop_transfers(tx, now)?;
    counters::set_restored_at(tx, now)?;
    hold_returned(tx, now)?;
    look_for_lost(tx, now)
}

/// Skips the numbers that may have been given since, and has looked for what may be missing. Returns the last skipped order number.
pub(super) fn look_for_lost(tx: &mut Tx, now: Timestamp) -> Result<Option<i64>> {
    begin_recovery(tx, now)?;
    counters::leave_out_complaint_numbers(tx, COMPLAINTS_LEFT_OUT)?;
    counters::leave_out_order_numbers(tx, NUMBERS_LEFT_OUT)
}

/// What tells a database from its copies.
#[derive(Clone, Copy)]
pub(super) struct Identity {
    now: i64,
    /// What a release that left the tables out made of the same database.
    before: Option<i64>,
}

impl Identity {
    /// Returns whether a database that keeps `known` is this one.
    pub(super) fn is(&self, known: i64) -> bool {
        known == self.now || Some(known) == self.before
    }
}

fn digest_of(identity: &str) -> i64 {
    let digest = blake3::hash(identity.as_bytes());
    let (first, _) = digest.as_bytes().split_at(8);
    i64::from_be_bytes(first.try_into().unwrap_or_default())
}

/// Returns inode and creation time of the file. A copy has others, unless it is written over the file itself: for that,
/// `cabinet backup` marks its copies.
pub(super) fn identity_of_file(path: &Path) -> Option<Identity> {
    let metadata = std::fs::metadata(path).ok()?;
    let born = metadata.created().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let number = std::os::unix::fs::MetadataExt::ino(&metadata);
    Some(Identity {
        now: digest_of(&format!("{number}/{}", born.as_nanos())),
        before: None,
    })
}

/// Returns what tells a PostgreSQL database from its copies.
pub(super) fn identity_of_postgres(tx: &mut Tx) -> Result<Identity> {
    let (now, before) = identity_of_server_and_database(tx)?;
    Ok(Identity {
        now: digest_of(&now),
        before: Some(digest_of(&before)),
    })
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
