//! Saved cards that a notary removed, until the acquirer has forgotten them.

use cabinet_domain::{NotaryId, RemovedCard};
use jiff::Timestamp;

use crate::engine::error::Result;
use crate::engine::row::Row;
use crate::engine::tx::Tx;
use crate::engine::value::params;
use crate::locks::LockedNotary;

fn read(row: &mut Row<'_>) -> Result<RemovedCard> {
    Ok(RemovedCard {
        token_hash: row.next()?,
        notary: row.next()?,
        removed_at: row.next()?,
    })
}

/// Stores that a card was removed. Returns false if it was before.
pub fn insert(tx: &mut Tx, notary: &LockedNotary, card: &RemovedCard) -> Result<bool> {
    let inserted = tx.execute(
        "insert into removed_cards (token_hash, notary_id, removed_at, next_try_at) values (?1, ?2, ?3, ?4)
         on conflict (token_hash) do nothing",
        params![card.token_hash, notary, card.removed_at, card.forgotten_from()],
    )?;
    Ok(inserted == 1)
}

/// Returns the removed cards of a notary, the latest first.
pub fn of_notary(tx: &mut Tx, notary: NotaryId) -> Result<Vec<RemovedCard>> {
    tx.rows(
        "select token_hash, notary_id, removed_at from removed_cards where notary_id = ?1 order by removed_at desc, token_hash",
        params![notary],
        read,
    )
}

/// Deletes the row of a card that is put back, or that the acquirer has forgotten. Returns false if this notary has none.
pub fn delete(tx: &mut Tx, notary: &LockedNotary, token_hash: &[u8; 32]) -> Result<bool> {
    let sql = "delete from removed_cards where notary_id = ?1 and token_hash = ?2";
    Ok(tx.execute(sql, params![notary, token_hash])? == 1)
}

/// Deletes the row of a card that was saved again by a page made after it had been removed. For the acquirer's reports, which name no
/// notary.
pub fn delete_saved_again(tx: &mut Tx, token_hash: &[u8; 32], made_at: Timestamp) -> Result<bool> {
    let sql = "delete from removed_cards where token_hash = ?1 and removed_at < ?2";
    Ok(tx.execute(sql, params![token_hash, made_at])? == 1)
}

/// Returns the cards that the acquirer should now be told to forget, of whomever.
pub fn due(tx: &mut Tx, now: Timestamp, limit: u32) -> Result<Vec<RemovedCard>> {
    tx.rows(
        "select token_hash, notary_id, removed_at from removed_cards where next_try_at <= ?1
         order by next_try_at, token_hash limit ?2",
        params![now, i64::from(limit)],
        read,
    )
}

/// Sets when the acquirer is told again.
pub fn postpone(tx: &mut Tx, card: &RemovedCard, next_try_at: Timestamp) -> Result<()> {
    tx.execute(
        "update removed_cards set next_try_at = ?3 where notary_id = ?1 and token_hash = ?2",
        params![card.notary, card.token_hash, next_try_at],
    )
    .map(|_| ())
}
