//! Browsers that have signed a notary in.

use cabinet_domain::{Browser, Device, DeviceId, NotaryId};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;

const COLUMNS: &str = "id, notary_id, token_hash, browser, first_entered_at, last_entered_at";

fn read(row: &mut Row<'_>) -> Result<Device> {
    Ok(Device {
        id: row.next()?,
        notary_id: row.next()?,
        token_hash: row.next()?,
        browser: row.next()?,
        first_entered_at: row.next()?,
        last_entered_at: row.next()?,
    })
}

/// Stores a device.
pub fn insert(tx: &mut Tx, device: &Device) -> Result<()> {
    tx.execute(
        "insert into devices (id, notary_id, token_hash, browser, first_entered_at, last_entered_at)
         values (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            device.id,
            device.notary_id,
            device.token_hash,
            device.browser,
            device.first_entered_at,
            device.last_entered_at,
        ],
    )
    .map(|_| ())
}

/// Returns the device of a notary by the hash of its token, if it has signed her in since a moment.
pub fn of_notary(
    tx: &mut Tx,
    notary: NotaryId,
    token_hash: &[u8; 32],
    since: Timestamp,
) -> Result<Option<Device>> {
    let sql = format!(
        "select {COLUMNS} from devices where notary_id = ?1 and token_hash = ?2 and last_entered_at >= ?3"
    );
    tx.row_optional(&sql, params![notary, token_hash, since], read)
}

/// Returns whether a token is a device of any notary.
pub fn is_known(tx: &mut Tx, token_hash: &[u8; 32]) -> Result<bool> {
    let sql = "select count(*) as known from devices where token_hash = ?1";
    Ok(tx.row(sql, params![token_hash], |row| row.next::<i64>())? > 0)
}

/// Records that a device signed its notary in again.
pub fn record_entry(
    tx: &mut Tx,
    device: DeviceId,
    browser: Option<&Browser>,
    now: Timestamp,
) -> Result<()> {
    let sql = "update devices set last_entered_at = ?3, browser = ?2 where id = ?1";
    tx.execute(sql, params![device, browser, now]).map(|_| ())
}

/// Forgets a device: its next entry is that of a new one.
pub fn delete(tx: &mut Tx, device: DeviceId) -> Result<()> {
    tx.execute("delete from devices where id = ?1", params![device])
        .map(|_| ())
}

/// Forgets all devices of a notary but one.
pub fn delete_others(tx: &mut Tx, notary: NotaryId, kept: Option<DeviceId>) -> Result<u64> {
    match kept {
        Some(kept) => tx.execute(
            "delete from devices where notary_id = ?1 and id <> ?2",
            params![notary, kept],
        ),
        None => tx.execute("delete from devices where notary_id = ?1", params![notary]),
    }
}

/// Forgets devices that have signed nobody in since a moment.
pub fn purge(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    tx.execute(
        "delete from devices where last_entered_at < ?1",
        params![before],
    )
}
